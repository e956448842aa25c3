import { Inject, Injectable } from '@nestjs/common';
import type { CatalogColumn } from '../modules/catalog/catalog-columns.js';
import { CatalogFiles } from '../modules/catalog/catalog-files.service.js';
import { formatVariations } from '../modules/catalog/rules/variations-cell.js';
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

/** Other columns keep their defaults. */
export const SYNTHETIC_COLUMNS = [
  'sku',
  'name',
  'description',
  'category',
  'images',
  'base_price',
  'delivery_charge',
  'active',
  'variations',
] as const satisfies readonly CatalogColumn[];

/** Rows of the two files. */
interface SyntheticProduct {
  catalog: string[][];
  stock: string[][];
}

/** Makes the same products in every run: measurements are comparable, and a second import changes nothing. */
export function* syntheticProducts(count: number): Generator<SyntheticProduct> {
  for (let number = 1; number <= count; number++) yield syntheticProduct(number);
}

function syntheticProduct(number: number): SyntheticProduct {
  const sku = `SYN-${String(number).padStart(7, '0')}`;
  const name = `Sample product ${number}`;
  const category = `Category ${1 + (number % CATEGORIES)}`;
  const row = [
    sku,
    name,
    `${name} of ${category}, packed singly in a carton of twelve and sent within two days.`,
    category,
    `https://images.example.com/products/${sku.toLowerCase()}-1.jpg`,
    numericFromMinor(5_000 + spread(number, 450_000)),
    numericFromMinor(3_000 + spread(number + 1, 9_000)),
    'true',
    formatVariations([{ name: 'Size', values: SIZES }]),
  ];
  const stock = SIZES.map((size, at) => [sku, `Size:${size}`, String(spread(number * 3 + at, 500))]);
  return { catalog: [row], stock };
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
    const products = await this.catalog.import(sourceOf('catalog', SYNTHETIC_COLUMNS, count), options);
    await products.close();
    const stock = await this.stock.import(sourceOf('stock', STOCK_COLUMNS, count), options);
    await stock.close();
    return { products: countsOf(products), stock: countsOf(stock) };
  }
}

function countsOf({ created, updated, unchanged }: ImportReport): RowCounts {
  return { created, updated, unchanged };
}

function sourceOf(file: keyof SyntheticProduct, heading: readonly string[], count: number): RecordSource {
  return {
    async *batches() {
      let line = 1;
      let products = 0;
      let records: FileRecord[] = [{ line, cells: [...heading] }];
      for (const product of syntheticProducts(count)) {
        products++;
        for (const cells of product[file]) records.push({ line: ++line, cells });
        if (records.length < BATCH) continue;
        yield { records, progress: products / count };
        records = [];
      }
      yield { records, progress: 1 };
    },
  };
}
