import type { Variation } from './variations.js';
import type { Minor } from '../../platform/money/money.js';
import type { Changeable } from './change-list.js';
import { Fingerprint } from './fingerprint.js';

const NONE: readonly never[] = [];

/** The relations in the fingerprint. */
const PRODUCT = 1;
const STOCK_ITEM = 2;

export interface StockItemView {
  readonly id: number;
  /** Empty for a product without variations. */
  readonly key: string;
  /** What can be sold now. */
  readonly available: number;
  readonly stamp: number;
}

/** An answer about a product: its stock, which is alike for all, or all of it for one plan, by the plan's id. */
export type AnswerKey = 'stock' | number;

/** A product and its stock, as they are now. The object stays the same while its content is kept current. */
export class ProductView implements Changeable<ProductView> {
  sku = '';
  name = '';
  description = '';
  category = '';
  images: readonly string[] = NONE;
  basePrice: Minor = 0;
  deliveryCharge: Minor = 0;
  active = false;
  variations: readonly Variation[] = NONE;
  /** The stamp with which it stopped being offered under this SKU; null while it is active, and if it never was. */
  withdrawn: number | null = null;
  stock: readonly StockItemView[] = NONE;

  /** The stamp of the product's own row; 0 until it was seen. */
  stamp = 0;
  /** The latest stamp of the row and the stock. */
  contentStamp = 0;
  /** The latest stamp of any plan's fixed price for it. */
  priceStamp = 0;
  readonly fingerprint = new Fingerprint();
  /** How many can be sold in all, once somebody has counted them. */
  quantity: number | undefined = undefined;

  latestStamp = 0;
  newer: ProductView | undefined = undefined;
  older: ProductView | undefined = undefined;

  private made: Map<AnswerKey, unknown> | undefined = undefined;

  constructor(readonly id: number) {}

  /** What is made from this product is made once for each key, until something in the product changes. */
  remember<Made>(key: AnswerKey, make: () => Made): Made {
    const known = this.made?.get(key);
    if (known !== undefined) return known as Made;
    const made = make();
    (this.made ??= new Map()).set(key, made);
    return made;
  }

  forget(): void {
    this.made = undefined;
  }

  /** Brings up to date what follows from the rows. */
  settle(): void {
    this.forget();
    this.quantity = undefined;
    this.contentStamp = this.stamp;
    this.fingerprint.clear();
    this.fingerprint.addRow(PRODUCT, this.id, this.stamp);
    for (const { id, stamp } of this.stock) {
      if (stamp > this.contentStamp) this.contentStamp = stamp;
      this.fingerprint.addRow(STOCK_ITEM, id, stamp);
    }
    this.latestStamp = Math.max(this.contentStamp, this.priceStamp);
  }
}
