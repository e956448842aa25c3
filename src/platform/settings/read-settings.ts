import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { DomainError } from '../errors/domain-error.js';
import { parsePercent } from '../money/money.js';
import { isTimeZone, parseDay, type TimeZone } from '../time/time.js';
import { countryName } from '../validation/countries.js';
import { gatewaySettings, readDetailSetting, isOnTrial } from './gateway-settings.js';
import { ENV_FILE, listSettings } from './list-settings.js';
import { mailSettings } from './mail-settings.js';
import type { Settings } from './settings.js';

/** More than PostgreSQL has connections for by default. */
const MAX_WORKERS = 64;

type Environment = Record<string, string | undefined>;

/**
 * Reads the settings from the environment. One message reports all faults. `.env.example` lists all settings;
 * a spec compares both.
 */
export function readSettings(environment: Environment): Settings {
  const faults: string[] = [];

  const text = (name: string, fallback: string): string => environment[name]?.trim() || fallback;

  const optional = (name: string): string | undefined => environment[name]?.trim() || undefined;

  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const given = optional(name);
    if (given === undefined) return fallback;
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    faults.push(`${name} must be a whole number from ${min} to ${max}, but is "${given}".`);
    return fallback;
  };

  const oneOf = <T extends string>(name: string, values: readonly T[], fallback: T): T => {
    const given = optional(name);
    if (given === undefined) return fallback;
    const value = values.find((candidate) => candidate === given);
    if (value === undefined) faults.push(`${name} must be one of ${values.join(', ')}, but is "${given}".`);
    return value ?? fallback;
  };

  const baseUrl = (name: string): string | undefined => {
    const given = optional(name);
    const origin = given && originOf(given);
    // The value is not repeated: it may hold a password.
    if (given && !origin)
      faults.push(`${name} must look like https://wholesale.example.com, without a path.`);
    return origin;
  };

  const databaseUrl = (name: string) => {
    const given = optional(name);
    if (given === undefined || namesDatabase(given)) return given;
    // The value is not repeated: it may hold a password.
    const signs = 'In a password write %2F for /, %3F for ? and %23 for #.';
    faults.push(`${name} must look like postgres://user:password@host:5432/database. ${signs}`);
    return undefined;
  };

  const publicUrl = baseUrl('PUBLIC_URL');
  const isProduction =
    oneOf('NODE_ENV', ['production', 'development', 'test'], 'development') === 'production';
  const paymentGateway = gatewaySettings({ optional, oneOf, baseUrl, publicUrl, isProduction }, faults);
  const shutdownGraceSeconds = integer('SHUTDOWN_GRACE_SECONDS', 12, 1, 300);
  const settings: Settings = {
    port: integer('PORT', 3000, 0, 65_535),
    host: text('HOST', '0.0.0.0'),
    workers: workers(optional('WORKERS'), faults),
    dataDir: text('DATA_DIR', '.data'),
    databaseUrl: databaseUrl('DATABASE_URL'),
    databaseDirectUrl: databaseUrl('DATABASE_DIRECT_URL'),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 2, 200),
    databaseTimeoutMs: integer('DATABASE_TIMEOUT_MS', 2_500, 100, 60_000),
    allowNewerSchema: oneOf('ALLOW_NEWER_SCHEMA', ['on', 'off'], 'off') === 'on',
    currency: currency(text('CURRENCY', 'INR'), faults),
    timeZone: timeZone(text('TIME_ZONE', 'Asia/Kolkata'), faults),
    servedCountries: countries(text('SERVED_COUNTRIES', 'India'), faults),
    paymentWindowHours: integer('PAYMENT_WINDOW_HOURS', 72, 1, 8_760),
    shipWithinDays: integer('SHIP_WITHIN_DAYS', 2, 0, 365),
    deliverWithinDays: integer('DELIVER_WITHIN_DAYS', 10, 1, 90),
    unpaidValueLimit: integer('UNPAID_VALUE_LIMIT', 10_000_000, 0, 999_999_999),
    unpaidOrdersLimit: integer('UNPAID_ORDERS_LIMIT', 10_000, 0, 999_999_999),
    expiryIntervalSeconds: integer('EXPIRY_INTERVAL_SECONDS', 60, 1, 86_400),
    snapshotIntervalMs: integer('SNAPSHOT_INTERVAL_MS', 250, 20, 1_000),
    snapshotMaxAgeSeconds: integer('SNAPSHOT_MAX_AGE_SECONDS', 900, 1, 86_400),
    maxClockSkewSeconds: integer('MAX_CLOCK_SKEW_SECONDS', 60, 1, 86_400),
    rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', 12_000, 0, 10_000_000),
    sessionIdleMinutes: integer('SESSION_IDLE_MINUTES', 720, 1, 525_600),
    sessionDays: integer('SESSION_DAYS', 14, 1, 365),
    shutdownDrainSeconds: integer('SHUTDOWN_DRAIN_SECONDS', Math.min(3, shutdownGraceSeconds - 1), 0, 299),
    shutdownGraceSeconds,
    trustProxy: trustProxy(optional('TRUST_PROXY'), faults),
    accessLog: oneOf('ACCESS_LOG', ['all', 'default', 'off'], 'default'),
    tokenDomains: oneOf('TOKEN_DOMAINS', ['allowed', 'any'], 'allowed'),
    returnsByApi: oneOf('RETURNS_BY_API', ['on', 'off'], 'on') === 'on',
    requestLogDays: integer('REQUEST_LOG_DAYS', 30, 0, 365),
    metricsPort:
      optional('METRICS_PORT') === undefined ? undefined : integer('METRICS_PORT', 9464, 0, 65_535),
    metricsHost: text('METRICS_HOST', '127.0.0.1'),
    tax: oneOf('TAX', ['gst', 'none'], 'gst'),
    moreGstRates: gstRates(optional('MORE_GST_RATES'), faults),
    hsnDigits: Number(oneOf('HSN_DIGITS', ['4', '6'], '4')),
    eInvoicesFrom: optional('E_INVOICES_FROM'),
    eWayBillFrom: integer('E_WAY_BILL_FROM', 50_000, 0, 999_999_999),
    paymentGateway,
    contact: readDetailSetting('CONTACT', optional('CONTACT'), faults),
    bankDetails: readDetailSetting('BANK_TRANSFER_DETAILS', optional('BANK_TRANSFER_DETAILS'), faults),
    publicUrl,
    isOnTrial: isOnTrial({ optional, publicUrl, isProduction }),
    isProduction,
    mail: mailSettings({ optional }, faults),
  };
  if (settings.shutdownDrainSeconds >= settings.shutdownGraceSeconds) {
    faults.push('SHUTDOWN_DRAIN_SECONDS is a part of SHUTDOWN_GRACE_SECONDS and must be less.');
  }
  if (settings.databaseDirectUrl !== undefined && optional('DATABASE_URL') === undefined)
    faults.push('DATABASE_DIRECT_URL bypasses the pooler of DATABASE_URL, which must be set too.');
  const { eInvoicesFrom, hsnDigits } = settings;
  if (eInvoicesFrom !== undefined && parseDay(eInvoicesFrom) !== eInvoicesFrom)
    faults.push(`E_INVOICES_FROM must be a day such as 2026-04-01, but is "${eInvoicesFrom}".`);
  if (eInvoicesFrom !== undefined && hsnDigits < 6)
    faults.push('E_INVOICES_FROM needs HSN_DIGITS=6, because e-invoices have HSN codes of 6 digits.');
  if (faults.length > 0) throw wrongSettings(faults);
  return settings;
}

