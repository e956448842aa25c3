import { readCursor, writeCursor } from '../product-list/page-cursor.js';
import type { ProductView } from '../snapshot/product-view.js';

export interface ProductPage {
  products: ProductView[];
  /** Undefined on the last page. */
  nextCursor: string | undefined;
}

/** The products after the cursor, which stays good when products come and go: it names an id, not a position. */
export function pageOf(
  matching: ProductView[],
  limit: number | undefined,
  cursor: string | undefined,
): ProductPage {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const found = after === undefined ? 0 : matching.findIndex(({ id }) => id > after);
  const start = found < 0 ? matching.length : found;
  const products = matching.slice(start, limit === undefined ? undefined : start + limit);
  const isLast = start + products.length >= matching.length;
  return { products, nextCursor: isLast ? undefined : writeCursor(products.at(-1)!.id) };
}
