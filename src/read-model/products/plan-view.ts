import type { Minor } from '../../platform/money/money.js';
import { planPrice } from '../../platform/money/plan-price.js';
import { Fingerprint } from './fingerprint.js';
import type { ProductView } from './product-view.js';

/** The relation in the fingerprint. */
const PLAN_PRICE = 3;

interface FixedPrice {
  price: Minor;
  stamp: number;
}

/** A plan and the prices it fixes, as they are now. The object stays the same while its content is kept current. */
export class PlanView {
  code = '';
  name = '';
  discountBasisPoints = 0;

  /** The stamp of the last change of the discount. */
  repriced = 0;
  /** The highest stamp of the discount or of a price it fixed. */
  contentStamp = 0;
  /** Of the fixed prices, alike on all nodes. */
  readonly priceFingerprint = new Fingerprint();

  /** The shelf's version at which the discount changed last, and at which it changed a price of each chunk. */
  version = 0;
  readonly chunkVersions = new Map<number, number>();

  private readonly fixedPrices = new Map<number, FixedPrice>();

  constructor(readonly id: number) {}

  get fixedPriceCount(): number {
    return this.fixedPrices.size;
  }

  priceOf(product: ProductView): Minor {
    return planPrice(
      product.basePrice,
      this.discountBasisPoints,
      this.fixedPrices.get(product.id)?.price ?? null,
    );
  }

  /** The latest stamp of what this plan's callers see of the product. */
  stampOf(product: ProductView): number {
    return Math.max(product.contentStamp, this.repriced, this.fixedPrices.get(product.id)?.stamp ?? 0);
  }

  hasPrice(productId: number, stamp: number): boolean {
    return this.fixedPrices.get(productId)?.stamp === stamp;
  }

  reprice(discountBasisPoints: number, stamp: number, version: number): void {
    this.discountBasisPoints = discountBasisPoints;
    this.repriced = stamp;
    this.contentStamp = Math.max(this.contentStamp, stamp);
    this.version = version;
  }

  fixPrice(productId: number, price: Minor, stamp: number): void {
    this.freePrice(productId);
    this.fixedPrices.set(productId, { price, stamp });
    this.priceFingerprint.addRow(PLAN_PRICE, productId, stamp);
    this.contentStamp = Math.max(this.contentStamp, stamp);
  }

  freePrice(productId: number): void {
    const former = this.fixedPrices.get(productId);
    if (!former) return;
    this.priceFingerprint.subtractRow(PLAN_PRICE, productId, former.stamp);
    this.fixedPrices.delete(productId);
  }
}
