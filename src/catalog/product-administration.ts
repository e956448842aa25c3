import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { RowFault } from '../imports/import-kind.js';
import type { ImportOptions } from '../imports/import-report.js';
import { rowsSource } from '../imports/rows-source.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import {
  CATALOG_COLUMNS,
  type CatalogColumn,
  type CatalogProduct,
  type CatalogRow,
  catalogRow,
} from './files/catalog-columns.js';
import { CatalogFiles } from './files/catalog-files.js';

/** What a product may be changed to, each as it would stand in a cell of the catalog file. */
export type ProductChange = Partial<Record<Exclude<CatalogColumn, 'sku'>, string>>;

export interface ProductSet {
  product: CatalogRow;
  changed: { column: string; from: string | boolean; to: string | boolean }[];
  warnings: RowFault[];
}

const FIND = {
  name: 'product-row',
  text: `SELECT ${CATALOG_COLUMNS.join(', ')} FROM products WHERE sku = $1`,
};

/** Single products, changed by command. A change is an import of one row, so the same is checked and held back. */
@Injectable()
export class ProductAdministration {
  constructor(
    private readonly database: Database,
    private readonly files: CatalogFiles,
  ) {}

  async set(sku: string, change: ProductChange, options: ImportOptions): Promise<ProductSet> {
    const before = await this.find(sku);
    const source = rowsSource(['sku', ...Object.keys(change)], [sku, ...Object.values(change)]);
    const report = await this.files.import(source, { ...options, updateOnly: true, allOrNothing: true });
    try {
      const faults = await listOf(report.failed());
      if (faults.length > 0) throw new DomainError('invalid_value', faults.map(sentence).join(' '));
      const product = await this.find(sku);
      const changed = CATALOG_COLUMNS.map((column) => ({
        column,
        from: before[column],
        to: product[column],
      }));
      return {
        product,
        changed: changed.filter(({ from, to }) => from !== to),
        warnings: await listOf(report.warnings()),
      };
    } finally {
      await report.close();
    }
  }

  /** Ends its sale. Orders that were placed before still get it. */
  deactivate(sku: string, options: ImportOptions): Promise<ProductSet> {
    return this.set(sku, { active: 'false' }, options);
  }

  private async find(sku: string): Promise<CatalogRow> {
    const [product] = await this.database.query<CatalogProduct>(FIND, [sku]);
    if (!product) throw new DomainError('product_not_found', `There is no product "${sku}".`);
    return catalogRow(product);
  }
}

function listOf(faults: AsyncIterable<RowFault>): Promise<RowFault[]> {
  return Readable.from(faults).toArray();
}

function sentence({ column, message }: RowFault): string {
  return `${column === '' ? 'The product' : column} ${message}.`;
}
