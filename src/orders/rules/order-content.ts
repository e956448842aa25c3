import { createHash } from 'node:crypto';
import type { OrderedItem } from './order-lines.js';

interface OrderContent {
  customer?: { name: string; phone: string; email?: string };
  shipping?: { address: string; city: string; state: string; pincode: string; country?: string };
  items: readonly OrderedItem[];
  notes?: string;
}

/**
 * What was ordered, as a hash: two requests with the same one ask for the same. A quote may lack its customer, and then asks for
 * what no order does.
 */
export function contentHash({ customer, shipping, items, notes }: OrderContent): Buffer {
  const content = [
    customer && [customer.name, customer.phone, customer.email],
    shipping && [
      shipping.address,
      shipping.city,
      shipping.state,
      shipping.pincode,
      shipping.country ?? 'India',
    ],
    items.map(({ sku, quantity, variation }) => [sku, quantity, variation]),
    notes,
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest();
}
