import type { ProductView } from '../read-model/products/product-view.js';
import type { ProductListQuery } from './product-list.query.js';
import { stockQuantity } from '../read-model/products/product-stock.js';

export type ProductFilter = Pick<ProductListQuery, 'category' | 'search' | 'in_stock'>;

/** Says of each product whether the caller asked for it. */
export function filterOf({
  category,
  search,
  in_stock: inStock,
}: ProductFilter): (product: ProductView) => boolean {
  const wantedCategory = category && new RegExp(`^${literally(category.trim())}$`, 'iu');
  const wantedText = search && new RegExp(literally(search.trim()), 'iu');
  return (product) =>
    (!wantedCategory || wantedCategory.test(product.category)) &&
    (!wantedText || wantedText.test(product.name) || wantedText.test(product.sku)) &&
    (inStock === undefined || stockQuantity(product) > 0 === inStock);
}

/**
 * A pattern for exactly this text. Patterns ignore case without a folded copy of each name, and making those is what a search
 * through many names would otherwise spend its time on.
 */
function literally(text: string): string {
  return text.replace(
    /[\\^$.*+?()[\]{}|/-]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
