import type { ProductView } from './product-view.js';
import { variationKeys } from './variations.js';

/** What can be sold of each variation, in the order of the product's variations; nothing for a product without any. */
export function variationStocks(product: ProductView): Record<string, number> {
  if (product.variations.length === 0) return {};
  const available = new Map(product.stock.map((item) => [item.key, item.available]));
  return Object.fromEntries(variationKeys(product.variations).map((key) => [key, available.get(key) ?? 0]));
}

/** What can be sold of all variations together. */
export function stockQuantity(product: ProductView): number {
  product.quantity ??= countStock(product);
  return product.quantity;
}

function countStock(product: ProductView): number {
  if (product.variations.length === 0) return product.stock.find(({ key }) => key === '')?.available ?? 0;
  return Object.values(variationStocks(product)).reduce((sum, available) => sum + available, 0);
}
