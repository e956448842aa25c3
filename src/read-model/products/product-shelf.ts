import { ChangeList } from './change-list.js';
import { type RowOf, tellProduct } from '../snapshot/change-query.js';
import { Fingerprint } from './fingerprint.js';
import { chunkNumberOf, ProductChunk } from './product-chunk.js';
import { ProductView } from './product-view.js';
import { Removals } from './removals.js';

/** All products, with the orders in which they are read: by SKU, by id in chunks, and by their latest change. */
export class ProductShelf {
  /** Of the active products and their stock, alike on all nodes. */
  readonly fingerprint = new Fingerprint();
  /** The highest stamp of a product, its stock, or of what was deleted of them. */
  contentStamp = 0;
  /** How many products are active. */
  count = 0;
  /** Higher after every change. */
  version = 0;

  private readonly byId = new Map<number, ProductView>();
  private readonly bySku = new Map<string, ProductView>();
  /** What was sold once and is inactive now, by its SKU. */
  private readonly withdrawnBySku = new Map<string, ProductView>();
  private readonly chunksByNumber = new Map<number, ProductChunk>();
  private sortedChunks: ProductChunk[] | undefined;
  private readonly changes = new ChangeList<ProductView>();
  private readonly removals = new Removals();
  /** Products of which something changed that has not been settled yet, and whether it was more than a plan's price. */
  private readonly unsettled = new Map<ProductView, boolean>();

  find(sku: string): ProductView | undefined {
    return this.bySku.get(sku);
  }

  /** Whether something was sold under this SKU that is inactive now. What was never sold is not told of. */
  isWithdrawn(sku: string): boolean {
    return this.withdrawnBySku.has(sku);
  }

  /** The active products in chunks, in the order of their ids. */
  chunks(): readonly ProductChunk[] {
    this.sortedChunks ??= [...this.chunksByNumber.values()].toSorted((a, b) => a.number - b.number);
    return this.sortedChunks;
  }

  /** What changed at this stamp or later, products no longer sold included, the latest first. */
  changedSince(stamp: number): Iterable<ProductView> {
    return this.changes.since(stamp);
  }

  /** SKUs that were deleted or renamed at this stamp or later and are nobody else's now. */
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

  /** A plan's fixed price changes nothing for the other plans. Gives the version that this change made. */
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

  /** Puts everything that changed in its place again. Called once after the rows of a refresh. */
  settle(): void {
    for (const [product, shelved] of this.unsettled) {
      product.settle();
      if (shelved && product.active) this.shelve(product);
      if (shelved && product.withdrawn !== null) this.withdrawnBySku.set(product.sku, product);
    }
    this.changes.place(this.unsettled.keys());
    this.unsettled.clear();
  }

  /** Drops what was made from the products, for the sake of a plan that changed. Gives the version that this change made. */
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

  /** Takes a product out before it changes. All that leave do so before any comes back, so that SKUs can be exchanged. */
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
