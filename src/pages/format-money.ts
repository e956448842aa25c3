import { LRUCache } from 'lru-cache';
import { amountFromMinor, type Minor } from '../platform/money/money.js';

/** Creating a format takes longer than rendering a page; formatting takes longer than a look-up. */
const formats = new Map<string, { format: Intl.NumberFormat; texts: LRUCache<Minor, string> }>();

/** "₹3,12,307.50": Indian grouping, and a minus sign as wide as a plus. */
export function formatMoney(minor: Minor, currency: string, signed = false): string {
  const { format, texts } = formatOf(currency, signed);
  let text = texts.get(minor);
  if (text === undefined) texts.set(minor, (text = format.format(amountFromMinor(minor)).replace('-', '−')));
  return text;
}

/** "₹", for the prefix of an amount field. */
export function signOf(currency: string): string {
  return formatOf(currency, false)
    .format.formatToParts(0)
    .find(({ type }) => type === 'currency')!.value;
}

function formatOf(currency: string, signed: boolean) {
  const key = `${currency}${signed ? '±' : ''}`;
  let known = formats.get(key);
  if (!known) {
    const signDisplay = signed ? 'exceptZero' : 'auto';
    const format = new Intl.NumberFormat('en-IN', { style: 'currency', currency, signDisplay });
    formats.set(key, (known = { format, texts: new LRUCache({ max: 1_000 }) }));
  }
  return known;
}
