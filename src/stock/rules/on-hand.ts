import { DomainError } from '../../platform/errors/domain-error.js';

/** More than any shelf holds, and far from where the database's integers end. */
export const MAX_ON_HAND = 1_000_000_000;

/** What can be sold now. A count may be lower than what orders hold; nothing is for sale then. */
export function forSale({ onHand, held }: { onHand: number; held: number }): number {
  return Math.max(onHand - held, 0);
}

/** What is on the shelf after goods came in or, with a minus, went. */
export function onHandAfter(onHand: number, change: number): number {
  const sum = onHand + change;
  if (sum < 0) throw new DomainError('conflict', `Only ${onHand} are on hand.`);
  if (sum > MAX_ON_HAND)
    throw new DomainError('conflict', `There would be more than ${MAX_ON_HAND} on hand.`);
  return sum;
}
