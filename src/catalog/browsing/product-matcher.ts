import { stockQuantity, type ProductView } from '../../read-model/products/product-view.js';
import { literally } from '../reading/literally.js';

/** What somebody looks for in the catalog. */
export interface Sought {
  /** Words that all stand in the SKU, the name or the category. */
  text?: string;
  category?: string;
  inStock?: boolean;
}

/** More words than this say nothing more, and each is looked for in every product. */
const MOST_WORDS = 8;

export function matcherOf({ text = '', category, inStock }: Sought): (product: ProductView) => boolean {
  const words = text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
    .map((word) => new RegExp(literally(word), 'iu'));
  return (product) =>
    (category === undefined || product.category === category) &&
    (inStock === undefined || stockQuantity(product) > 0 === inStock) &&
    words.every((word) => word.test(product.name) || word.test(product.sku) || word.test(product.category));
}
