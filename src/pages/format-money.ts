import { amountFromMinor, type Minor } from '../platform/money/money.js';

/** Making one takes longer than a page. */
const formats = new Map<string, Intl.NumberFormat>();

/** "₹3,12,307.50": grouped as India does, with a minus as wide as its plus. For texts such as a button's. */
export function formatMoney(minor: Minor, currency: string, signed = false): string {
  return formatOf(currency, signed).format(amountFromMinor(minor)).replace('-', '−');
}

/** "₹": before a field into which an amount is typed. */
export function signOf(currency: string): string {
  return formatOf(currency, false)
    .formatToParts(0)
    .find(({ type }) => type === 'currency')!.value;
}

function formatOf(currency: string, signed: boolean): Intl.NumberFormat {
  const key = `${currency}${signed ? '±' : ''}`;
  let format = formats.get(key);
  if (!format) {
    const signDisplay = signed ? 'exceptZero' : 'auto';
    format = new Intl.NumberFormat('en-IN', { style: 'currency', currency, signDisplay });
    formats.set(key, format);
  }
  return format;
}