/** Without a name, PostgreSQL takes the database named like the user. */
function namesDatabase(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url) && new URL(url).pathname.length > 1;
}

function wrongSettings(faults: string[]): DomainError {
  const message = ['The settings are wrong:', ...faults.map((fault) => `  - ${fault}`)].join('\n');
  return new DomainError('wrong_settings', message);
}

/** "auto" is one for each available core. */
function workers(given: string | undefined, faults: string[]): number {
  if (given === 'auto') return Math.min(availableParallelism(), MAX_WORKERS);
  const count = /^\d{1,3}$/.test(given ?? '1') ? Number(given ?? 1) : 0;
  if (count >= 1 && count <= MAX_WORKERS) return count;
  faults.push(`WORKERS must be a whole number from 1 to ${MAX_WORKERS}, or auto, but is "${given}".`);
  return 1;
}

function currency(given: string, faults: string[]): string {
  const known = /^[A-Z]{3}$/.test(given);
  const decimals =
    known && new Intl.NumberFormat('en', { style: 'currency', currency: given }).resolvedOptions();
  if (!decimals || decimals.maximumFractionDigits !== 2) {
    faults.push(
      'CURRENCY must be a three-letter code, in capitals, of a currency with two decimals, but is ' +
        `"${given}".`,
    );
  }
  return given;
}

