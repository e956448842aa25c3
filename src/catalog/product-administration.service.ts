import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { RowFault, ImportOptions } from '../imports/import-kind.js';
import { rowsSource } from '../imports/record-source.js';
import { withDecimalPoint } from '../imports/cells.js';
import { type Dates, PriceSchedules, type Scheduled } from '../plans/price-schedules.service.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { numericFromMinor, parseMoney } from '../platform/money/money.js';
import { Product } from '../products/product.entity.js';
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

export interface PriceScheduled extends Scheduled {
  sku: string;
  old: string;
  new: string;
  warnings: RowFault[];
}

/** Commands for single products. A change is an import of one row, with the same checks. */
@Injectable()
export class ProductAdministration {
  constructor(
    private readonly products: ProductRepository,
    private readonly files: CatalogFiles,
    private readonly database: Database,
    private readonly schedules: PriceSchedules,
  ) {}

  async set(sku: string, change: ProductChange, options: ImportOptions): Promise<ProductSet> {
    const before = await this.find(sku);
    const warnings = await this.import(sku, change, options);
    const product = await this.find(sku);
    const changed = CATALOG_COLUMNS.map((column) => ({ column, from: before[column], to: product[column] }));
    return { product, changed: changed.filter(({ from, to }) => from !== to), warnings };
  }

  /** A base price that begins later, with the same checks. */
  async schedule(
    sku: string,
    change: ProductChange,
    dates: Dates,
    options: ImportOptions,
  ): Promise<PriceScheduled> {
    const period = await this.schedules.periodOf(dates);
    if (!period || Object.keys(change).join() !== 'base_price')
      throw new DomainError('invalid_value', 'Only a base price can have a date: --base-price with --from.');
    await this.find(sku);
    const warnings = await this.import(sku, change, { ...options, dryRun: true });
    const parsed = parseMoney(withDecimalPoint(change.base_price!));
    if ('fault' in parsed) throw new DomainError('invalid_value', `base_price ${parsed.fault}.`);
    const value = numericFromMinor(parsed.minor);
    return this.database.transaction(async (transaction) => {
      const lock = { mode: 'for_no_key_update' } as const;
      const product = await transaction.manager.findOneOrFail(Product, { where: { sku }, lock });
      const price = { productId: product.id, value, period, actor: options.actor };
      const scheduled = await this.schedules.add(transaction, price);
      return { ...scheduled, sku, old: product.basePrice, new: value, warnings };
    });
  }

  private async import(sku: string, change: ProductChange, options: ImportOptions): Promise<RowFault[]> {
    const source = rowsSource(['sku', ...Object.keys(change)], [sku, ...Object.values(change)]);
    const report = await this.files.import(source, { ...options, updateOnly: true, allOrNothing: true });
    try {
      const faults = await listOf(report.failed());
      if (faults.length > 0) throw new DomainError('invalid_value', faults.map(sentence).join(' '));
      return await listOf(report.warnings());
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
    return catalogRow({ ...product, base_price, delivery_charge, low_stock, gst_rate: product.gstRate });
  }
}

function listOf(faults: AsyncIterable<RowFault>): Promise<RowFault[]> {
  return Readable.from(faults).toArray();
}

function sentence({ column, message }: RowFault): string {
  return `${column === '' ? 'The product' : column} ${message}.`;
}
