import { ApiError } from '../errors/api-error.js';
import type { ProductView } from '../snapshot/product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';

const LONGEST_QUOTE = 64;

export function findProduct({ shelf }: SnapshotState, sku: string): ProductView {
  const product = shelf.find(sku);
  if (product) return product;
  const quoted = sku.length > LONGEST_QUOTE ? `${sku.slice(0, LONGEST_QUOTE)}…` : sku;
  throw new ApiError(
    'product_not_found',
    `There is no active product with the SKU "${quoted.toWellFormed()}".`,
  );
}
