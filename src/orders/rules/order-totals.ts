import type { Minor } from '../../platform/money/money.js';
import { deliveryCharge } from './delivery-charge.js';
import type { OrderLine } from './order-lines.js';

export interface OrderTotals {
  subtotal: Minor;
  delivery: Minor;
  deliveryPerProduct: { productId: number; charge: Minor }[];
  total: Minor;
}

/** The money rule: sum of price × quantity, plus delivery. */
export function orderTotals(lines: readonly OrderLine[]): OrderTotals {
  const subtotal = lines.reduce((sum, { lineTotal }) => sum + lineTotal, 0);
  const delivery = deliveryCharge(lines.map(({ offer }) => offer));
  return {
    subtotal,
    delivery: delivery.total,
    deliveryPerProduct: delivery.perProduct,
    total: subtotal + delivery.total,
  };
}
