import { createHash } from 'node:crypto';
import type { CreateOrderRequest } from './create-order.request.js';

/** What was ordered, as a hash: two requests with the same one ask for the same. */
export function contentHash({ customer, shipping, items, notes }: CreateOrderRequest): Buffer {
  const content = [
    [customer.name, customer.phone, customer.email],
    [shipping.address, shipping.city, shipping.state, shipping.pincode, shipping.country ?? 'India'],
    items.map(({ sku, quantity, variation }) => [sku, quantity, variation]),
    notes,
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}
