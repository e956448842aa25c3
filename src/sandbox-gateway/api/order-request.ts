import { isStorableText } from '../../platform/validation/texts.js';
import { Refusal } from '../refusal.js';
import { refuseUnknownFields, takeAmount, takeNotes } from './request-fields.js';

export interface OrderToOpen {
  amount: number;
  currency: string;
  receipt: string | null;
}

/** As Razorpay documents it. (Of its `payment` only automatic capture is played.) */
export function readOrderRequest(body: Record<string, unknown>): OrderToOpen {
  refuseUnknownFields(body, ['amount', 'currency', 'receipt', 'notes', 'payment']);
  const amount = takeAmount(body.amount);
  if (amount === undefined) throw new Refusal('The amount field is required.', 'amount');
  takeNotes(body.notes);
  takeCapture(body.payment);
  return { amount, currency: takeCurrency(body.currency), receipt: takeReceipt(body.receipt) };
}

function takeCurrency(currency: unknown): string {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    throw new Refusal('The currency must be a code of three letters.', 'currency');
  return currency;
}

function takeReceipt(receipt: unknown): string | null {
  if (receipt === undefined || receipt === null) return null;
  if (typeof receipt !== 'string' || receipt.length > 40 || !isStorableText(receipt))
    throw new Refusal('The receipt may not be greater than 40 characters.', 'receipt');
  return receipt;
}

function takeCapture(payment: unknown): void {
  if (payment === undefined) return;
  const { capture } = Object(payment) as { capture?: unknown };
  if (capture !== 'automatic') throw new Refusal('The sandbox knows automatic capture alone.', 'payment');
}
