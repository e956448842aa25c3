import { createHash } from 'node:crypto';
import type { OrderedItem } from './order-lines.js';
import { nest, type OrderFieldsRequest, sentOrderFields } from './order-fields.js';

/**
 * Requests with the same hash ask for the same order. JSON leaves out absent fields, so a new optional field
 * keeps the hashes of stored orders. A quote without a customer equals no order.
 */
export function contentHash(request: OrderFieldsRequest & { items: readonly OrderedItem[] }): Buffer {
  const { customer, shipping, ...others } = nest(sentOrderFields(request));
  const items = request.items.map(({ sku, quantity, variation }) => ({ sku, quantity, variation }));
  const content = { customer, shipping, items, ...others };
  return createHash('sha256').update(JSON.stringify(content)).digest();
}
