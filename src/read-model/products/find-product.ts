import { DomainError } from '../../platform/errors/domain-error.js';
import type { ProductView } from './product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import type { SkuSuggestions } from './sku-suggestions.js';

const LONGEST_QUOTE = 64;

export function findProduct({ shelf }: SnapshotState, sku: string, suggestions: SkuSuggestions): ProductView {
  const product = shelf.find(sku);
  if (product) return product;
  const quoted = sku.length > LONGEST_QUOTE ? `${sku.slice(0, LONGEST_QUOTE)}…` : sku;
  const suggestion = suggestions.alike(sku);
  const message = `There is no active product with the SKU "${quoted.toWellFormed()}".`;
  throw suggestion === undefined
    ? new DomainError('product_not_found', message)
    : new DomainError('product_not_found', `${message} Did you mean "${suggestion}"?`, {
        facts: { suggestion },
      });
}
