import { Refusal } from '../refusal.js';

/** In minor units, as all amounts of the protocol. */
const MIN_AMOUNT = 100;
const MAX_AMOUNT = 10 ** 15;

export function refuseUnknownFields(body: object, known: string[]): void {
  const unknown = Object.keys(body).find((field) => !known.includes(field));
  if (unknown !== undefined)
    throw new Refusal('There is a field which is not required and should not be sent.');
}

export function takeAmount(amount: unknown): number | undefined {
  if (amount === undefined) return undefined;
  if (!Number.isInteger(amount)) throw new Refusal('The amount must be an integer.', 'amount');
  if ((amount as number) < MIN_AMOUNT) throw new Refusal('The amount must be at least INR 1.00', 'amount');
  if ((amount as number) > MAX_AMOUNT) throw new Refusal('Amount exceeds maximum amount allowed.', 'amount');
  return amount as number;
}

/** They are checked and forgotten: nobody here looks at them. */
export function takeNotes(notes: unknown): void {
  if (notes === undefined) return;
  if (typeof notes !== 'object' || notes === null || Object.keys(notes).length > 15)
    throw new Refusal('The notes must be at most 15 pairs.', 'notes');
}
