import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { RowFault, ImportOptions } from '../imports/import-kind.js';
import { rowsSource } from '../imports/record-source.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { ProductRepository } from '../products/product.repository.js';
import { CATALOG_COLUMNS, type CatalogColumn, type CatalogRow, catalogRow } from './catalog-columns.js';
import { CatalogFiles } from './catalog-files.service.js';

/** Each value as a cell of the catalog file. */
export type ProductChange = Partial<Record<Exclude<CatalogColumn, 'sku'>, string>>;

export interface ProductSet {
  product: CatalogRow;
  changed: { column: string; from: string | boolean; to: string | boolean }[];
  warnings: RowFault[];
}

/** Commands for single products. A change is an import of one row, with the same checks. */
@Injectable()
export class ProductAdministration {
  constructor(
    private readonly products: ProductRepository,
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

  /** Existing orders still get the product. */
  deactivate(sku: string, options: ImportOptions): Promise<ProductSet> {
    return this.set(sku, { active: 'false' }, options);
  }

  private async find(sku: string): Promise<CatalogRow> {
    const product = await this.products.bySku(sku);
    const { basePrice: base_price, deliveryCharge: delivery_charge, lowStock: low_stock } = product;
    return catalogRow({ ...product, base_price, delivery_charge, low_stock });
  }
}

function listOf(faults: AsyncIterable<RowFault>): Promise<RowFault[]> {
  return Readable.from(faults).toArray();
}

function sentence({ column, message }: RowFault): string {
  return `${column === '' ? 'The product' : column} ${message}.`;
}
