import { WAS } from '../../shared/imports/import-guards.js';
import type { NoteFault, StagedValue } from '../../shared/imports/import-kind.js';
import { numericFromMinor, parsePercent, parsePrice } from '../../platform/money/money.js';
import { countryName } from '../../platform/validation/countries.js';
import type { DescribedField } from '../../platform/validation/described-field.js';
import {
  isWebAddress,
  keyFault,
  lineFault,
  optionalLineFault,
  paragraphFault,
} from '../../platform/validation/texts.js';
import { parseWholeNumber } from '../../platform/validation/whole-numbers.js';
import type { Variation } from '../../read-model/products/variations.js';
import { isOwnPicture } from '../pictures/picture-paths.js';
import { GST_TREATMENTS, type GoodsLaw, gstRateFault, hsnFault, unitCodeFault } from '../tax/goods-law.js';
import { barcodeFault } from './rules/barcode.js';
import { validateVariations, formatVariations, parseVariations } from './rules/variations-cell.js';

/** Records why a cell is bad. A fault is a sentence, or the end of one: "the price …". */
type NoteCellFault = (fault: string) => void;

/** Converts a column of the file into a column of `products`, and back. */
export interface CatalogCell<Value> {
  type: string;
  /** Gives null for a bad cell, whose text may be very long, and for an empty one without a value. */
  read(text: string, note: NoteCellFault, law: GoodsLaw): Value | null;
  /** For COPY. */
  stage(value: Value): StagedValue;
  /** Converts the value in the database into the text in the file. */
  write(value: Value): string | boolean;
}

const UNCHANGED = { stage: <Value>(value: Value) => value, write: <Value>(value: Value) => value };

export function textCell(
  faultOf: (text: string, maxLength: number, law: GoodsLaw) => string | undefined,
  maxLength: number,
): CatalogCell<string> & { maxLength: number } {
  return {
    ...UNCHANGED,
    type: 'text',
    maxLength,
    read(text, note, law) {
      const fault = faultOf(text, maxLength, law);
      if (fault === undefined) return text;
      note(fault);
      return null;
    },
  };
}

/** Amounts are numeric text, as in the database. */
export const AMOUNT_CELL: CatalogCell<string> = {
  ...UNCHANGED,
  type: 'numeric(12,2)',
  read(text, note) {
    const parsed = parsePrice(text);
    if ('minor' in parsed) return numericFromMinor(parsed.minor);
    note(parsed.fault);
    return null;
  },
};

/** An empty cell is 0: not known. */
const OPTIONAL_AMOUNT_CELL: CatalogCell<string> = {
  ...AMOUNT_CELL,
  read: (text, note, law) => AMOUNT_CELL.read(text === '' ? '0' : text, note, law),
  write: (amount) => (Number(amount) === 0 ? '' : amount),
};

const COUNTRY_CELL: CatalogCell<string> = {
  ...UNCHANGED,
  type: 'text',
  read(text, note) {
    const country = text === '' ? '' : countryName(text);
    if (country === undefined) note('must be empty or the English name or two-letter code of a country');
    return country ?? null;
  },
};

