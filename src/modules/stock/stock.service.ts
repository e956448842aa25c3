import { Injectable } from '@nestjs/common';
import type { Representation } from '../../platform/http/representation.js';
import { ListChanges } from '../../read-model/synced-lists/list-changes.js';
import { ListPart } from '../../read-model/synced-lists/list-part.js';
import type { PickedPart } from '../../read-model/synced-lists/picked-part.js';
import { RecentBodies } from '../../read-model/synced-lists/recent-bodies.js';
import { resumeFrom } from '../../read-model/synced-lists/sync-point.js';
import { type WholeList, WholeLists } from '../../read-model/synced-lists/whole-list.js';
import type { ProductIndex } from '../../read-model/products/product-index.js';
import { ProductAnswers } from '../../read-model/products/product-answers.js';
import type { ProductView } from '../../read-model/products/product-view.js';
import { SkuSuggestions, findProduct } from '../../read-model/products/sku-suggestions.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import type { SentList } from '../../platform/validation/read-query.js';
import type { StockListQuery, StockListResponse, StockResponse } from './stock.dto.js';
import { STOCK_FORM, toStockRecord } from './stock.mapper.js';

@Injectable()
export class StockService {
  private readonly wholeLists = new WholeLists<undefined>();
  private readonly bodies = new RecentBodies();
  private readonly answers = new ProductAnswers();

  constructor(
    private readonly snapshot: SnapshotService,
    private readonly suggestions: SkuSuggestions,
  ) {}

  one(sku: string): Representation {
    const product = findProduct(this.snapshot.current(), sku, this.suggestions);
    const answer = (): StockResponse => ({ success: true, ...toStockRecord(product) });
    return this.answers.of(product, undefined, answer);
  }

  list(query: StockListQuery): Representation | Promise<Representation> {
    const { skus, since } = query;
    if (since !== undefined) return this.changes(since);
    const list = this.wholeLists.listFor(this.snapshot.current(), undefined, STOCK_FORM);
    if (skus === undefined) return list;
    return list.part(query, () => new ListPart(list, [skus], this.bodies, () => this.selected(list, skus)));
  }

  private async changes(since: string): Promise<Representation> {
    const { state, changeVersion } = await resumeFrom(this.snapshot, since, undefined);
    return new ListChanges(this.wholeLists.listFor(state, undefined, STOCK_FORM), changeVersion, this.bodies);
  }

  /** Needs no pause: the list is short. */
  private *selected(list: WholeList<undefined>, skus: SentList): Generator<void, PickedPart> {
    yield;
    const { products, unknown } = selectProducts(list.state.productIndex, skus);
    const hints = [...this.suggestions.hintsFor(unknown)]
      .map(([sku, hint]) => ({ sku, ...hint }))
      .filter((hint) => Object.keys(hint).length > 1);
    const body: StockListResponse = {
      success: true,
      total: products.length,
      data: products.map(toStockRecord),
      unknown,
      ...(hints.length > 0 && { hints }),
      sync_token: list.syncToken(),
    };
    return { json: [Buffer.from(JSON.stringify(body))] };
  }
}

interface Selection {
  products: ProductView[];
  unknown: string[];
}

/** Keeps the order of the request. A SKU may contain a comma: a text that is a SKU is not split. */
function selectProducts(index: ProductIndex, { whole, names }: SentList): Selection {
  const skus = whole !== undefined && index.find(whole) ? [whole] : new Set(names);
  const selection: Selection = { products: [], unknown: [] };
  for (const sku of skus) {
    const product = index.find(sku);
    if (product) selection.products.push(product);
    else if (sku !== '') selection.unknown.push(sku);
  }
  return selection;
}
