import type { FormFields } from '../platform/http/parse-form.js';
import { isStorableText } from '../platform/validation/texts.js';
import { Refusal } from './refusal.js';

type Body = Record<string, unknown>;

export type SandboxOrderRequest = ReturnType<typeof readOrderRequest>;
export type SandboxRefundRequest = ReturnType<typeof readRefundRequest>;
export type SandboxCheckoutRequest = ReturnType<typeof readCheckout>;

const MIN_AMOUNT = 100;
const MAX_AMOUNT = 10 ** 15;

export function readOrderRequest(body: Body) {
  refuseUnknownFields(body, ['amount', 'currency', 'receipt', 'payment']);
  const { currency, receipt = null, payment } = body;
  const amount = readAmount(body.amount);
  if (amount === undefined) throw new Refusal('The amount field is required.', 'amount');
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    throw new Refusal('The currency must be a code of three letters.', 'currency');
  if (receipt !== null && !isReceipt(receipt))
    throw new Refusal('The receipt may not be greater than 40 characters.', 'receipt');
  if (payment !== undefined && (Object(payment) as Body).capture !== 'automatic')
    throw new Refusal('The sandbox supports only automatic capture.', 'payment');
  return { amount, currency, receipt };
}

/** Without an amount, the rest of the payment goes back. */
export function readRefundRequest(body: Body) {
  refuseUnknownFields(body, ['amount', 'speed']);
  const { speed = 'normal' } = body;
  if (speed !== 'normal' && speed !== 'optimum') throw new Refusal('The selected speed is invalid.', 'speed');
  return { amount: readAmount(body.amount) };
}

export function readRefundKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\w-]{10,255}$/.test(key))
    throw new Refusal('The idempotency key must be at least 10 characters.');
  return key;
}

function refuseUnknownFields(body: Body, known: string[]): void {
  if (Object.keys(body).some((field) => !known.includes(field)))
    throw new Refusal('There is a field which is not required and should not be sent.');
}

function readAmount(amount: unknown): number | undefined {
  if (amount === undefined) return undefined;
  if (!Number.isInteger(amount)) throw new Refusal('The amount must be an integer.', 'amount');
  if ((amount as number) < MIN_AMOUNT) throw new Refusal('The amount must be at least INR 1.00', 'amount');
  if ((amount as number) > MAX_AMOUNT) throw new Refusal('Amount exceeds maximum amount allowed.', 'amount');
  return amount as number;
}

function isReceipt(receipt: unknown): receipt is string {
  return typeof receipt === 'string' && receipt.length <= 40 && isStorableText(receipt);
}

/** The form that opens the checkout page, and the form of its buttons. */
export function readCheckout(fields: FormFields) {
  const text = (name: string): string | undefined => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (Array.isArray(value)) throw new Refusal(`The ${name} may come only once.`, name);
    return value;
  };
  const url = (name: string): string | undefined => {
    const given = text(name);
    if (!given) return undefined;
    if (!/^https?:/i.test(given) || !URL.canParse(given))
      throw new Refusal(`The ${name} is not a URL.`, name);
    return new URL(given).href;
  };
  const returnUrl = url('callback_url');
  if (returnUrl === undefined) throw new Refusal('The callback_url field is required.', 'callback_url');
  return {
    orderId: text('order_id') ?? '',
    returnUrl,
    cancelUrl: url('cancel_url'),
    keyId: text('key_id'),
    amount: text('amount'),
    currency: text('currency'),
    name: text('name') || 'Pay',
    description: text('description') ?? '',
    outcome: text('outcome'),
  };
}
