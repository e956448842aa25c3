import type { Minor } from '../../../platform/money/money.js';

type DeliveryLine = { productId: number; deliveryCharge: Minor };

export type DeliveryTotal = { total: Minor; perProduct: { productId: number; charge: Minor }[] };

/**
 * The delivery charge of each distinct product once, for any quantity and variations. Replace this
 * function for another rule; no other code knows it.
 */
export function deliveryCharge(lines: readonly DeliveryLine[]): DeliveryTotal {
  const charges = new Map(lines.map((line) => [line.productId, line.deliveryCharge]));
  const perProduct = Array.from(charges, ([productId, charge]) => ({ productId, charge }));
  return { total: perProduct.reduce((sum, product) => sum + product.charge, 0), perProduct };
}
