import type { Minor } from '../../platform/money/money.js';
import { planPrice } from './plan-price.js';
import { Fingerprint } from './fingerprint.js';
import type { ProductView } from './product-view.js';

/** The relation's number in the fingerprint. */
const PLAN_PRICE = 3;

interface FixedPrice {
  price: Minor;
  stamp: number;
}

/** A plan with its fixed prices. The object stays the same while its content changes. */
export class PlanView {
  code = '';
  name = '';
  discountBasisPoints = 0;

  /** The version of the last change of the discount. */
  repriced = 0;
  /** The highest change version of the discount and the fixed prices. */
  contentStamp = 0;
  /** The fingerprint of the fixed prices, equal on all nodes. */
  readonly priceFingerprint = new Fingerprint();

  /** The product index's revision at the last change of the discount, and of a price in each chunk. */
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

  /** The latest change version of the product as this plan's callers see it. */
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
