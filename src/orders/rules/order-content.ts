import { createHash } from 'node:crypto';
import type { OrderedItem } from './order-lines.js';

interface OrderContent {
  customer?: { name: string; phone: string; email?: string };
  shipping?: { address: string; city: string; state: string; pincode: string; country?: string };
  items: readonly OrderedItem[];
  notes?: string;
}

/**
 * Requests with the same hash ask for the same order. JSON leaves out absent fields, so a new optional field
 * keeps the hashes of stored orders. A quote without a customer equals no order.
 */
export function contentHash({ customer, shipping, items, notes }: OrderContent): Buffer {
  const content = {
    customer: customer && { name: customer.name, phone: customer.phone, email: customer.email },
    shipping: shipping && {
      address: shipping.address,
      city: shipping.city,
      state: shipping.state,
      pincode: shipping.pincode,
      country: shipping.country ?? 'India',
    },
    items: items.map(({ sku, quantity, variation }) => ({ sku, quantity, variation })),
    notes,
  };
  return createHash('sha256').update(JSON.stringify(content)).digest();
}
