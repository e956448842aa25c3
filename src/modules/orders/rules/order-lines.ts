import { resolveVariation } from '../../catalog/rules/resolve-variation.js';
import { type Variation, variationKeys } from '../../../read-model/products/variations.js';
import type { FieldError } from '../../../platform/errors/domain-error.js';
import type { Minor } from '../../../platform/money/money.js';
import type { SkuHint } from '../../../read-model/products/sku-suggestions.js';
import type { OrderMetadata, WithMetadata } from './order-metadata.js';

/** An active product with the price of the caller's plan, read in the transaction that orders it. */
export interface Offer {
  productId: number;
  sku: string;
  name: string;
  price: Minor;
  deliveryCharge: Minor;
  variations: readonly Variation[];
}

export interface OrderedItem {
  sku: string;
  quantity: number;
  variation?: string;
  metadata?: OrderMetadata;
}

export interface OrderLine extends WithMetadata {
  /** The index of its item in the request. */
  index: number;
  offer: Offer;
  variationKey: string;
  remark: string | null;
  quantity: number;
  lineTotal: Minor;
}

/** The distinct SKUs. */
export function skusOf(items: readonly OrderedItem[]): string[] {
  return [...new Set(items.map(({ sku }) => sku))];
}

type LineFault = FieldError & { valid_keys?: string[] };

type WithVariations = Pick<Offer, 'variations'>;

type FindHint = (sku: string) => SkuHint;

/** Maximum number of valid keys in one answer. */
const MAX_LISTED_KEYS = 1_000;

/** Finds product and variation of each item. Unknown ones become faults at their fields. */
export function readOrderLines(
  items: readonly OrderedItem[],
  offers: ReadonlyMap<string, Offer>,
  findHint: FindHint,
): { lines: OrderLine[]; faults: FieldError[] } {
  const lines: OrderLine[] = [];
  const faults: LineFault[] = [];
  for (const [index, item] of items.entries()) {
    const offer = offers.get(item.sku);
    const read = resolveItem(item, index, offer, findHint);
    if ('code' in read) faults.push(read);
    else
      lines.push({
        index,
        offer: offer!,
        quantity: item.quantity,
        lineTotal: offer!.price * item.quantity,
        metadata: item.metadata ?? null,
        ...read,
      });
  }
  return { lines, faults: limitKeys(faults) };
}

/** Checks the items of an order that is refused for other faults. */
export function itemFaults(
  items: Iterable<[index: number, item: OrderedItem]>,
  productOf: (sku: string) => WithVariations | undefined,
  findHint: FindHint,
): FieldError[] {
  const read = [...items].map(([index, item]) => resolveItem(item, index, productOf(item.sku), findHint));
  return limitKeys(read.filter((one) => 'code' in one));
}

function resolveItem(
  { sku, variation }: OrderedItem,
  index: number,
  product: WithVariations | undefined,
  findHint: FindHint,
): Pick<OrderLine, 'variationKey' | 'remark'> | LineFault {
  if (!product) return unknownSku(index, findHint(sku));
  if (product.variations.length === 0) return { variationKey: '', remark: variation ?? null };

  const validKeys = variationKeys(product.variations);
  const resolved = resolveVariation(product.variations, validKeys, variation ?? '');
  if ('key' in resolved) return { variationKey: resolved.key, remark: null };
  const fault = { field: `items[${index}].variation`, code: resolved.error };
  if ('readings' in resolved) {
    const { readings } = resolved;
    return {
      ...fault,
      message: `may mean ${readings.join(' or ')}; send one of these`,
      valid_keys: readings,
    };
  }
  const message =
    resolved.error === 'variation_required'
      ? 'is required for this product'
      : 'is not a variation of this product';
  return { ...fault, message, valid_keys: validKeys };
}

/** 100 wrong lines of products with hundreds of variations would make an answer of megabytes. */
function limitKeys(faults: LineFault[]): FieldError[] {
  let remainingKeys = MAX_LISTED_KEYS;
  return faults.map((fault) => {
    remainingKeys -= fault.valid_keys?.length ?? 0;
    return remainingKeys < 0 ? withoutKeys(fault) : fault;
  });
}

function withoutKeys({ valid_keys: _, ...fault }: LineFault): FieldError {
  return { ...fault, message: `${String(fault.message)}; GET /api/products/{sku} lists its variations` };
}

function unknownSku(index: number, hint: SkuHint): LineFault {
  const unknown = hint.inactive ? 'is the SKU of an inactive product' : 'is not the SKU of an active product';
  const message = hint.suggestion === undefined ? unknown : `${unknown}; did you mean ${hint.suggestion}?`;
  return { field: `items[${index}].sku`, code: 'unknown_sku', message, ...hint };
}
