import { DomainError } from '../../platform/errors/domain-error.js';
import type { ProductView } from './product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import type { SkuSuggestions } from './sku-suggestions.js';

const LONGEST_QUOTE = 64;

export function findProduct({ shelf }: SnapshotState, sku: string, suggestions: SkuSuggestions): ProductView {
  const product = shelf.find(sku);
  if (product) return product;
  const quoted = (sku.length > LONGEST_QUOTE ? `${sku.slice(0, LONGEST_QUOTE)}…` : sku).toWellFormed();
  const hint = suggestions.hint(sku);
  const unknown = hint.inactive
    ? `The product with the SKU "${quoted}" is inactive: it is not sold at the moment.`
    : `There is no active product with the SKU "${quoted}".`;
  const question = hint.suggestion === undefined ? '' : ` Did you mean "${hint.suggestion}"?`;
  throw new DomainError('product_not_found', unknown + question, { facts: { ...hint } });
}
