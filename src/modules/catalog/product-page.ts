import { onePage } from '../../platform/lists/bounded-lists.js';
import { readCursor, writeCursor } from '../../read-model/synced-lists/page-cursor.js';
import { lookThrough } from '../../read-model/synced-lists/picked-part.js';
import type { WholeList } from '../../read-model/synced-lists/whole-list.js';
import type { PlanView } from '../../read-model/products/plan-view.js';
import type { ProductChunk } from '../../read-model/products/product-chunk.js';
import { type ProductView, stockQuantity } from '../../read-model/products/product-view.js';
import type { ProductListQuery } from './catalog.dto.js';
import { literally } from './product-matcher.js';

export interface ProductPage {
  /** JSON in pieces, without the separators. */
  products: Buffer[];
  /** The number of matches on all pages. */
  total: number;
  /** Undefined on the last page. */
  nextCursor: string | undefined;
}

/** The matches of one chunk. */
interface Look {
  matching: number;
  /** The matches after the cursor. */
  found: ProductView[];
  /** Set if the page has no limit. */
  written: Buffer | undefined;
}

/**
 * The matches after the cursor. A cursor is an id, not a position: it stays correct when products come and
 * go.
 */
export function* pageOf(list: WholeList<PlanView>, query: ProductListQuery): Generator<void, ProductPage> {
  const { limit = Infinity, cursor } = query;
  const after = (cursor === undefined ? undefined : readCursor(cursor)) ?? -Infinity;
  if (isUnfiltered(query) && limit !== Infinity) {
    const found = firstOf(limit + 1, productsAfter(after, list.chunks()));
    return write(list, found, limit, list.state.shelf.count);
  }
  const looks = yield* lookAtAll(list, query, after);
  const total = looks.reduce((sum, { matching }) => sum + matching, 0);
  if (limit === Infinity) {
    return { products: looks.flatMap(({ written }) => written ?? []), total, nextCursor: undefined };
  }
  const found = firstOf(
    limit + 1,
    looks.map((look) => look.found),
  );
  return write(list, found, limit, total);
}

/** The total needs a look at all products. In pieces, so that no other request waits long. */
function lookAtAll(
  list: WholeList<PlanView>,
  query: ProductListQuery,
  after: number,
): Generator<void, Look[]> {
  const matches = filterOf(query);
  return lookThrough(
    () => list.chunks(),
    (chunk) => list.versionOf(chunk),
    ({ products }: ProductChunk): Look => {
      const matching = products.filter(matches);
      const found = matching.filter(({ id }) => id > after);
      const written = query.limit === undefined && found.length > 0 ? list.write(found) : undefined;
      return { matching: matching.length, found, written };
    },
  );
}

/** Lazy: a later chunk is read only if it is needed. */
function* productsAfter(id: number, chunks: readonly ProductChunk[]): Generator<readonly ProductView[]> {
  for (const { products } of chunks) {
    if (products.at(-1)!.id > id) yield products.filter((product) => product.id > id);
  }
}

function firstOf(most: number, groups: Iterable<readonly ProductView[]>): ProductView[] {
  const products: ProductView[] = [];
  for (const group of groups) {
    products.push(...group);
    if (products.length >= most) break;
  }
  return products.slice(0, most);
}

function write(
  list: WholeList<PlanView>,
  found: readonly ProductView[],
  limit: number,
  total: number,
): ProductPage {
  const { rows, last } = onePage(found, limit);
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

function filterOf({ category, search, in_stock: inStock }: ProductListQuery) {
  const wantedCategory = category && new RegExp(`^${literally(category.trim())}$`, 'iu');
  const wantedText = search && new RegExp(literally(search.trim()), 'iu');
  return (product: ProductView) =>
    (!wantedCategory || wantedCategory.test(product.category)) &&
    (!wantedText || wantedText.test(product.name) || wantedText.test(product.sku)) &&
    (inStock === undefined || stockQuantity(product) > 0 === inStock);
}
