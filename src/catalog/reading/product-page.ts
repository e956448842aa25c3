import { onePage } from '../../platform/lists/one-page.js';
import { lookThrough } from '../../read-model/lists/picked-part.js';
import { readCursor, writeCursor } from '../../read-model/lists/page-cursor.js';
import type { WholeList } from '../../read-model/lists/whole-list.js';
import type { PlanView } from '../../read-model/products/plan-view.js';
import type { ProductChunk } from '../../read-model/products/product-chunk.js';
import { stockQuantity, type ProductView } from '../../read-model/products/product-view.js';
import { literally } from './literally.js';
import type { ProductListQuery } from './product-list.query.js';

export interface ProductPage {
  /** As JSON, in pieces without what stands between them. */
  products: Buffer[];
  /** How many products match on all pages together. */
  total: number;
  /** Undefined on the last page. */
  nextCursor: string | undefined;
}

/** What one chunk has for the page. */
interface Look {
  matching: number;
  /** Those after the cursor. */
  found: ProductView[];
  /** All of them, where a page has no end. */
  written: Buffer | undefined;
}

/** The matching products after the cursor, which stays good when products come and go: it names an id, not a position. */
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

/** In pieces: however few products are wanted, all have to be looked at to say how many match. */
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

/** Chunk by chunk, and no chunk before it is wanted. */
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

/** Of such a page it is known how many match, and where it begins. */
function isUnfiltered({ category, search, in_stock: inStock }: ProductListQuery): boolean {
  return category === undefined && search === undefined && inStock === undefined;
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
