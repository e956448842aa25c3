import type { ProductView } from '../../read-model/products/product-view.js';

export interface ProductFilter {
  /** All words must stand in the SKU, the name or the category. */
  text?: string;
  category?: string;
  inStock?: boolean;
}

/** Each word is searched in every product. More words find nothing new. */
const MAX_WORDS = 8;

export function createMatcher({
  text = '',
  category,
  inStock,
}: ProductFilter): (product: ProductView) => boolean {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => new RegExp(escapePattern(word), 'iu'));
  return (product) =>
    (category === undefined || product.category === category) &&
    (inStock === undefined || product.quantity > 0 === inStock) &&
    words.every((word) => word.test(product.name) || word.test(product.sku) || word.test(product.category));
}

/**
 * A pattern for exactly this text. A pattern ignores case without a folded copy of each name; such copies
 * would take most of the time of a search.
 */
export function escapePattern(text: string): string {
  return text.replace(
    /[\\^$.*+?()[\]{}|/-]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
