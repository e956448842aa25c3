import { Injectable } from '@nestjs/common';
import { SnapshotService } from '../snapshot/snapshot.service.js';
import { SkuIndex } from './sku-index.js';

/** SKUs come and go rarely, counts change all the time: an index is worth keeping although the shelf has changed. */
const INDEX_LIFETIME_MS = 60_000;

/** How many misspelt SKUs of one request are looked for in earnest. */
const SEARCHES = 3;

/** Names the active product that was meant by an unknown SKU. Made from the snapshot when first needed. */
@Injectable()
export class SkuSuggestions {
  private index: SkuIndex | undefined;
  private madeAt = 0;

  constructor(private readonly snapshot: SnapshotService) {}

  /** For the SKUs of one request: a list of nonsense must not cost more than a typing error. */
  forRequest(): (sku: string) => string | undefined {
    const searched = new Map<string, string | undefined>();
    return (sku) => {
      const alike = this.ifActive(this.current().findAlike(sku));
      if (alike !== undefined) return alike;
      if (!searched.has(sku) && searched.size < SEARCHES) {
        searched.set(sku, this.ifActive(this.current().findNear(sku)));
      }
      return searched.get(sku);
    };
  }

  private current(): SkuIndex {
    const now = Date.now();
    if (!this.index || now - this.madeAt > INDEX_LIFETIME_MS) {
      this.index = new SkuIndex(this.skus());
      this.madeAt = now;
    }
    return this.index;
  }

  private *skus(): Generator<string> {
    for (const { products } of this.snapshot.current().shelf.chunks()) {
      for (const { sku } of products) yield sku;
    }
  }

  private ifActive(sku: string | undefined): string | undefined {
    return sku !== undefined && this.snapshot.current().shelf.find(sku) ? sku : undefined;
  }
}
