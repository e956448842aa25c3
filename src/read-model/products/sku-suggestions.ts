import { Injectable } from '@nestjs/common';
import { inPieces } from '../../platform/piecework/in-pieces.js';
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

  /** For the unknown SKUs of one request, in pieces: a list of nonsense must not cost more than a typing error. */
  async forUnknown(skus: readonly string[]): Promise<Map<string, string>> {
    return skus.length > 0 ? inPieces(this.look(skus)) : new Map();
  }

  private *look(skus: readonly string[]): Generator<void, Map<string, string>> {
    const found = new Map<string, string>();
    let searches = 0;
    for (const sku of skus) {
      let meant = this.alike(sku);
      if (meant === undefined && searches < SEARCHES) {
        searches++;
        yield;
        meant = this.ifActive(this.current().findNear(sku));
      }
      if (meant !== undefined) found.set(sku, meant);
    }
    return found;
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
