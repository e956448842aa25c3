import type { DescribedField } from '../../platform/validation/described-field.js';
import { actorName } from '../../modules/audit/actor-of.js';
import { ExactTime } from '../../shared/ui/components/values.js';
import { formatMoney } from '../../platform/formats.js';
import { parseHundredths } from '../../platform/money/money.js';
import { capitalised } from '../../platform/validation/texts.js';
import { STATES } from '../../modules/tax/gst-codes.js';
import { stateName } from '../../modules/tax/gstin.js';
import { type CatalogColumn, PRODUCT_FIELDS } from '../../modules/catalog/catalog-columns.js';

const AUTHORS: ReadonlyMap<string, string> = new Map([
  ['store', 'the store’s system'],
  ['system', 'the service'],
  ['gateway', 'a gateway payment'],
]);

/** "person 3 (asha@example.com)" acts by the e-mail address. */
export function authorName(actor: string): string {
  return AUTHORS.get(actor) ?? actorName(actor);
}

export const authorWords = (actor: string) => `by ${authorName(actor)}`;

export const DoneBy = ({ at, by }: { at: Date; by: string | null }) => (
  <>
    <ExactTime at={at} /> {by !== null && authorWords(by)}
  </>
);

/** What a column of a file holds, in the words of its field. */
export const columnHint = (column: string): string | undefined => {
  const field = PRODUCT_FIELDS[column as CatalogColumn] as DescribedField | undefined;
  return field?.hint ?? COLUMN_HINTS[column];
};

const COLUMN_HINTS: Readonly<Record<string, string>> = {
  sku: 'The code of the product',
  quantity: 'Units on hand, a whole number',
  variation: 'Such as Size:M. Empty for a product without variations',
  plan: 'The code of a plan',
  wholesale_price: 'The price in the plan. Empty removes the fixed price',
  order_number: 'Our number, or the id of the store',
  lines: 'Such as 1=2 3=1: two units of line 1, one of line 3',
};

/** "base_price" as "Base price". A column of a product has the label of its field. */
export function labelOf(name: string): string {
  const label = (PRODUCT_FIELDS[name as CatalogColumn]?.label ?? name)
    .replaceAll('_', ' ')
    .replace(/\b(?:gst|gstin|id|irn|tds|url|utr)\b/, (letters) => letters.toUpperCase())
    .replace('e way', 'e-way');
  return capitalised(label);
}

const AMOUNTS: ReadonlySet<string> = new Set([
  'amount',
  'base_price',
  'charge',
  'day_cap',
  'delivery_charge',
  'price_without_gst',
  'order_cap',
  'price',
  'refunded',
  'tds',
  'wholesale_price',
]);

const LINE_QUANTITIES = /^\d+=\d+(?: \d+=\d+)*$/;

/** "1=2 3=1", as commands take it, as "2 of line 1, 1 of line 3". */
const lineQuantityWords = (text: string) =>
  text
    .split(' ')
    .map((pair) => pair.split('='))
    .map(([line, quantity]) => `${quantity} of line ${line}`)
    .join(', ');

/** A logged value: amounts in the currency, states by name. */
export function valueWords(name: string, value: unknown, currency: string): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (LINE_QUANTITIES.test(String(value))) return lineQuantityWords(String(value));
  if (name === 'state' && STATES.has(String(value))) return stateName(String(value));
  const parsed = AMOUNTS.has(name) ? parseHundredths(String(value)) : undefined;
  return parsed && 'hundredths' in parsed ? formatMoney(parsed.hundredths, currency) : String(value);
}