const BOOLEANS = new Map([
  ['true', true],
  ['yes', true],
  ['y', true],
  ['n', false],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

export const BOOLEAN_CELL: CatalogCell<boolean> = {
  ...UNCHANGED,
  type: 'boolean',
  read(text, note) {
    if (text === '') return null;
    const value = BOOLEANS.get(text.toLowerCase());
    if (value === undefined) note('must be yes or no');
    return value ?? null;
  },
};

const MAX_COUNT = 1_000_000_000;

/** An empty cell is 0. */
export const COUNT_CELL: CatalogCell<number> = {
  type: 'integer',
  read(text, note) {
    const count = text === '' ? 0 : parseWholeNumber(text, 0, MAX_COUNT);
    if (count === undefined) note(`must be empty or a whole number from 0 to ${MAX_COUNT}`);
    return count ?? null;
  },
  stage: (count) => count,
  write: (count) => (count === 0 ? '' : String(count)),
};

const MAX_ADDRESSES = 20;
const MAX_ADDRESS_LENGTH = 2_000;

export const ADDRESSES_CELL: CatalogCell<string[]> = {
  ...UNCHANGED,
  type: 'text[]',
  read(text, note) {
    const addresses = text === '' ? [] : text.split(/\s+/);
    if (addresses.length > MAX_ADDRESSES) note(`must be at most ${MAX_ADDRESSES}`);
    const bad = addresses.find(
      (each) => each.length > MAX_ADDRESS_LENGTH || !(isWebAddress(each) || isOwnPicture(each)),
    );
    if (bad === undefined) return addresses;
    const quoted = JSON.stringify(bad.slice(0, 80));
    note(`must be http or https addresses separated by spaces; ${quoted} is not one`);
    return null;
  },
  write: (addresses) => addresses.join(' '),
};

export const VARIATIONS_CELL: CatalogCell<Variation[]> = {
  type: 'jsonb',
  read(text, note) {
    const parsed = parseVariations(text);
    const faults = 'fault' in parsed ? [parsed.fault] : validateVariations(parsed);
    if (faults.length === 0 && !('fault' in parsed)) return parsed;
    note(faults.join(' '));
    return null;
  },
  stage: (variations) => JSON.stringify(variations),
  write: formatVariations,
};

/** In a file it is an empty cell, because NULL means that the file lacks the column. */
export const NO_RATE = '-1';

/** A rate in percent, as numeric text. */
const RATE_CELL: CatalogCell<string | null> = {
  type: 'numeric(5,2)',
  read(text, note, law) {
    if (text === '') return NO_RATE;
    const parsed = parsePercent(text);
    const fault = 'fault' in parsed ? parsed.fault : gstRateFault(parsed.hundredths, law);
    if (fault === undefined && 'hundredths' in parsed) return numericFromMinor(parsed.hundredths);
    note(fault!);
    return null;
  },
  stage: (rate) => rate,
  write: (rate) => (rate === null ? '' : `${Number(rate)}`),
};

/** An empty cell is "taxable". */
const TREATMENT_CELL: CatalogCell<string> = {
  type: 'text',
  read(text, note) {
    const value = text.toLowerCase().replaceAll(/[ -]/g, '_') || 'taxable';
    if (Object.hasOwn(GST_TREATMENTS, value)) return value;
    note(`must be empty or one of ${Object.keys(GST_TREATMENTS).join(', ')}`);
    return null;
  },
  stage: (value) => value,
  write: (value) => (value === 'taxable' ? '' : value),
};

const UNIT_CELL: CatalogCell<string> = {
  ...UNCHANGED,
  type: 'text',
  read(text, note) {
    const code = text.toUpperCase();
    const fault = code === '' ? undefined : unitCodeFault(code);
    if (fault === undefined) return code;
    note(fault);
    return null;
  },
};

function addressFault(text: string, maxLength: number): string | undefined {
  if (text === '' || (isWebAddress(text) && text.length <= maxLength)) return undefined;
  return `must be empty or an http or https address of at most ${maxLength} characters`;
}

interface ProductField<Value> extends DescribedField, CatalogCell<Value> {
  /** The value for a new product, in SQL. A column without it is required. */
  preset?: string;
  /** In a file it may have a decimal comma. */
  isDecimal?: true;
  /** An amount in the currency. */
  isAmount?: true;
}

const AMOUNT = { ...AMOUNT_CELL, isDecimal: true, isAmount: true } as const;
const EMPTY = `''`;

/**
 * The fields of a product that people set, by the columns of the table and of the catalog file. Reading,
 * export, SQL, pages and commands follow from this list.
 */
export const PRODUCT_FIELDS = {
  sku: { ...textCell(keyFault, 64), label: 'SKU' },
  name: { ...textCell(lineFault, 200), label: 'Name' },
  description: { ...textCell(paragraphFault, 5_000), label: 'Description', lines: 6, preset: EMPTY },
  category: { ...textCell(optionalLineFault, 100), label: 'Category', preset: EMPTY },
  images: {
    ...ADDRESSES_CELL,
    label: 'Pictures',
    hint: 'Addresses, separated by spaces',
    lines: 3,
    preset: `'{}'`,
  },
  base_price: { ...AMOUNT, label: 'Base price', hint: 'Before the discounts of the plans, such as 249.50' },
  delivery_charge: {
    ...AMOUNT,
    label: 'Delivery charge',
    hint: 'Added once to each order with the product, for any quantity; 0: free',
  },
  active: { ...BOOLEAN_CELL, label: 'For sale', hint: 'yes or no', preset: 'true', isSwitch: true },
  variations: {
    ...VARIATIONS_CELL,
    label: 'Variations',
    hint: 'Such as Color=Red|Blue; Size=S|M',
    lines: 2,
    preset: `'[]'`,
  },
  low_stock: { ...COUNT_CELL, label: 'Low stock below', hint: 'Its own threshold; 0: none', preset: '0' },
  shelf: {
    ...textCell(optionalLineFault, 40),
    label: 'Shelf',
    hint: 'Where it lies in the warehouse, such as A-12-3',
    preset: EMPTY,
  },
  hsn: {
    ...textCell((text, _, law) => hsnFault(text, law), 8),
    label: 'HSN code',
    hint: 'Such as 6109',
    preset: EMPTY,
  },
  gst_rate: {
    ...RATE_CELL,
    label: 'GST rate in percent',
    hint: 'Such as 18',
    preset: NO_RATE,
    isDecimal: true,
  },
  gst_treatment: {
    ...TREATMENT_CELL,
    label: 'GST treatment',
    hint: 'At the rate 0: nil_rated, exempt or non_gst; empty: taxable',
    options: Object.entries(GST_TREATMENTS).map(([value, text]) => ({
      value: value === 'taxable' ? '' : value,
      text,
    })),
    preset: `'taxable'`,
  },
  unit: { ...UNIT_CELL, label: 'Unit of GST', hint: 'Such as NOS, PCS or KGS', preset: EMPTY },
  barcode: {
    ...textCell(barcodeFault, 14),
    label: 'Barcode',
    hint: 'EAN, UPC or GTIN. Empty if each variation has its own',
    preset: EMPTY,
  },
  weight_grams: {
    ...COUNT_CELL,
    label: 'Weight in grams',
    hint: 'Of one unit, packed; empty: not known',
    preset: '0',
  },
  mrp: {
    ...OPTIONAL_AMOUNT_CELL,
    label: 'MRP',
    hint: 'The maximum retail price of one unit, with all taxes',
    preset: '0',
    isDecimal: true,
    isAmount: true,
  },
  country_of_origin: { ...COUNTRY_CELL, label: 'Country of origin', hint: 'Such as India', preset: EMPTY },
  manufacturer: {
    ...textCell(optionalLineFault, 500),
    label: 'Manufacturer or importer',
    hint: 'Name and address, as on the pack',
    preset: EMPTY,
  },
  net_quantity: {
    ...textCell(optionalLineFault, 60),
    label: 'Net quantity',
    hint: 'As on the pack, such as 250 g or 1 N',
    preset: EMPTY,
  },
  details_url: {
    ...textCell(addressFault, MAX_ADDRESS_LENGTH),
    label: 'Page of details',
    hint: 'An address that starts with https://',
    preset: EMPTY,
  },
} as const satisfies Record<string, ProductField<unknown>>;

export type CatalogColumn = keyof typeof PRODUCT_FIELDS;

export type CatalogProduct = {
  [Column in CatalogColumn]: (typeof PRODUCT_FIELDS)[Column] extends CatalogCell<infer Value> ? Value : never;
};

/** A row as written to the file. */
export type CatalogRow = Record<CatalogColumn, string | boolean>;

type ReadProduct = { [Column in CatalogColumn]: CatalogProduct[Column] | null };

const fieldOf = (column: CatalogColumn): ProductField<unknown> => PRODUCT_FIELDS[column];

export const CATALOG_COLUMNS = Object.keys(PRODUCT_FIELDS) as CatalogColumn[];

/** All columns but the key. */
export const EDITABLE_COLUMNS = CATALOG_COLUMNS.filter((column) => column !== 'sku');

export const CATALOG_EXPORT_COLUMNS = [...CATALOG_COLUMNS, WAS] as const;

/** `was` shows later whether the stored product has changed. */
export type ExportedProduct = CatalogRow & { [WAS]: string };

export const CATALOG_COLUMN_TYPES = forEachColumn((_, { type }) => type);

export const CATALOG_PRESETS = forEachColumn((_, { preset }) => preset);

export const DECIMAL_COLUMNS = CATALOG_COLUMNS.filter((column) => fieldOf(column).isDecimal);

export const isAmount = (column: CatalogColumn) => fieldOf(column).isAmount === true;

/** A value is null if the cell is bad or the file lacks the column. */
export function readCatalogRow(
  row: Readonly<Record<CatalogColumn, string>>,
  note: NoteFault,
  presentColumns: ReadonlySet<string>,
  law: GoodsLaw,
): ReadProduct {
  return forEachColumn((column, cell) =>
    presentColumns.has(column) ? cell.read(row[column], (fault) => note(column, fault), law) : null,
  ) as ReadProduct;
}

export function stagedProduct(product: ReadProduct): Record<CatalogColumn, StagedValue> {
  return forEachColumn((column, cell) => (product[column] === null ? null : cell.stage(product[column])));
}

export function catalogRow(product: CatalogProduct): CatalogRow {
  return forEachColumn((column, cell) => cell.write(product[column]));
}

function forEachColumn<Made>(
  make: (column: CatalogColumn, field: ProductField<unknown>) => Made,
): Record<CatalogColumn, Made> {
  const made = {} as Record<CatalogColumn, Made>;
  for (const column of CATALOG_COLUMNS) made[column] = make(column, fieldOf(column));
  return made;
}
