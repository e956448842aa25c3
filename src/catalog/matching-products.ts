import type { ProductView } from '../snapshot/product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import type { ProductListQuery } from './product-list.query.js';
import { stockQuantity } from './product-stock.js';

export type ProductFilter = Pick<ProductListQuery, 'category' | 'search' | 'in_stock'>;

/** The active products that the filter matches, in the order of their ids. */
export function matchingProducts({ shelf }: SnapshotState, filter: ProductFilter): ProductView[] {
  const matches = matcherOf(filter);
  return shelf.chunks().flatMap(({ products }) => products.filter(matches));
}

function matcherOf({
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

/** Without allocating a folded copy of each name, which is what searching many of them would otherwise spend its time on. */
function literally(text: string): string {
  return text.replace(
    /[\\^$.*+?()[\]{}|/-]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
