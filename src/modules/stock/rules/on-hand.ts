import { DomainError } from '../../../platform/errors/domain-error.js';
import { parseWholeNumber } from '../../../platform/validation/whole-numbers.js';

/** The reason of a movement that corrects the number on hand. */
export const COUNT_REASON = 'count';

/** More than any warehouse has, and far below the limit of the database's integers. */
export const MAX_ON_HAND = 1_000_000_000;

/** A counted number, as people type it. Undefined for another text. */
export function parseOnHand(text: string): number | undefined {
  return parseWholeNumber(text, 0, MAX_ON_HAND);
}

/** A change of the number on hand, as people type it: 12, +12 or -3. Undefined for another text. */
export function parseStockChange(text: string): number | undefined {
  return parseWholeNumber(text, -MAX_ON_HAND, MAX_ON_HAND) || undefined;
}

/** A count may be lower than the held number. Then nothing is for sale. */
export function forSale({ onHand, held }: { onHand: number; held: number }): number {
  return Math.max(onHand - held, 0);
}

export function onHandAfter(onHand: number, change: number): number {
  const sum = onHand + change;
  if (sum < 0) throw new DomainError('conflict', `Only ${onHand} are on hand.`);
  if (sum > MAX_ON_HAND)
    throw new DomainError('conflict', `There would be more than ${MAX_ON_HAND} on hand.`);
  return sum;
}

/** A product without a threshold of its own runs out below this. */
export const DEFAULT_LOW_STOCK_THRESHOLD = 5;
