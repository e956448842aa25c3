import type { Minor } from '../../platform/money/money.js';
import { planPrice } from './plan-price.js';
import { Fingerprint } from './fingerprint.js';
import { LatestVersions } from './latest-versions.js';
import { chunkNumberOf } from './product-chunk.js';
import type { ProductView } from './product-view.js';

/** The relation's number in the fingerprint. */
const PLAN_PRICE = 3;

interface FixedPrice {
  readonly price: Minor;
  readonly changeVersion: number;
}

/** The fixed prices of the products of a chunk. A change replaces it. */
export class PriceChunk {
  readonly fingerprint = new Fingerprint();
  readonly contentVersion: number = 0;

  /** By product id. */
  constructor(readonly prices: ReadonlyMap<number, FixedPrice>) {
    for (const [id, { changeVersion }] of prices) {
      this.fingerprint.addRow(PLAN_PRICE, id, changeVersion);
      this.contentVersion = Math.max(this.contentVersion, changeVersion);
    }
  }
}

const NO_PRICES = new PriceChunk(new Map());

/** A plan with its fixed prices. The object stays the same while its content changes. */
export class PlanView {
  code = '';
  name = '';
  discountBasisPoints = 0;

  /** The version of the last change of the discount. */
  repriced = 0;
  /** The highest change version of the discount and the fixed prices. */
  contentVersion = 0;
  /** The fingerprint of the fixed prices, equal on all nodes. */
  readonly priceFingerprint = new Fingerprint();
  fixedPriceCount = 0;

  readonly latestVersions = new LatestVersions();
  private readonly priceChunks = new Map<number, PriceChunk>();

  constructor(readonly id: number) {}

  pricesIn(chunkNumber: number): PriceChunk {
    return this.priceChunks.get(chunkNumber) ?? NO_PRICES;
  }

  priceOf(product: ProductView): Minor {
    const fixed = this.pricesIn(chunkNumberOf(product.id)).prices.get(product.id);
    return planPrice(product.basePrice, this.discountBasisPoints, fixed?.price ?? null);
  }

  /** The latest change version of the product as this plan's callers see it. */
  changeVersionOf(product: ProductView): number {
    const fixed = this.pricesIn(chunkNumberOf(product.id)).prices.get(product.id);
    return Math.max(product.contentVersion, this.repriced, fixed?.changeVersion ?? 0);
  }

  reprice(discountBasisPoints: number, changeVersion: number): void {
    this.discountBasisPoints = discountBasisPoints;
    this.repriced = changeVersion;
    this.contentVersion = Math.max(this.contentVersion, changeVersion);
  }

  publish(chunkNumber: number, chunk: PriceChunk): void {
    const before = this.pricesIn(chunkNumber);
    this.priceFingerprint.subtract(before.fingerprint);
    this.priceFingerprint.add(chunk.fingerprint);
    this.contentVersion = Math.max(this.contentVersion, chunk.contentVersion);
    this.latestVersions.note(chunkNumber, chunk.contentVersion);
    this.fixedPriceCount += chunk.prices.size - before.prices.size;
    if (chunk.prices.size > 0) this.priceChunks.set(chunkNumber, chunk);
    else this.priceChunks.delete(chunkNumber);
  }
}

/** Changed prices of a plan that readers do not see yet. */
export class PriceDrafts {
  /** By the number of the chunk, then by product id. */
  private readonly drafts = new Map<number, Map<number, FixedPrice>>();

  constructor(private readonly plan: PlanView) {}

  put(productId: number, price: FixedPrice): void {
    this.draftOf(chunkNumberOf(productId)).set(productId, price);
  }

  remove(productId: number): void {
    this.draftOf(chunkNumberOf(productId)).delete(productId);
  }

  /** Builds the changed chunks, one in a step. The function that it returns shows them to readers. */
  *build(): Generator<void, () => void> {
    const chunks: [number: number, chunk: PriceChunk][] = [];
    for (const [number, prices] of this.drafts) {
      chunks.push([number, new PriceChunk(prices)]);
      yield;
    }
    return () => {
      for (const [number, chunk] of chunks) this.plan.publish(number, chunk);
    };
  }

  private draftOf(chunkNumber: number): Map<number, FixedPrice> {
    let draft = this.drafts.get(chunkNumber);
    if (!draft) this.drafts.set(chunkNumber, (draft = new Map(this.plan.pricesIn(chunkNumber).prices)));
    return draft;
  }
}
