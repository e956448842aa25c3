import { formatMoney } from '../../pages/formats.js';
import { parseHundredths } from '../../platform/money/money.js';
import { nameOf } from './goods/product-pages.js';

/** "base_price" as "Base price". A column of a product has the label of its field. */
export function labelOf(name: string): string {
  const label = nameOf(name).replaceAll('_', ' ');
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
}

const AMOUNTS: ReadonlySet<string> = new Set([
  'amount',
  'base_price',
  'delivery_charge',
  'price',
  'refunded',
  'wholesale_price',
]);

/** Amounts in the currency. */
export function valueWords(name: string, value: unknown, currency: string): string {
  if (value === null || value === '') return 'none';
  const parsed = AMOUNTS.has(name) ? parseHundredths(String(value)) : undefined;
  return parsed && 'hundredths' in parsed ? formatMoney(parsed.hundredths, currency) : String(value);
}
