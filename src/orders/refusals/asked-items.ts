import { isPlainObject } from '../../platform/validation/named-fields.js';
import { ownText } from '../../store-requests/rules/own-text.js';

/** What a line asked for, as far as it could be read. */
export interface AskedItem {
  sku: string | null;
  quantity: number | null;
}

/** A refusal must not take much space, whatever was sent. */
const MOST_KEPT = 20;

/** Of the body nothing else is kept: nothing that is the customer's. */
export function askedItems(body: unknown): AskedItem[] {
  const items = isPlainObject(body) && Array.isArray(body.items) ? (body.items as unknown[]) : [];
  return items
    .slice(0, MOST_KEPT)
    .map((item) => (isPlainObject(item) ? readItem(item) : { sku: null, quantity: null }));
}

function readItem({ sku, quantity }: Record<string, unknown>): AskedItem {
  return {
    sku: ownText(sku),
    quantity: typeof quantity === 'number' ? quantity : null,
  };
}
