import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import type { ImportOptions } from '../../shared/imports/import-kind.js';
import type { ImportReport } from '../../shared/imports/import-report.js';
import { Importer } from '../../shared/imports/importer.service.js';
import type { RecordSource } from '../../shared/imports/record-source.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { catalogRow, type ExportedProduct } from './catalog-columns.js';
import { catalogImport } from './catalog-import.js';
import { type MarkedProduct, ProductRepository } from './product.repository.js';

@Injectable()
export class CatalogFiles {
  constructor(
    private readonly products: ProductRepository,
    private readonly importer: Importer,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly audit: AuditLog,
  ) {}

  async import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    const kind = catalogImport(this.settings, options.newDeliveryCharge);
    const report = await this.importer.run(kind, source, options);
    return this.audit.recordFile('catalog', report, options);
  }

  async *export(): AsyncGenerator<ExportedProduct> {
    for await (const product of this.products.marked()) yield exported(product);
  }

  has(sku: string): Promise<boolean> {
    return this.products.has(sku);
  }

  /** The row of one product. */
  async exported(sku: string): Promise<ExportedProduct> {
    return exported(await this.products.markedBySku(sku));
  }
}

function exported(product: MarkedProduct): ExportedProduct {
  return { ...catalogRow(product), was: product.was };
}
