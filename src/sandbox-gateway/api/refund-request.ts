import { Refusal } from '../refusal.js';
import { refuseUnknownFields, takeAmount, takeNotes } from './request-fields.js';

export interface RefundToMake {
  /** Without one all that is left. */
  amount: number | undefined;
}

export function readRefundRequest(body: Record<string, unknown>): RefundToMake {
  refuseUnknownFields(body, ['amount', 'speed', 'notes', 'receipt']);
  if (body.speed !== undefined && body.speed !== 'normal' && body.speed !== 'optimum')
    throw new Refusal('The selected speed is invalid.', 'speed');
  takeNotes(body.notes);
  return { amount: takeAmount(body.amount) };
}

/** With one, what is asked again is the same refund. */
export function readRefundKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\w-]{10,255}$/.test(key))
    throw new Refusal('The idempotency key must be at least 10 characters.');
  return key;
}
