import { Inject, Injectable } from '@nestjs/common';
import type { Representation } from '../http/representation.js';
import { SmallRepresentation } from '../http/small-representation.js';
import { TransientRepresentation } from '../http/transient-representation.js';
import { changesSince } from '../product-list/product-changes.js';
import { resumeFrom, syncTokenOf } from '../product-list/sync-point.js';
import { WholeLists } from '../product-list/whole-lists.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import type { PlanView } from '../snapshot/plan-view.js';
import type { ProductView } from '../snapshot/product-view.js';
import { SnapshotService } from '../snapshot/snapshot.service.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import { catalogForm } from './catalog-form.js';
import { findProduct } from './find-product.js';
import type { ProductItemResponse } from './product-item.response.js';
import type { ProductListQuery } from './product-list.query.js';
import type { ProductListResponse } from './product-list.response.js';
import { pageOf } from './product-page.js';
import { SkuSuggestions } from './sku-suggestions.js';
import { toProductItem, toProductResponse } from './product.mapper.js';

@Injectable()
export class CatalogService {
  private readonly currency: string;
  private readonly wholeLists: WholeLists<PlanView>;

  constructor(
    private readonly snapshot: SnapshotService,
    private readonly suggestions: SkuSuggestions,
    @Inject(SETTINGS) { currency }: Settings,
  ) {
    this.currency = currency;
    this.wholeLists = new WholeLists(catalogForm(currency));
  }

  one(plan: PlanView, sku: string): Representation {
    const product = findProduct(this.snapshot.current(), sku, this.suggestions);
    return product.remember(
      plan.id,
      () => new SmallRepresentation(toProductResponse(product, plan, this.currency)),
    );
  }

  list(plan: PlanView, query: ProductListQuery): Representation | Promise<Representation> {
    if (query.since !== undefined) return this.changes(plan, query.since);
    const state = this.snapshot.current();
    if (Object.values(query).every((value) => value === undefined)) return this.wholeLists.of(state, plan);
    return this.partOf(state, plan, query, () => this.page(state, plan, query));
  }

  private async changes(plan: PlanView, since: string): Promise<Representation> {
    const { state, stamp } = await resumeFrom(this.snapshot, since, plan);
    return this.partOf(state, plan, { since }, () => {
      const { changed, removed } = changesSince(state, stamp, plan);
      const data = this.items(changed, plan);
      return { status: true, total: data.length, data, removed, sync_token: syncTokenOf(state, plan) };
    });
  }

  private page(state: SnapshotState, plan: PlanView, query: ProductListQuery): ProductListResponse {
    const { products, total, nextCursor } = pageOf(state.shelf, query);
    return {
      status: true,
      total,
      data: this.items(products, plan),
      ...(nextCursor !== undefined && { next_cursor: nextCursor }),
      ...(isFirstUnfiltered(query) && { sync_token: syncTokenOf(state, plan) }),
    };
  }

  private items(products: ProductView[], plan: PlanView): ProductItemResponse[] {
    return products.map((product) => toProductItem(product, plan, this.currency));
  }

  /** A part of the whole list can have changed only if that did. */
  private partOf(
    state: SnapshotState,
    plan: PlanView,
    query: ProductListQuery,
    makeBody: () => ProductListResponse,
  ): Representation {
    const whole = this.wholeLists.of(state, plan);
    return new TransientRepresentation(() => JSON.stringify([whole.fingerprint(), query]), makeBody);
  }
}

/** The token of a later page would miss what changed on earlier pages since they were read. */
function isFirstUnfiltered({ cursor, category, search, in_stock: inStock }: ProductListQuery): boolean {
  return cursor === undefined && category === undefined && search === undefined && inStock === undefined;
}
