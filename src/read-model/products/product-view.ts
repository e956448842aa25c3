import type { Minor } from '../../platform/money/money.js';
import { Fingerprint } from './fingerprint.js';
import { type Variation, variationKeys } from './variations.js';

const NONE: readonly never[] = [];

/** The relations' numbers in the fingerprint. */
const PRODUCT = 1;
const STOCK_ITEM = 2;

interface StockItemView {
  readonly id: number;
  /** Empty for a product without variations. */
  readonly key: string;
  /** The quantity that can be sold now. */
  readonly available: number;
  readonly changeVersion: number;
}

/** A product with its stock. A change replaces the object. */
export class ProductView {
  sku = '';
  name = '';
  description = '';
  category = '';
  images: readonly string[] = NONE;
  basePrice: Minor = 0;
  deliveryCharge: Minor = 0;
  active = false;
  variations: readonly Variation[] = NONE;
  /** The version of its withdrawal under this SKU; null while it is active, or if it never was. */
  withdrawn: number | null = null;
  /** Empty, null or 0: not known. */
  hsn = '';
  gstRate: number | null = null;
  unit = '';
  barcode = '';
  weightGrams = 0;
  mrp: Minor = 0;
  countryOfOrigin = '';
  manufacturer = '';
  netQuantity = '';
  detailsUrl = '';
  stock: readonly StockItemView[] = NONE;

  /** The change version of the product's row; 0 before it was read. */
  changeVersion = 0;
  /** The latest change version of row and stock. */
  contentVersion = 0;
  readonly fingerprint = new Fingerprint();
  /** The available quantity of all variations. */
  quantity = 0;

  constructor(readonly id: number) {}

  /** A draft that no reader sees. It needs `settle` at its end. */
  copy(): ProductView {
    return Object.assign(new ProductView(this.id), this, { fingerprint: new Fingerprint() });
  }

  settle(): void {
    this.quantity = countStock(this);
    this.contentVersion = this.changeVersion;
    this.fingerprint.clear();
    this.fingerprint.addRow(PRODUCT, this.id, this.changeVersion);
    for (const { id, changeVersion } of this.stock) {
      if (changeVersion > this.contentVersion) this.contentVersion = changeVersion;
      this.fingerprint.addRow(STOCK_ITEM, id, changeVersion);
    }
  }
}

/** The available quantity of each variation, in order; empty for a product without variations. */
export function variationStocks(product: ProductView): Record<string, number> {
  if (product.variations.length === 0) return {};
  const available = new Map(product.stock.map((item) => [item.key, item.available]));
  return Object.fromEntries(variationKeys(product.variations).map((key) => [key, available.get(key) ?? 0]));
}

function countStock(product: ProductView): number {
  if (product.variations.length === 0) return product.stock.find(({ key }) => key === '')?.available ?? 0;
  return Object.values(variationStocks(product)).reduce((sum, available) => sum + available, 0);
}
