import type { ProductView } from './product-view.js';

const CHUNK_BITS = 6;

export function chunkNumberOf(productId: number): number {
  return productId >> CHUNK_BITS;
}

/** Active products with neighbouring ids: the unit in which long lists are written. */
export class ProductChunk {
  /** Grows with each change in the chunk. */
  revision = 0;
  readonly products: ProductView[] = [];

  constructor(readonly number: number) {}

  add(product: ProductView): void {
    const after = this.products.findLastIndex(({ id }) => id < product.id);
    this.products.splice(after + 1, 0, product);
  }

  remove(product: ProductView): void {
    const index = this.products.indexOf(product);
    if (index >= 0) this.products.splice(index, 1);
  }
}
