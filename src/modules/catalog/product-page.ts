import { onePage } from '../../platform/lists/bounded-lists.js';
import { readCursor, writeCursor } from '../../read-model/synced-lists/page-cursor.js';
import { searchChunks } from '../../read-model/synced-lists/picked-part.js';
import type { WholeList } from '../../read-model/synced-lists/whole-list.js';
import type { PlanView } from '../../read-model/products/plan-view.js';
import type { ProductChunk } from '../../read-model/products/product-chunk.js';
import type { ProductView } from '../../read-model/products/product-view.js';
import type { ProductListQuery } from './catalog.dto.js';
import { escapePattern } from './product-matcher.js';

export interface ProductPage {
  /** JSON in pieces, without the separators. */
  products: Buffer[];
  /** The number of matches on all pages. */
  total: number;
  /** Undefined on the last page. */
  nextCursor: string | undefined;
}

/** The matches of one chunk. */
interface ChunkResult {
  matching: number;
  /** The matches after the cursor. */
  afterCursor: ProductView[];
  /** Set if the page has no limit. */
  written: Buffer | undefined;
}

/**
 * The matches after the cursor. A cursor is an id, not a position: it stays correct when products come and
 * go.
 */
export function* findProductPage(
  list: WholeList<PlanView>,
  query: ProductListQuery,
): Generator<void, ProductPage> {
  const { limit = Infinity, cursor } = query;
  const after = (cursor === undefined ? undefined : readCursor(cursor)) ?? -Infinity;
  if (isUnfiltered(query) && limit !== Infinity) {
    const products = takeFirst(limit + 1, productsAfter(after, list.chunks()));
    return toProductPage(list, products, limit, list.state.productIndex.count);
  }
  const results = yield* searchAllProducts(list, query, after);
  const total = results.reduce((sum, { matching }) => sum + matching, 0);
  if (limit === Infinity) {
    return { products: results.flatMap(({ written }) => written ?? []), total, nextCursor: undefined };
  }
  const products = takeFirst(
    limit + 1,
    results.map((result) => result.afterCursor),
  );
  return toProductPage(list, products, limit, total);
}

/** The total needs a look at all products. In pieces, so that no other request waits long. */
function searchAllProducts(
  list: WholeList<PlanView>,
  query: ProductListQuery,
  after: number,
): Generator<void, ChunkResult[]> {
  const matches = createQueryMatcher(query);
  return searchChunks(
    () => list.chunks(),
    (chunk) => list.stateOf(chunk),
    ({ products }: ProductChunk): ChunkResult => {
      const matching = products.filter(matches);
      const afterCursor = matching.filter(({ id }) => id > after);
      const written =
        query.limit === undefined && afterCursor.length > 0 ? list.write(afterCursor) : undefined;
      return { matching: matching.length, afterCursor, written };
    },
  );
}

/** Lazy: a later chunk is read only if it is needed. */
function* productsAfter(id: number, chunks: readonly ProductChunk[]): Generator<readonly ProductView[]> {
  for (const { products } of chunks) {
    if (products.at(-1)!.id > id) yield products.filter((product) => product.id > id);
  }
}

function takeFirst(limit: number, groups: Iterable<readonly ProductView[]>): ProductView[] {
  const products: ProductView[] = [];
  for (const group of groups) {
    products.push(...group);
    if (products.length >= limit) break;
  }
  return products.slice(0, limit);
}

function toProductPage(
  list: WholeList<PlanView>,
  products: readonly ProductView[],
  limit: number,
  total: number,
): ProductPage {
  const { rows, last } = onePage(products, limit);
  return {
    products: rows.length > 0 ? [list.write(rows)] : [],
    total,
    nextCursor: last && writeCursor(last.id),
  };
}

/** Without a filter, the total and the first product are known without a search. */
function isUnfiltered({ category, search, in_stock: inStock }: ProductListQuery): boolean {
  return category === undefined && search === undefined && inStock === undefined;
}

function createQueryMatcher({ category, search, in_stock: inStock }: ProductListQuery) {
  const categoryPattern = category && new RegExp(`^${escapePattern(category.trim())}$`, 'iu');
  const textPattern = search && new RegExp(escapePattern(search.trim()), 'iu');
  return (product: ProductView) =>
    (!categoryPattern || categoryPattern.test(product.category)) &&
    (!textPattern || textPattern.test(product.name) || textPattern.test(product.sku)) &&
    (inStock === undefined || product.quantity > 0 === inStock);
}
