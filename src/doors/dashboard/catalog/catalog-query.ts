import type { Sought } from '../../../catalog/browsing/product-matcher.js';
import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/addresses.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { placeIn } from '../place-in.js';

const LONGEST_TEXT = 200;

export interface CatalogQuery {
  sought: Sought;
  after: number | undefined;
}

/** What the address of a catalog page asks for. Nothing in it can be wrong: what makes no sense asks for nothing. */
export function readCatalogQuery(query: FormFields): CatalogQuery {
  const text = textIn(query, 'search').slice(0, LONGEST_TEXT).trim();
  const category = textIn(query, 'category');
  return {
    sought: {
      ...(text !== '' && { text }),
      ...(category !== '' && { category }),
      ...(textIn(query, 'in_stock') === 'yes' && { inStock: true }),
    },
    after: placeIn(query, 'after'),
  };
}

/** The address that asks for it. */
export function catalogPath({ text, category, inStock }: Sought, after?: number): string {
  return withQuery(CATALOG, { search: text, category, in_stock: inStock ? 'yes' : undefined, after });
}

export const CATALOG = '/dashboard/catalog';

export function productPath(sku: string): string {
  return `${CATALOG}/${encodeURIComponent(sku)}`;
}
