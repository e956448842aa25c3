import { Fingerprint } from './fingerprint.js';
import type { ProductView } from './product-view.js';

const CHUNK_BITS = 6;

export function chunkNumberOf(productId: number): number {
  return productId >> CHUNK_BITS;
}

/** Products with neighbouring ids. A change replaces the chunk, so lists write it anew. */
export class ProductChunk {
  /** The active products, by id. */
  readonly products: readonly ProductView[];
  /** The latest change version of its products. */
  readonly contentVersion: number;
  /** The fingerprint of the active products. */
  readonly fingerprint = new Fingerprint();
  /** By the last bits of the id: a search would touch half of the products. */
  private readonly byPlace: ProductView[] = [];

  /** `all`: with inactive products. */
  constructor(
    readonly number: number,
    readonly all: readonly ProductView[],
  ) {
    this.products = all.filter(({ active }) => active).toSorted((a, b) => a.id - b.id);
    for (const product of this.products) this.fingerprint.add(product.fingerprint);
    for (const product of all) this.byPlace[product.id % 2 ** CHUNK_BITS] = product;
    this.contentVersion = all.reduce((latest, product) => Math.max(latest, product.contentVersion), 0);
  }

  find(id: number): ProductView | undefined {
    return this.byPlace[id % 2 ** CHUNK_BITS];
  }

  /** The active and inactive products with changes since a version. */
  changedSince(changeVersion: number): readonly ProductView[] {
    if (this.contentVersion < changeVersion) return [];
    return this.all.filter(({ contentVersion }) => contentVersion >= changeVersion);
  }

  /** The chunk with these products in place of those with the same ids; undefined if none remains. */
  with(changed: ReadonlyMap<number, ProductView>, removed: ReadonlySet<number>): ProductChunk | undefined {
    const others = this.all.filter(({ id }) => !changed.has(id) && !removed.has(id));
    const all = [...others, ...changed.values()];
    return all.length > 0 ? new ProductChunk(this.number, all) : undefined;
  }
}
