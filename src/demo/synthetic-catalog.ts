import { CATALOG_COLUMNS, type CatalogProduct, catalogRow } from '../catalog/files/catalog-columns.js';
import { numericFromMinor } from '../platform/money/money.js';

const CATEGORIES = 40;
const SIZES = ['S', 'M', 'L'];

export interface SyntheticProduct extends CatalogProduct {
  /** On hand by variation key; a product without variations has the one key `''`. */
  stock: Record<string, number>;
}

/**
 * Any number of products, made one at a time and the same in every run: figures measured on such a catalog can be
 * compared, and a second import of it changes nothing.
 */
export function* syntheticProducts(
  count: number,
  { variations = 3 }: { variations?: 0 | 3 } = {},
): Generator<SyntheticProduct> {
  for (let number = 1; number <= count; number++) {
    yield syntheticProduct(number, variations === 0 ? [] : SIZES);
  }
}

function syntheticProduct(number: number, sizes: string[]): SyntheticProduct {
  const sku = `SYN-${String(number).padStart(7, '0')}`;
  const category = `Category ${1 + (number % CATEGORIES)}`;
  const keys = sizes.length === 0 ? [''] : sizes.map((size) => `Size:${size}`);
  return {
    sku,
    name: `Sample product ${number}`,
    description: `Sample product ${number} of ${category}, packed singly in a carton of twelve and sent within two days.`,
    category,
    images: [`https://images.example.com/products/${sku.toLowerCase()}-1.jpg`],
    base_price: numericFromMinor(5_000 + spread(number, 450_000)),
    delivery_charge: numericFromMinor(3_000 + spread(number + 1, 9_000)),
    active: true,
    variations: sizes.length === 0 ? [] : [{ name: 'Size', values: [...sizes] }],
    stock: Object.fromEntries(keys.map((key, index) => [key, spread(number * 3 + index, 500)])),
  };
}

/** The rows that a product has in the catalog file. */
export function catalogRows(product: SyntheticProduct): string[][] {
  const row = catalogRow(product);
  return [CATALOG_COLUMNS.map((column) => String(row[column]))];
}

/** The rows that it has in the file of counts. */
export function stockRows({ sku, stock }: SyntheticProduct): string[][] {
  return Object.entries(stock).map(([key, quantity]) => [sku, key, String(quantity)]);
}

/** Scatters consecutive numbers over 0 … limit − 1 by Knuth's multiplicative hash. */
function spread(number: number, limit: number): number {
  return (Math.imul(number, 2_654_435_761) >>> 0) % limit;
}
