import { LRUCache } from 'lru-cache';
import { amountFromMinor, type Minor } from '../platform/money/money.js';

/** Making one takes longer than a page, and using it longer than looking up what it has said before. */
const formats = new Map<string, { format: Intl.NumberFormat; texts: LRUCache<Minor, string> }>();

/** "₹3,12,307.50": grouped as India does, with a minus as wide as its plus. For texts such as a button's. */
export function formatMoney(minor: Minor, currency: string, signed = false): string {
  const { format, texts } = formatOf(currency, signed);
  let text = texts.get(minor);
  if (text === undefined) texts.set(minor, (text = format.format(amountFromMinor(minor)).replace('-', '−')));
  return text;
}

/** "₹": before a field into which an amount is typed. */
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
