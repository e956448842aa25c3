import { resolveVariation } from '../../catalog/rules/resolve-variation.js';
import { type Variation, variationKeys } from '../../read-model/products/variations.js';
import type { FieldError } from '../../platform/errors/domain-error.js';
import type { Minor } from '../../platform/money/money.js';

/** An active product at the price of the caller's plan, as read in the transaction that orders it. */
export interface Offer {
  productId: number;
  sku: string;
  name: string;
  price: Minor;
  deliveryCharge: Minor;
  variations: Variation[];
}

/** A line as the store sent it. */
export interface OrderedItem {
  sku: string;
  quantity: number;
  variation?: string;
}

/** A line whose product and variation are known. */
export interface OrderLine {
  /** Its place in the request, from 0. */
  index: number;
  offer: Offer;
  variationKey: string;
  remark: string | null;
  quantity: number;
  lineTotal: Minor;
}

/** Each SKU once. */
export function skusOf(items: readonly OrderedItem[]): string[] {
  return [...new Set(items.map(({ sku }) => sku))];
}

/** Those of the SKUs that are not offered. */
export function unknownSkus(items: readonly OrderedItem[], offers: ReadonlyMap<string, Offer>): string[] {
  return skusOf(items).filter((sku) => !offers.has(sku));
}

type LineFault = FieldError & { valid_keys?: string[] };

/** How many keys one answer tells in all. */
const MOST_KEYS_TOLD = 1_000;

/** Finds product and variation of every item. Those that cannot be found are faults, each at its field. */
export function readOrderLines(
  items: readonly OrderedItem[],
  offers: ReadonlyMap<string, Offer>,
  suggestions: ReadonlyMap<string, string>,
): { lines: OrderLine[]; faults: FieldError[] } {
  const lines: OrderLine[] = [];
  const faults: FieldError[] = [];
  let keysToTell = MOST_KEYS_TOLD;
  for (const [index, item] of items.entries()) {
    const offer = offers.get(item.sku);
    const line = offer ? readLine(item, index, offer) : unknownSku(index, suggestions.get(item.sku));
    if ('code' in line) {
      keysToTell -= line.valid_keys?.length ?? 0;
      faults.push(keysToTell < 0 ? withoutKeys(line) : line);
    } else lines.push(line);
  }
  return { lines, faults };
}

function readLine({ quantity, variation }: OrderedItem, index: number, offer: Offer): OrderLine | LineFault {
  const line = { index, offer, quantity, lineTotal: offer.price * quantity };
  if (offer.variations.length === 0) return { ...line, variationKey: '', remark: variation ?? null };

  const validKeys = variationKeys(offer.variations);
  const resolved = resolveVariation(offer.variations, validKeys, variation ?? '');
  if ('key' in resolved) return { ...line, variationKey: resolved.key, remark: null };
  return {
    field: `items[${index}].variation`,
    code: resolved.error,
    message:
      resolved.error === 'variation_required'
        ? 'is required for this product'
        : 'is none of the variations of this product',
    valid_keys: validKeys,
  };
}

/** A hundred wrong lines of products with hundreds of variations must not make megabytes of an answer. */
function withoutKeys({ valid_keys: _, ...fault }: LineFault): FieldError {
  return { ...fault, message: `${String(fault.message)}; GET /api/products/{sku} tells them` };
}

function unknownSku(index: number, suggestion: string | undefined): LineFault {
  const message = 'is the SKU of no active product';
  const fault = { field: `items[${index}].sku`, code: 'unknown_sku', message };
  return suggestion === undefined
    ? fault
    : { ...fault, message: `${message}; did you mean ${suggestion}?`, suggestion };
}
