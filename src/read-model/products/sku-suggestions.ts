import { Injectable } from '@nestjs/common';
import type { ProductShelf } from './product-shelf.js';
import { SnapshotService } from '../snapshot/snapshot.service.js';
import { SkuIndex } from './sku-index.js';

/** How old an index gets at least: while a large catalog grows, making it over and over would hold up everything else. */
const INDEX_LIFETIME_MS = 60_000;

/** How many misspelt SKUs of one request are looked for in earnest. */
const SEARCHES = 3;

/** Names the active product that was meant by an unknown SKU. Made from the snapshot when first needed. */
@Injectable()
export class SkuSuggestions {
  private index: SkuIndex | undefined;
  private madeAt = 0;
  private madeOf = 0;

  constructor(private readonly snapshot: SnapshotService) {}

  /** The one that differs in case and punctuation alone. Costs a look-up, so that polls for what is no longer sold stay cheap. */
  alike(sku: string): string | undefined {
    return this.ifActive(this.current().findAlike(sku));
  }

  /** For the SKUs of one request: a list of nonsense must not cost more than a typing error. */
  forRequest(): (sku: string) => string | undefined {
    const searched = new Map<string, string | undefined>();
    return (sku) => {
      const alike = this.alike(sku);
      if (alike !== undefined) return alike;
      if (!searched.has(sku) && searched.size < SEARCHES) {
        searched.set(sku, this.ifActive(this.current().findNear(sku)));
      }
      return searched.get(sku);
    };
  }

  /** Products that come and go change their number; those that exchange their SKUs are not worth a new index. */
  private current(): SkuIndex {
    const { shelf } = this.snapshot.current();
    const now = Date.now();
    const isOutdated = shelf.count !== this.madeOf && now - this.madeAt > INDEX_LIFETIME_MS;
    if (!this.index || isOutdated) {
      this.index = new SkuIndex(skusOn(shelf));
      this.madeAt = now;
      this.madeOf = shelf.count;
    }
    return this.index;
  }

  private ifActive(sku: string | undefined): string | undefined {
    return sku !== undefined && this.snapshot.current().shelf.find(sku) ? sku : undefined;
  }
}

function* skusOn(shelf: ProductShelf): Generator<string> {
  for (const { products } of shelf.chunks()) {
    for (const { sku } of products) yield sku;
  }
}
