import { Injectable } from '@nestjs/common';
import { findProduct } from '../catalog/find-product.js';
import { SkuSuggestions } from '../catalog/sku-suggestions.js';
import type { Representation } from '../http/representation.js';
import { SmallRepresentation } from '../http/small-representation.js';
import { TransientRepresentation } from '../http/transient-representation.js';
import { changesSince } from '../product-list/product-changes.js';
import { resumeFrom, syncTokenOf } from '../product-list/sync-point.js';
import { WholeLists } from '../product-list/whole-lists.js';
import type { ProductView } from '../snapshot/product-view.js';
import { SnapshotService } from '../snapshot/snapshot.service.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import { selectProducts } from './select-products.js';
import { STOCK_FORM } from './stock-form.js';
import type { StockListQuery } from './stock-list.query.js';
import type { StockListResponse } from './stock-list.response.js';
import { toStockRecord } from './stock.mapper.js';
import type { StockResponse } from './stock.response.js';

/** Under which a product's stock answer is kept, beside its answers for plans, whose ids begin with 1. */
const STOCK_ANSWER = 0;

@Injectable()
export class StockService {
  private readonly wholeLists = new WholeLists(STOCK_FORM);

  constructor(
    private readonly snapshot: SnapshotService,
    private readonly suggestions: SkuSuggestions,
  ) {}

  one(sku: string): Representation {
    const product = findProduct(this.snapshot.current(), sku, this.suggestions);
    return product.remember(STOCK_ANSWER, () => new SmallRepresentation(answerOf(product)));
  }

  list({ skus, since }: StockListQuery): Representation | Promise<Representation> {
    if (since !== undefined) return this.changes(since);
    const state = this.snapshot.current();
    return skus === undefined ? this.wholeLists.of(state, undefined) : this.selected(state, skus);
  }

  private async changes(since: string): Promise<Representation> {
    const { state, stamp } = await resumeFrom(this.snapshot, since, undefined);
    return this.partOf(state, { since }, () => {
      const { changed, removed } = changesSince(state, stamp, undefined);
      const data = changed.map(toStockRecord);
      return {
        success: true,
        total: data.length,
        data,
        unknown: [],
        removed,
        sync_token: syncTokenOf(state, undefined),
      };
    });
  }

  private selected(state: SnapshotState, skus: string | string[]): Representation {
    return this.partOf(state, { skus }, () => {
      const { products, unknown } = selectProducts(state.shelf, skus);
      return {
        success: true,
        total: products.length,
        data: products.map(toStockRecord),
        unknown,
        sync_token: syncTokenOf(state, undefined),
      };
    });
  }

  /** A part of the whole list can have changed only if that did. */
  private partOf(
    state: SnapshotState,
    query: StockListQuery,
    makeBody: () => StockListResponse,
  ): Representation {
    const whole = this.wholeLists.of(state, undefined);
    return new TransientRepresentation(() => JSON.stringify([whole.fingerprint(), query]), makeBody);
  }
}

function answerOf(product: ProductView): StockResponse {
  return { success: true, ...toStockRecord(product) };
}
