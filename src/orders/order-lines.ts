import { resolveVariation } from '../catalog/resolve-variation.js';
import { variationKeys } from '../catalog/variations.js';
import type { FieldError } from '../errors/field-error.js';
import type { Minor } from '../money/money.js';
import type { OrderItemRequest } from './create-order.request.js';
import type { Offer } from './offer.js';

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
export function skusOf(items: readonly OrderItemRequest[]): string[] {
  return [...new Set(items.map(({ sku }) => sku))];
}

/** Finds product and variation of every item. Those that cannot be found are faults, each at its field. */
export function readOrderLines(
  items: readonly OrderItemRequest[],
  offers: ReadonlyMap<string, Offer>,
  suggest: (sku: string) => string | undefined,
): { lines: OrderLine[]; faults: FieldError[] } {
  const lines: OrderLine[] = [];
  const faults: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    const offer = offers.get(item.sku);
    const line = offer ? readLine(item, index, offer) : unknownSku(index, suggest(item.sku));
    if ('code' in line) faults.push(line);
    else lines.push(line);
  }
  return { lines, faults };
}

function readLine(
  { quantity, variation }: OrderItemRequest,
  index: number,
  offer: Offer,
): OrderLine | FieldError {
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

function unknownSku(index: number, suggestion: string | undefined): FieldError {
  const message = 'is the SKU of no active product';
  const fault = { field: `items[${index}].sku`, code: 'unknown_sku', message };
  return suggestion === undefined
    ? fault
    : { ...fault, message: `${message}; did you mean ${suggestion}?`, suggestion };
}
