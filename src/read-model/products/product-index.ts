import { Fingerprint } from './fingerprint.js';
import { LatestVersions } from './latest-versions.js';
import type { PlanView } from './plan-view.js';
import { chunkNumberOf, type ProductChunk } from './product-chunk.js';
import type { ProductView } from './product-view.js';
import { SkuDirectory } from './sku-directory.js';

/** All products, by SKU and by id in chunks. */
export class ProductIndex {
  /** The fingerprint of the active products and their stock, equal on all nodes. */
  readonly fingerprint = new Fingerprint();
  /** The highest change version of products, stock and their tombstones. */
  contentVersion = 0;
  count = 0;
  /** Grows with each refresh that changed something. */
  revision = 0;

  private readonly latestVersions = new LatestVersions();
  private readonly skus = new SkuDirectory();
  private readonly byNumber = new Map<number, ProductChunk>();
  private sorted: ProductChunk[] | undefined;
  private readonly removals = new Removals();

  find(sku: string): ProductView | undefined {
    return this.firstOf(sku, ({ active }) => active);
  }

  /** An inactive product too, and one that was never sold. */
  findAny(sku: string): ProductView | undefined {
    return this.firstOf(sku, () => true);
  }

  has(sku: string): boolean {
    return this.findAny(sku) !== undefined;
  }

  /**
   * True if a product was sold under this SKU and is inactive. Products that were never sold stay
   * secret.
   */
  isWithdrawn(sku: string): boolean {
    return this.firstOf(sku, ({ active, withdrawn }) => !active && withdrawn !== null) !== undefined;
  }

  findById(id: number): ProductView | undefined {
    return this.chunk(chunkNumberOf(id))?.find(id);
  }

  chunk(number: number): ProductChunk | undefined {
    return this.byNumber.get(number);
  }

  /** The chunks with active products, by id. */
  chunks(): readonly ProductChunk[] {
    this.sorted ??= [...this.byNumber.values()]
      .filter(({ products }) => products.length > 0)
      .toSorted((a, b) => a.number - b.number);
    return this.sorted;
  }

  /** The ids of products, active or not, that no index finds. All are read, in steps. */
  *idsOf(matches: (product: ProductView) => boolean): Generator<void, number[]> {
    const ids: number[] = [];
    for (const { all } of this.byNumber.values()) {
      for (const product of all) if (matches(product)) ids.push(product.id);
      yield;
    }
    return ids;
  }

  /** The chunks that may have a change since a version, of a product or of the plan's price. */
  *changedSince(changeVersion: number, plan: PlanView | undefined): Generator<ProductChunk> {
    const numbers = new Set<number>();
    this.latestVersions.addSince(changeVersion, numbers);
    plan?.latestVersions.addSince(changeVersion, numbers);
    for (const number of numbers) {
      const chunk = this.byNumber.get(number);
      if (chunk) yield chunk;
    }
  }

  /** SKUs that were deleted or renamed since a version and that no other product has. */
  removedSince(changeVersion: number): string[] {
    return this.removals.since(changeVersion).filter((sku) => this.find(sku) === undefined);
  }

  /** Readers find the product when its chunk is published. */
  addSku(sku: string, id: number): void {
    this.skus.add(sku, id);
  }

  /** Forgets products that no longer have the SKU. */
  settleSku(sku: string): void {
    this.skus.keepOnly(sku, (id) => this.findById(id)?.sku === sku);
  }

  /** Replaces a chunk; undefined removes it. */
  publish(number: number, chunk: ProductChunk | undefined): void {
    const before = this.byNumber.get(number);
    if (before) this.fingerprint.subtract(before.fingerprint);
    if (chunk) this.fingerprint.add(chunk.fingerprint);
    this.count += (chunk?.products.length ?? 0) - (before?.products.length ?? 0);
    if (chunk) this.byNumber.set(number, chunk);
    else this.byNumber.delete(number);
    this.contentVersion = Math.max(this.contentVersion, chunk?.contentVersion ?? 0);
    this.latestVersions.note(number, chunk?.contentVersion ?? 0);
    this.sorted = undefined;
  }

  noteRemoval(sku: string, changeVersion: number): void {
    this.removals.add(sku, changeVersion);
    this.contentVersion = Math.max(this.contentVersion, changeVersion);
  }

  private firstOf(sku: string, isWanted: (product: ProductView) => boolean): ProductView | undefined {
    for (const id of this.skus.idsOf(sku)) {
      const product = this.findById(id);
      if (product?.sku === sku && isWanted(product)) return product;
    }
    return undefined;
  }
}

interface Removal {
  sku: string;
  changeVersion: number;
}

/** The SKUs of removed products, by the version of their removal. */
class Removals {
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
