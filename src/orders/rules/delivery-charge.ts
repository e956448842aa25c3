import type { Minor } from '../../platform/money/money.js';

export type DeliveryLine = { productId: number; deliveryCharge: Minor };

export type Delivery = { total: Minor; perProduct: { productId: number; charge: Minor }[] };

/**
 * What an order pays for delivery: each distinct product's charge once, whatever its quantity or variations.
 * A wholesaler who charges otherwise replaces this function; nothing else knows the rule.
 */
export function deliveryCharge(lines: readonly DeliveryLine[]): Delivery {
  const charges = new Map(lines.map((line) => [line.productId, line.deliveryCharge]));
  const perProduct = Array.from(charges, ([productId, charge]) => ({ productId, charge }));
  return { total: perProduct.reduce((sum, product) => sum + product.charge, 0), perProduct };
}
