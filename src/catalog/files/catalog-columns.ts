import type { NoteFault, StagedValue } from '../../imports/import-kind.js';
import { WAS } from '../../imports/what-it-was.js';
import { lineFault, optionalLineFault, paragraphFault } from '../../platform/validation/texts.js';
import {
  ADDRESSES_CELL,
  AMOUNT_CELL,
  BOOLEAN_CELL,
  type CatalogCell,
  textCell,
  VARIATIONS_CELL,
} from './catalog-cells.js';

/**
 * The columns of the catalog file, which the table `products` has by the same names, and how long a text may be. How they are
 * read and exported, staged and compared, inserted and updated follows from here.
 */
const COLUMNS = {
  sku: textCell(lineFault, 64),
  name: textCell(lineFault, 200),
  description: textCell(paragraphFault, 5_000),
  category: textCell(optionalLineFault, 100),
  images: ADDRESSES_CELL,
  base_price: AMOUNT_CELL,
  delivery_charge: AMOUNT_CELL,
  active: BOOLEAN_CELL,
  variations: VARIATIONS_CELL,
};

export type CatalogColumn = keyof typeof COLUMNS;

/** A product by its columns. */
export type CatalogProduct = {
  [Column in CatalogColumn]: (typeof COLUMNS)[Column] extends CatalogCell<infer Value> ? Value : never;
};

/** A product as its row is written. */
export type CatalogRow = Record<CatalogColumn, string | boolean>;

type ReadProduct = { [Column in CatalogColumn]: CatalogProduct[Column] | null };

export const CATALOG_COLUMNS = Object.keys(COLUMNS) as CatalogColumn[];

export const CATALOG_EXPORT_COLUMNS = [...CATALOG_COLUMNS, WAS] as const;

/** A product as it is exported, with what tells whether it has changed when it comes back. */
export type ExportedProduct = CatalogRow & { [WAS]: string };

export const CATALOG_COLUMN_TYPES = forEachColumn((_, { type }) => type);

/** What a new product begins with where its row does not say, in SQL. The other columns it must say. */
export const INITIAL: Partial<Record<CatalogColumn, string>> = {
  description: `''`,
  category: `''`,
  images: `'{}'`,
  active: 'true',
  variations: `'[]'`,
};

/** What a row says; null where that is bad, and noted, and where it says nothing. */
export function readCatalogRow(
  row: Readonly<Record<CatalogColumn, string>>,
  note: NoteFault,
  given: ReadonlySet<string>,
): ReadProduct {
  return forEachColumn((column, cell) =>
    given.has(column) ? cell.read(row[column], (fault) => note(column, fault)) : null,
  ) as ReadProduct;
}

export function stagedProduct(product: ReadProduct): Record<CatalogColumn, StagedValue> {
  return forEachColumn((column, cell) => (product[column] === null ? null : cell.stage(product[column])));
}

export function catalogRow(product: CatalogProduct): CatalogRow {
  return forEachColumn((column, cell) => cell.write(product[column]));
}

function forEachColumn<Made>(
  make: (column: CatalogColumn, cell: CatalogCell<unknown>) => Made,
): Record<CatalogColumn, Made> {
  const made = {} as Record<CatalogColumn, Made>;
  for (const column of CATALOG_COLUMNS) made[column] = make(column, COLUMNS[column]);
  return made;
}