function timeZone(given: string, faults: string[]): TimeZone {
  if (!isTimeZone(given))
    faults.push(`TIME_ZONE must be a name such as Asia/Kolkata or UTC, but is "${given}".`);
  return given;
}

function countries(given: string, faults: string[]): string[] {
  return given.split(',').flatMap((part) => {
    const name = countryName(part);
    if (name === undefined)
      faults.push(`SERVED_COUNTRIES must list countries such as India or IN, but has "${part.trim()}".`);
    return name ?? [];
  });
}

function gstRates(given: string | undefined, faults: string[]): number[] {
  return (given?.split(',') ?? []).flatMap((part) => {
    const parsed = parsePercent(part);
    if ('hundredths' in parsed && parsed.hundredths > 0 && parsed.hundredths <= 10_000)
      return parsed.hundredths;
    faults.push(`MORE_GST_RATES must list percentages such as 7.5, but has "${part.trim()}".`);
    return [];
  });
}

/**
 * A hop count or the addresses of the proxies. Trusting all callers would let each choose its own address.
 */
function trustProxy(given: string | undefined, faults: string[]): number | string[] | false {
  if (given === undefined || given === '0') return false;
  if (/^[1-9]$/.test(given)) return Number(given);
  const addresses = given.split(',').map((part) => part.trim());
  if (addresses.every(isAddressOrRange)) return addresses;
  faults.push(
    `TRUST_PROXY must be a number of hops (1 to 9) or a list of addresses or CIDR ranges, but is "${given}".`,
  );
  return false;
}

/** The origin; undefined if the address has a path, a query or a login. */
function originOf(text: string): string | undefined {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  const { origin, pathname, search, hash, username, password } = new URL(text);
  return pathname === '/' && `${search}${hash}${username}${password}` === '' ? origin : undefined;
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** The parts of `process` that are used here. Without `loadEnvFile` no file is read. */
interface ProcessEnvironment {
  readonly env: Record<string, string | undefined>;
  loadEnvFile?(path: string): void;
}

/** The settings of a process: its environment, then the file `.env` of its directory. */
export function loadSettings(process: ProcessEnvironment, report: (line: string) => void): Settings {
  const line = loadEnvFile(process);
  if (line !== undefined) report(line);
  return readSettings(process.env);
}

/** Returns the names of the settings that the file set. Values may be passwords, so they are left out. */
function loadEnvFile(process: ProcessEnvironment): string | undefined {
  if (!process.loadEnvFile || !existsSync(ENV_FILE)) return undefined;
  const path = resolve(ENV_FILE);
  const given = new Set(Object.keys(process.env));
  try {
    process.loadEnvFile(ENV_FILE);
  } catch (cause) {
    const message = `The file ${path} cannot be read: ${(cause as Error).message}`;
    throw new DomainError('wrong_settings', message, { cause });
  }
  const taken = Object.keys(process.env).filter((name) => !given.has(name));
  const settings = new Set(listSettings().map(({ name }) => name));
  const others = taken.filter((name) => !settings.has(name));
  return [
    `Read from ${path}: ${taken.join(', ') || 'nothing, because the environment sets all of it'}.`,
    ...(others.length > 0 ? [`No settings of this service: ${others.join(', ')}.`] : []),
  ].join(' ');
}
