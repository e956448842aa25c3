import type { Variation } from '../../catalog/variations.js';
import type { Minor } from '../../money/money.js';

/** An active product at the price of the caller's plan, as read in the transaction that orders it. */
export interface Offer {
  productId: number;
  sku: string;
  name: string;
  price: Minor;
  deliveryCharge: Minor;
  variations: Variation[];
}
