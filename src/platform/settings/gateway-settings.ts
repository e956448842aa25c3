import { type Detail, parseDetails } from './details.js';

export type GatewaySettings =
  | { name: 'none' }
  | { name: 'sandbox' }
  | { name: 'razorpay'; apiUrl: string; keyId: string; keySecret: string; webhookSecret: string };

const NAMES = ['none', 'sandbox', 'razorpay'] as const;

interface SettingReaders {
  /** The value of a setting; undefined if it is empty. */
  optional(name: string): string | undefined;
  oneOf<T extends string>(name: string, values: readonly T[], fallback: T): T;
  baseUrl(name: string): string | undefined;
  publicUrl: string | undefined;
  isProduction: boolean;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Default: Razorpay if its keys are set, the sandbox on a trial, else none. */
export function gatewaySettings(given: SettingReaders, faults: string[]): GatewaySettings {
  const { optional, oneOf, baseUrl } = given;
  const keys = {
    RAZORPAY_KEY_ID: optional('RAZORPAY_KEY_ID'),
    RAZORPAY_KEY_SECRET: optional('RAZORPAY_KEY_SECRET'),
    RAZORPAY_WEBHOOK_SECRET: optional('RAZORPAY_WEBHOOK_SECRET'),
  };
  const apiUrl = baseUrl('RAZORPAY_API_URL') ?? 'https://api.razorpay.com';
  const hasKeys = Object.values(keys).some((key) => key !== undefined);
  const fallback = hasKeys ? 'razorpay' : isOnTrial(given) ? 'sandbox' : 'none';
  const name = oneOf('PAYMENT_GATEWAY', NAMES, fallback);
  if (name !== 'razorpay') return { name };
  const {
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecret,
  } = keys;
  if (keyId !== undefined && keySecret !== undefined && webhookSecret !== undefined)
    return { name, apiUrl, keyId, keySecret, webhookSecret };
  const missing = Object.entries(keys).flatMap(([key, value]) => (value === undefined ? [key] : []));
  faults.push(`Razorpay as the gateway also needs ${missing.join(' and ')}.`);
  return { name: 'none' };
}

/**
 * On a trial one person uses the service on one machine. The sandbox needs no real money, so in all other
 * cases it must be set. HOST does not matter: without PUBLIC_URL and TRUST_PROXY no other machine can sign
 * in.
 */
export function isOnTrial({
  optional,
  publicUrl,
  isProduction,
}: Pick<SettingReaders, 'optional' | 'publicUrl' | 'isProduction'>): boolean {
  return (
    !isProduction &&
    optional('DATABASE_URL') === undefined &&
    (optional('TRUST_PROXY') ?? '0') === '0' &&
    (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname))
  );
}

/** True for names of this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Reads the bank account, or the contact of the wholesaler. */
export function readDetailSetting(name: string, given: string | undefined, faults: string[]): Detail[] {
  const details = given === undefined ? [] : parseDetails(given);
  if (typeof details !== 'string') return details;
  faults.push(`${name} ${details}, separated by semicolons.`);
  return [];
}
