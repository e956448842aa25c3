import type { Minor } from '../../platform/money/money.js';
import type { PlanView } from '../../read-model/products/plan-view.js';
import { stockQuantity, variationStocks, type ProductView } from '../../read-model/products/product-view.js';
import type { Variation } from '../../read-model/products/variations.js';

/** A product as the buyers of a plan see it. */
export interface ProductAtPrice {
  sku: string;
  name: string;
  description: string;
  category: string;
  images: readonly string[];
  price: Minor;
  /** Charged once for each order that has the product in it. */
  deliveryCharge: Minor;
  /** What can be sold now, of all variations together, and of each by its key. */
  stock: number;
  variations: readonly Variation[];
  variationStocks: Record<string, number>;
}

export function atPrice(product: ProductView, plan: PlanView): ProductAtPrice {
  return {
    sku: product.sku,
    name: product.name,
    description: product.description,
    category: product.category,
    images: product.images,
    price: plan.priceOf(product),
    deliveryCharge: product.deliveryCharge,
    stock: stockQuantity(product),
    variations: product.variations,
    variationStocks: variationStocks(product),
  };
}
