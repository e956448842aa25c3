import type { ProductShelf } from '../../read-model/products/product-shelf.js';
import type { ProductView } from '../../read-model/products/product-view.js';

export interface Selection {
  products: ProductView[];
  unknown: string[];
}

/** The products a caller named, in the order in which they were named. */
export function selectProducts(shelf: ProductShelf, named: string | string[]): Selection {
  const skus = new Set(
    typeof named === 'string' ? separate(shelf, named) : named.filter((sku) => sku !== ''),
  );
  const selection: Selection = { products: [], unknown: [] };
  for (const sku of skus) {
    const product = shelf.find(sku);
    if (product) selection.products.push(product);
    else selection.unknown.push(sku);
  }
  return selection;
}

/** A SKU may hold a comma: what is one as a whole is not taken apart. */
function separate(shelf: ProductShelf, text: string): string[] {
  if (shelf.find(text)) return [text];
  return text
    .split(',')
    .map((sku) => sku.trim())
    .filter((sku) => sku !== '');
}
