import type { Variation } from '../../read-model/products/variations.js';
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
