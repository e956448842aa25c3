import { Injectable } from '@nestjs/common';
import type { ProductShelf } from './product-shelf.js';
import { SnapshotService } from '../snapshot/snapshot.service.js';
import type { SkuHint } from './sku-hint.js';
import { SkuIndex } from './sku-index.js';

/** How old an index gets at least: while a large catalog grows, making it over and over would hold up everything else. */
const INDEX_LIFETIME_MS = 60_000;

/** Says of an unknown SKU what became of it or what was meant by it. The index is made from the snapshot when first needed. */
@Injectable()
export class SkuSuggestions {
  private index: SkuIndex | undefined;
  private madeAt = 0;
  private madeOf = 0;

  constructor(private readonly snapshot: SnapshotService) {}

  /** Costs two look-ups, so that polls for what is no longer sold stay cheap. */
  hint(sku: string): SkuHint {
    const { shelf } = this.snapshot.current();
    if (shelf.isWithdrawn(sku)) return { inactive: true };
    const suggestion = this.current(shelf).find(sku);
    return suggestion !== undefined && shelf.find(suggestion) ? { suggestion } : {};
  }

  /** Of those that nobody can buy as far as this node knows; for what is for sale it costs a look-up each. */
  hintsFor(skus: readonly string[]): Map<string, SkuHint> {
    const { shelf } = this.snapshot.current();
    const unknown = skus.filter((sku) => !shelf.find(sku));
    return new Map(unknown.map((sku) => [sku, this.hint(sku)]));
  }

  /** Products that come and go change their number; those that exchange their SKUs are not worth a new index. */
  private current(shelf: ProductShelf): SkuIndex {
    const now = Date.now();
    const isOutdated = shelf.count !== this.madeOf && now - this.madeAt > INDEX_LIFETIME_MS;
    if (!this.index || isOutdated) {
      this.index = new SkuIndex(skusOn(shelf));
      this.madeAt = now;
      this.madeOf = shelf.count;
    }
    return this.index;
  }
}

function* skusOn(shelf: ProductShelf): Generator<string> {
  for (const { products } of shelf.chunks()) {
    for (const { sku } of products) yield sku;
  }
}
