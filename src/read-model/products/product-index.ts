import { type RowOf, tellProduct } from '../snapshot/change-query.js';
import { ChangeList } from './change-list.js';
import { Fingerprint } from './fingerprint.js';
import { chunkNumberOf, ProductChunk } from './product-chunk.js';
import { ProductView } from './product-view.js';

/** All products, ordered by SKU, by id in chunks, and by latest change. */
export class ProductShelf {
  /** The fingerprint of the active products and their stock, equal on all nodes. */
  readonly fingerprint = new Fingerprint();
  /** The highest change version of products, stock and their tombstones. */
  contentStamp = 0;
  /** The number of active products. */
  count = 0;
  /** Grows with each change. */
  version = 0;

  private readonly byId = new Map<number, ProductView>();
  private readonly bySku = new Map<string, ProductView>();
  /** Inactive products that were sold once, by SKU. */
  private readonly withdrawnBySku = new Map<string, ProductView>();
  private readonly chunksByNumber = new Map<number, ProductChunk>();
  private sortedChunks: ProductChunk[] | undefined;
  private readonly changes = new ChangeList<ProductView>();
  private readonly removals = new Removals();
  /** Changed products before `settle`; true if more than a plan's price changed. */
  private readonly unsettled = new Map<ProductView, boolean>();

  find(sku: string): ProductView | undefined {
    return this.bySku.get(sku);
  }

  /**
   * True if a product was sold under this SKU and is inactive. Products that were never sold stay
   * secret.
   */
  isWithdrawn(sku: string): boolean {
    return this.withdrawnBySku.has(sku);
  }

  /** The active products in chunks, by id. */
  chunks(): readonly ProductChunk[] {
    this.sortedChunks ??= [...this.chunksByNumber.values()].toSorted((a, b) => a.number - b.number);
    return this.sortedChunks;
  }

  /** Changes since a version, latest first, with products no longer sold. */
  changedSince(stamp: number): Iterable<ProductView> {
    return this.changes.since(stamp);
  }

  /** SKUs that were deleted or renamed since a version and that no other product has. */
  removedSince(stamp: number): string[] {
    return this.removals.since(stamp).filter((sku) => !this.bySku.has(sku));
  }

  putProduct(row: RowOf<'products'>): void {
    const product = this.productOf(row.columns[0]);
    this.contentStamp = Math.max(this.contentStamp, row.stamp);
    if (product.stamp === row.stamp) return;
    this.unshelve(product);
    tellProduct(product, row);
    product.stamp = row.stamp;
  }

  putStockItem({ stamp, columns: [id, productId, key, available] }: RowOf<'stock_items'>): void {
    const product = this.productOf(productId);
    this.contentStamp = Math.max(this.contentStamp, stamp);
    if (product.stock.some((item) => item.id === id && item.stamp === stamp)) return;
    this.unshelve(product);
    const others = product.stock.filter((item) => item.id !== id);
    product.stock = [...others, { id, key, available, stamp }];
  }

  /** A fixed price changes nothing for other plans. Returns the revision of this change. */
  notePrice(productId: number, stamp: number): number {
    const product = this.productOf(productId);
    product.priceStamp = Math.max(product.priceStamp, stamp);
    if (!this.unsettled.has(product)) this.unsettled.set(product, false);
    return ++this.version;
  }

  noteRemoval(sku: string, stamp: number): void {
    this.contentStamp = Math.max(this.contentStamp, stamp);
    this.removals.add(sku, stamp);
    this.version++;
  }

  removeProduct(id: number): void {
    const product = this.byId.get(id);
    if (!product) return;
    this.unshelve(product);
    this.unsettled.delete(product);
    this.changes.remove(product);
    this.byId.delete(id);
  }

  removeStockItem(id: number, productId: number): void {
    const product = this.byId.get(productId);
    if (!product?.stock.some((item) => item.id === id)) return;
    this.unshelve(product);
    product.stock = product.stock.filter((item) => item.id !== id);
  }

  /** Indexes the changed products. Called once after the rows of a refresh. */
  settle(): void {
    for (const [product, shelved] of this.unsettled) {
      product.settle();
      if (shelved && product.active) this.shelve(product);
      if (shelved && product.withdrawn !== null) this.withdrawnBySku.set(product.sku, product);
    }
    this.changes.place(this.unsettled.keys());
    this.unsettled.clear();
  }

  /** Drops everything made from products when a plan changes. Returns the revision of this change. */
  forgetAll(): number {
    for (const product of this.byId.values()) product.forget();
    return ++this.version;
  }

  private productOf(id: number): ProductView {
    let product = this.byId.get(id);
    if (!product) this.byId.set(id, (product = new ProductView(id)));
    return product;
  }

  private shelve(product: ProductView): void {
    const number = chunkNumberOf(product.id);
    let chunk = this.chunksByNumber.get(number);
    if (!chunk) {
      this.chunksByNumber.set(number, (chunk = new ProductChunk(number)));
      this.sortedChunks = undefined;
    }
    chunk.add(product);
    chunk.version = ++this.version;
    this.bySku.set(product.sku, product);
    this.fingerprint.add(product.fingerprint);
    this.count++;
  }

  /**
   * Removes a product before its change. All leave before any returns, so that products can exchange SKUs.
   */
  private unshelve(product: ProductView): void {
    const wasShelved = this.bySku.get(product.sku) === product;
    this.unsettled.set(product, true);
    this.version++;
    if (this.withdrawnBySku.get(product.sku) === product) this.withdrawnBySku.delete(product.sku);
    if (!wasShelved) return;
    const number = chunkNumberOf(product.id);
    const chunk = this.chunksByNumber.get(number);
    chunk?.remove(product);
    if (chunk?.products.length === 0) {
      this.chunksByNumber.delete(number);
      this.sortedChunks = undefined;
    }
    if (chunk) chunk.version = ++this.version;
    this.bySku.delete(product.sku);
    this.fingerprint.subtract(product.fingerprint);
    this.count--;
  }
}

interface Removal {
  sku: string;
  stamp: number;
}

/** The SKUs of removed products, by the version of their removal. */
export class Removals {
  private readonly removals: Removal[] = [];
  private sorted = true;

  add(sku: string, stamp: number): void {
    this.removals.push({ sku, stamp });
    this.sorted = false;
  }

  since(stamp: number): string[] {
    this.sort();
    const before = this.removals.findLastIndex((removal) => removal.stamp < stamp);
    return this.removals.slice(before + 1).map(({ sku }) => sku);
  }

  private sort(): void {
    if (!this.sorted) this.removals.sort((a, b) => a.stamp - b.stamp);
    this.sorted = true;
  }
}
