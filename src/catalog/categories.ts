import type { PlanView } from '../read-model/products/plan-view.js';
import type { ProductView } from '../read-model/products/product-view.js';
import { lookThrough, type PickedPart } from '../read-model/synced-lists/picked-part.js';
import type { WholeList } from '../read-model/synced-lists/whole-list.js';
import type { CategoryListResponse, CategoryResponse } from './catalog.dto.js';

/**
 * Names that differ only in case are one category, as `category` of the list takes them. It is named as its
 * first product names it.
 */
type Categories = Map<string, CategoryResponse>;

/** The categories of all products in the list, by name. */
export function* categoriesIn({ state: { shelf } }: WholeList<PlanView>): Generator<void, PickedPart> {
  const chunks = yield* lookThrough(
    () => shelf.chunks(),
    ({ version }) => version,
    ({ products }) => categoriesOf(products),
  );
  const all: Categories = new Map();
  for (const chunk of chunks) for (const { name, products } of chunk.values()) add(all, name, products);
  const data = [...all.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const body: CategoryListResponse = { success: true, total: data.length, data };
  return { json: [Buffer.from(JSON.stringify(body))], looked: shelf.count };
}

function categoriesOf(products: readonly ProductView[]): Categories {
  const categories: Categories = new Map();
  for (const { category } of products) if (category !== '') add(categories, category, 1);
  return categories;
}

function add(categories: Categories, name: string, products: number): void {
  const key = name.toLowerCase();
  const known = categories.get(key);
  if (known) known.products += products;
  else categories.set(key, { name, products });
}
