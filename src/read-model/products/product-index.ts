import { type RowOf, copyProductRow } from '../snapshot/change-query.js';
import { ChangeList } from './change-list.js';
import { Fingerprint } from './fingerprint.js';
import { chunkNumberOf, ProductChunk } from './product-chunk.js';
import { ProductView } from './product-view.js';

/** All products, ordered by SKU, by id in chunks, and by latest change. */
export class ProductIndex {
  /** The fingerprint of the active products and their stock, equal on all nodes. */
  readonly fingerprint = new Fingerprint();
  /** The highest change version of products, stock and their tombstones. */
  contentVersion = 0;
  /** The number of active products. */
  count = 0;
  /** Grows with each change. */
  revision = 0;

  private readonly byId = new Map<number, ProductView>();
  private readonly bySku = new Map<string, ProductView>();
  /** Inactive products that were sold once, by SKU. */
  private readonly withdrawnBySku = new Map<string, ProductView>();
  private readonly chunksByNumber = new Map<number, ProductChunk>();
  private sortedChunks: ProductChunk[] | undefined;
  private readonly changes = new ChangeList<ProductView>();
  private readonly removals = new Removals();
  /** Changed products before `settle`; true if more than a plan's price changed. */
  private readonly changedProducts = new Map<ProductView, boolean>();

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
  changedSince(changeVersion: number): Iterable<ProductView> {
    return this.changes.since(changeVersion);
  }

  /** SKUs that were deleted or renamed since a version and that no other product has. */
  removedSince(changeVersion: number): string[] {
    return this.removals.since(changeVersion).filter((sku) => !this.bySku.has(sku));
  }

  putProduct(row: RowOf<'products'>): void {
    const product = this.productOf(row.columns[0]);
    this.contentVersion = Math.max(this.contentVersion, row.changeVersion);
    if (product.changeVersion === row.changeVersion) return;
    this.removeFromIndex(product);
    copyProductRow(product, row);
    product.changeVersion = row.changeVersion;
  }

  putStockItem({ changeVersion, columns: [id, productId, key, available] }: RowOf<'stock_items'>): void {
    const product = this.productOf(productId);
    this.contentVersion = Math.max(this.contentVersion, changeVersion);
    if (product.stock.some((item) => item.id === id && item.changeVersion === changeVersion)) return;
    this.removeFromIndex(product);
    const others = product.stock.filter((item) => item.id !== id);
    product.stock = [...others, { id, key, available, changeVersion }];
  }

  /** A fixed price changes nothing for other plans. Returns the revision of this change. */
  notePrice(productId: number, changeVersion: number): number {
    const product = this.productOf(productId);
    product.priceVersion = Math.max(product.priceVersion, changeVersion);
    if (!this.changedProducts.has(product)) this.changedProducts.set(product, false);
    return ++this.revision;
  }

  noteRemoval(sku: string, changeVersion: number): void {
    this.contentVersion = Math.max(this.contentVersion, changeVersion);
    this.removals.add(sku, changeVersion);
    this.revision++;
  }

  removeProduct(id: number): void {
    const product = this.byId.get(id);
    if (!product) return;
    this.removeFromIndex(product);
    this.changedProducts.delete(product);
    this.changes.remove(product);
    this.byId.delete(id);
  }

  removeStockItem(id: number, productId: number): void {
    const product = this.byId.get(productId);
    if (!product?.stock.some((item) => item.id === id)) return;
    this.removeFromIndex(product);
    product.stock = product.stock.filter((item) => item.id !== id);
  }

  /** Indexes the changed products. Called once after the rows of a refresh. */
  settle(): void {
    for (const [product, isContentChanged] of this.changedProducts) {
      product.settle();
      if (isContentChanged && product.active) this.addToIndex(product);
      if (isContentChanged && product.withdrawn !== null) this.withdrawnBySku.set(product.sku, product);
    }
    this.changes.reorder(this.changedProducts.keys());
    this.changedProducts.clear();
  }

  /** A plan's discount changes its prices of all products. Returns the revision of this change. */
  noteDiscount(): number {
    return ++this.revision;
  }

  private productOf(id: number): ProductView {
    let product = this.byId.get(id);
    if (!product) this.byId.set(id, (product = new ProductView(id)));
    return product;
  }

  private addToIndex(product: ProductView): void {
    const number = chunkNumberOf(product.id);
    let chunk = this.chunksByNumber.get(number);
    if (!chunk) {
      this.chunksByNumber.set(number, (chunk = new ProductChunk(number)));
      this.sortedChunks = undefined;
    }
    chunk.add(product);
    chunk.revision = ++this.revision;
    this.bySku.set(product.sku, product);
    this.fingerprint.add(product.fingerprint);
    this.count++;
  }

  /**
   * Removes a product before its change. All leave before any returns, so that products can exchange SKUs.
   */
  private removeFromIndex(product: ProductView): void {
    const wasIndexed = this.bySku.get(product.sku) === product;
    this.changedProducts.set(product, true);
    this.revision++;
    if (this.withdrawnBySku.get(product.sku) === product) this.withdrawnBySku.delete(product.sku);
    if (!wasIndexed) return;
    const number = chunkNumberOf(product.id);
    const chunk = this.chunksByNumber.get(number);
    chunk?.remove(product);
    if (chunk?.products.length === 0) {
      this.chunksByNumber.delete(number);
      this.sortedChunks = undefined;
    }
    if (chunk) chunk.revision = ++this.revision;
    this.bySku.delete(product.sku);
    this.fingerprint.subtract(product.fingerprint);
    this.count--;
  }
}

interface Removal {
  sku: string;
  changeVersion: number;
}

/** The SKUs of removed products, by the version of their removal. */
export class Removals {
  private readonly removals: Removal[] = [];
  private sorted = true;

  add(sku: string, changeVersion: number): void {
    this.removals.push({ sku, changeVersion });
    this.sorted = false;
  }

  since(changeVersion: number): string[] {
    this.sort();
    const before = this.removals.findLastIndex((removal) => removal.changeVersion < changeVersion);
    return this.removals.slice(before + 1).map(({ sku }) => sku);
  }

  private sort(): void {
    if (!this.sorted) this.removals.sort((a, b) => a.changeVersion - b.changeVersion);
    this.sorted = true;
  }
}
