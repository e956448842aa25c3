import { Inject, Injectable } from '@nestjs/common';
import { OwnAddress } from '../../platform/http/own-address.js';
import type { Representation } from '../../platform/http/representation.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import type { PlanView } from '../../read-model/products/plan-view.js';
import { ProductAnswers } from '../../read-model/products/product-answers.js';
import type { ProductView } from '../../read-model/products/product-view.js';
import { SkuSuggestions, findProduct } from '../../read-model/products/sku-suggestions.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { ListChanges } from '../../read-model/synced-lists/list-changes.js';
import { ListPart } from '../../read-model/synced-lists/list-part.js';
import { type ListForm, withCommas } from '../../read-model/synced-lists/list-pieces.js';
import { type PickedPart, searchChunks } from '../../read-model/synced-lists/picked-part.js';
import { RecentBodies } from '../../read-model/synced-lists/recent-bodies.js';
import { resumeFrom } from '../../read-model/synced-lists/sync-point.js';
import { type WholeList, WholeLists } from '../../read-model/synced-lists/whole-list.js';
import type { ProductListQuery, CategoryListResponse, CategoryResponse } from './catalog.dto.js';
import { findProductPage } from './product-page.js';
import { type CatalogForms, catalogForms, pageTail, toProductResponse } from './product.mapper.js';

/** Categories are derived from the list, like a part of it. */
const CATEGORIES = ['categories'];

@Injectable()
export class CatalogService {
  private readonly currency: string;
  private madeForms: CatalogForms | undefined;
  private readonly wholeLists = new WholeLists<PlanView>();
  private readonly bodies = new RecentBodies();
  private readonly answers = new ProductAnswers();

  constructor(
    private readonly snapshot: SnapshotService,
    private readonly suggestions: SkuSuggestions,
    private readonly own: OwnAddress,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.currency = settings.currency;
  }

  /** The address of the service is known once it listens. */
  private get forms(): CatalogForms {
    return (this.madeForms ??= catalogForms(this.currency, this.own.publicUrl, this.settings.publicUrl));
  }

  one(plan: PlanView, sku: string): Representation {
    const product = findProduct(this.snapshot.current(), sku, this.suggestions);
    const origin = this.own.publicUrl;
    return this.answers.of(
      product,
      plan,
      () => toProductResponse(product, plan, this.currency, origin),
      origin,
    );
  }

  list(plan: PlanView, query: ProductListQuery): Representation | Promise<Representation> {
    const form = this.forms(query.expand);
    if (query.since !== undefined) return this.changes(plan, query.since, form);
    const list = this.wholeLists.listFor(this.snapshot.current(), plan, form);
    const { limit, cursor, category, search, in_stock: inStock } = query;
    const filters = [limit, cursor, category?.trim(), search?.trim(), inStock];
    if (filters.every((value) => value === undefined)) return list;
    return list.part(query, () => new ListPart(list, filters, this.bodies, () => this.page(list, query)));
  }

  categories(plan: PlanView): Representation {
    const list = this.wholeLists.listFor(this.snapshot.current(), plan, this.forms());
    return list.part(CATEGORIES, () => new ListPart(list, CATEGORIES, this.bodies, () => categoriesIn(list)));
  }

  private async changes(plan: PlanView, since: string, form: ListForm<PlanView>): Promise<Representation> {
    const { state, changeVersion } = await resumeFrom(this.snapshot, since, plan);
    return new ListChanges(this.wholeLists.listFor(state, plan, form), changeVersion, this.bodies);
  }

  private *page(list: WholeList<PlanView>, query: ProductListQuery): Generator<void, PickedPart> {
    const { products, total, nextCursor } = yield* findProductPage(list, query);
    const isPaged = query.limit !== undefined || query.cursor !== undefined;
    const end = {
      next_cursor: nextCursor,
      has_more: isPaged ? nextCursor !== undefined : undefined,
      sync_token: isFirstUnfiltered(query) ? list.syncToken() : undefined,
    };
    const json = [Buffer.from(list.form.head(total)), ...withCommas(products), Buffer.from(pageTail(end))];
    return { json };
  }
}

/** With the token of a later page, a client would miss newer changes on earlier pages. */
function isFirstUnfiltered({ cursor, category, search, in_stock: inStock }: ProductListQuery): boolean {
  return cursor === undefined && category === undefined && search === undefined && inStock === undefined;
}

/**
 * Names that differ only in case are one category, as `category` of the list takes them. It is named as its
 * first product names it.
 */
type Categories = Map<string, CategoryResponse>;

/** The categories of all products in the list, by name. */
export function* categoriesIn({ state: { productIndex } }: WholeList<PlanView>): Generator<void, PickedPart> {
  const chunks = yield* searchChunks(
    () => productIndex.chunks(),
    (chunk) => chunk,
    ({ products }) => categoriesOf(products),
  );
  const all: Categories = new Map();
  for (const chunk of chunks) for (const { name, products } of chunk.values()) add(all, name, products);
  const data = [...all.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  const body: CategoryListResponse = { success: true, total: data.length, data };
  return { json: [Buffer.from(JSON.stringify(body))] };
}

function categoriesOf(products: readonly ProductView[]): Categories {
  const categories: Categories = new Map();
  for (const { category } of products) if (category !== '') add(categories, category, 1);
  return categories;
}

function add(categories: Categories, name: string, products: number): void {
  const key = name.toLowerCase();
  const existing = categories.get(key);
  if (existing) existing.products += products;
  else categories.set(key, { name, products });
}
