import { readCursor, writeCursor } from '../../read-model/lists/page-cursor.js';
import type { ProductShelf } from '../../read-model/products/product-shelf.js';
import { stockQuantity } from '../../read-model/products/product-stock.js';
import type { ProductView } from '../../read-model/products/product-view.js';
import type { ProductListQuery } from './product-list.query.js';

export interface ProductPage {
  products: ProductView[];
  /** How many products match on all pages together. */
  total: number;
  /** Undefined on the last page. */
  nextCursor: string | undefined;
}

/** The matching products after the cursor, which stays good when products come and go: it names an id, not a position. */
export function pageOf(shelf: ProductShelf, query: ProductListQuery): ProductPage {
  const { limit = Infinity, cursor } = query;
  const matches = filterOf(query);
  const after = (cursor === undefined ? undefined : readCursor(cursor)) ?? -Infinity;
  const products: ProductView[] = [];
  let total = 0;
  let hasMore = false;
  for (const chunk of shelf.chunks()) {
    for (const product of chunk.products) {
      if (!matches(product)) continue;
      total++;
      if (product.id <= after) continue;
      if (products.length < limit) products.push(product);
      else hasMore = true;
    }
  }
  return { products, total, nextCursor: hasMore ? writeCursor(products.at(-1)!.id) : undefined };
}

/** Says of each product whether the caller asked for it. */
function filterOf({ category, search, in_stock: inStock }: ProductListQuery) {
  const wantedCategory = category && new RegExp(`^${literally(category.trim())}$`, 'iu');
  const wantedText = search && new RegExp(literally(search.trim()), 'iu');
  return (product: ProductView) =>
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
