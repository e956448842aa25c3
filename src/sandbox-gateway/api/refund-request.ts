import { Refusal } from '../refusal.js';
import { refuseUnknownFields, takeAmount, takeNotes } from './request-fields.js';

export interface RefundToMake {
  /** Without one all that is left. */
  amount: number | undefined;
  key: string | undefined;
}

export function readRefundRequest(body: Record<string, unknown>, key: unknown): RefundToMake {
  refuseUnknownFields(body, ['amount', 'speed', 'notes', 'receipt']);
  if (body.speed !== undefined && body.speed !== 'normal' && body.speed !== 'optimum')
    throw new Refusal('The selected speed is invalid.', 'speed');
  takeNotes(body.notes);
  if (key !== undefined && (typeof key !== 'string' || !/^[\w-]{10,255}$/.test(key)))
    throw new Refusal('The idempotency key must be at least 10 characters.');
  return { amount: takeAmount(body.amount), key };
}
