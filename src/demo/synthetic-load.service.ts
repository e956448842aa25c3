import { Inject, Injectable } from '@nestjs/common';
import { CATALOG_COLUMNS, type CatalogProduct, catalogRow } from '../modules/catalog/catalog-columns.js';
import { CatalogFiles } from '../modules/catalog/catalog-files.service.js';
import type { ImportOptions } from '../shared/imports/import-kind.js';
import type { ImportReport } from '../shared/imports/import-report.js';
import type { FileRecord, RecordSource } from '../shared/imports/record-source.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { numericFromMinor } from '../platform/money/money.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { StockFiles } from '../modules/stock/stock-files.service.js';
import { STOCK_COLUMNS } from '../modules/stock/stock-import.js';

const CATEGORIES = 40;
const SIZES = ['S', 'M', 'L'];

interface SyntheticProduct extends CatalogProduct {
  /** On hand, by stock key. A product without variations has the key `''`. */
  stock: Record<string, number>;
}

/**
 * Makes the same products in every run. So measurements can be compared, and a second import changes nothing.
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
    description:
      `Sample product ${number} of ${category}, packed singly in a carton of twelve ` +
      'and sent within two days.',
    category,
    images: [`https://images.example.com/products/${sku.toLowerCase()}-1.jpg`],
    base_price: numericFromMinor(5_000 + spread(number, 450_000)),
    delivery_charge: numericFromMinor(3_000 + spread(number + 1, 9_000)),
    active: true,
    low_stock: 0,
    shelf: '',
    hsn: '',
    gst_rate: null,
    gst_treatment: 'taxable',
    unit: '',
    barcode: '',
    weight_grams: 0,
    mrp: '0.00',
    country_of_origin: '',
    manufacturer: '',
    net_quantity: '',
    details_url: '',
    variations: sizes.length === 0 ? [] : [{ name: 'Size', values: [...sizes] }],
    stock: Object.fromEntries(keys.map((key, index) => [key, spread(number * 3 + index, 500)])),
  };
}

export function catalogRows(product: SyntheticProduct): string[][] {
  const row = catalogRow(product);
  return [CATALOG_COLUMNS.map((column) => String(row[column]))];
}

/** Its rows in the file of counts. */
export function stockRows({ sku, stock }: SyntheticProduct): string[][] {
  return Object.entries(stock).map(([key, quantity]) => [sku, key, String(quantity)]);
}

/** Spreads consecutive numbers over 0 … limit − 1 (Knuth's multiplicative hash). */
function spread(number: number, limit: number): number {
  return (Math.imul(number, 2_654_435_761) >>> 0) % limit;
}

const BATCH = 5_000;

type RowCounts = Pick<ImportReport, 'created' | 'updated' | 'unchanged'>;

/** A catalog of any size, for trials and measurements. It is imported like a file. */
@Injectable()
export class SyntheticLoad {
  constructor(
    private readonly catalog: CatalogFiles,
    private readonly stock: StockFiles,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  refuseInProduction(): void {
    if (this.settings.isProduction)
      throw new DomainError('conflict', 'No sample data is loaded in production (NODE_ENV=production).');
  }

  async load(count: number, options: ImportOptions): Promise<{ products: RowCounts; stock: RowCounts }> {
    this.refuseInProduction();
    const products = await this.catalog.import(sourceOf(CATALOG_COLUMNS, count, catalogRows), options);
    await products.close();
    const stock = await this.stock.import(sourceOf(STOCK_COLUMNS, count, stockRows), options);
    await stock.close();
    return { products: countsOf(products), stock: countsOf(stock) };
  }
}

function countsOf({ created, updated, unchanged }: ImportReport): RowCounts {
  return { created, updated, unchanged };
}

function sourceOf(
  heading: readonly string[],
  count: number,
  rowsOf: (product: SyntheticProduct) => string[][],
): RecordSource {
  return {
    async *batches() {
      let line = 1;
      let products = 0;
      let records: FileRecord[] = [{ line, cells: [...heading] }];
      for (const product of syntheticProducts(count)) {
        products++;
        for (const cells of rowsOf(product)) records.push({ line: ++line, cells });
        if (records.length < BATCH) continue;
        yield { records, progress: products / count };
        records = [];
      }
      yield { records, progress: 1 };
    },
  };
}
