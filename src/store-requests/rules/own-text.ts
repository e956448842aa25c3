import { isStorableText, isWithin } from '../../platform/validation/storable-text.js';

/** Longer is no SKU and no id of a store's: it is the most that either may have. */
const LONGEST = 64;

/** What a token looks like, wherever somebody put it. */
const TOKEN = /wha_[0-9A-Za-z]{40}/;

/** A text of the store's own, a SKU or its id of an order, as far as it can be kept; null for whatever else stands in its place. */
export function ownText(value: unknown): string | null {
  const isOne =
    typeof value === 'string' && isStorableText(value) && isWithin(LONGEST, value) && !TOKEN.test(value);
  return isOne ? value : null;
}
