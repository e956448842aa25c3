import type { Minor } from '../../platform/money/money.js';
import { planPrice } from './plan-price.js';
import { Fingerprint } from './fingerprint.js';
import type { ProductView } from './product-view.js';

/** The relation's number in the fingerprint. */
const PLAN_PRICE = 3;

interface FixedPrice {
  price: Minor;
  changeVersion: number;
}

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

  /** The product index's revision at the last change of the discount, and of a price in each chunk. */
  revision = 0;
  readonly chunkRevisions = new Map<number, number>();

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
  changeVersionOf(product: ProductView): number {
    return Math.max(
      product.contentVersion,
      this.repriced,
      this.fixedPrices.get(product.id)?.changeVersion ?? 0,
    );
  }

  hasPrice(productId: number, changeVersion: number): boolean {
    return this.fixedPrices.get(productId)?.changeVersion === changeVersion;
  }

  reprice(discountBasisPoints: number, changeVersion: number, revision: number): void {
    this.discountBasisPoints = discountBasisPoints;
    this.repriced = changeVersion;
    this.contentVersion = Math.max(this.contentVersion, changeVersion);
    this.revision = revision;
  }

  fixPrice(productId: number, price: Minor, changeVersion: number): void {
    this.removeFixedPrice(productId);
    this.fixedPrices.set(productId, { price, changeVersion });
    this.priceFingerprint.addRow(PLAN_PRICE, productId, changeVersion);
    this.contentVersion = Math.max(this.contentVersion, changeVersion);
  }

  removeFixedPrice(productId: number): void {
    const previous = this.fixedPrices.get(productId);
    if (!previous) return;
    this.priceFingerprint.subtractRow(PLAN_PRICE, productId, previous.changeVersion);
    this.fixedPrices.delete(productId);
  }
}
