import { readCursor, writeCursor } from '../read-model/lists/page-cursor.js';
import type { ProductShelf } from '../read-model/products/product-shelf.js';
import type { ProductView } from '../read-model/products/product-view.js';
import { filterOf } from './product-filter.js';
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
