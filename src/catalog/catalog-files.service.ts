import { Injectable } from '@nestjs/common';
import type { ImportOptions } from '../imports/import-kind.js';
import type { ImportReport } from '../imports/import-report.js';
import { Importer } from '../imports/importer.service.js';
import type { RecordSource } from '../imports/record-source.js';
import { fingerprint, WAS } from '../imports/import-guards.js';
import { Database } from '../platform/database/database.js';
import { CATALOG_COLUMNS, type CatalogProduct, catalogRow, type ExportedProduct } from './catalog-columns.js';
import { CATALOG_IMPORT } from './catalog-import.js';

/** SQL, because it is streamed from a cursor: a catalog of any size needs little memory. */
const EXPORT = `
  SELECT ${CATALOG_COLUMNS.join(', ')}, ${fingerprint(CATALOG_COLUMNS)} AS ${WAS} FROM products ORDER BY id`;

@Injectable()
export class CatalogFiles {
  constructor(
    private readonly database: Database,
    private readonly importer: Importer,
  ) {}

  import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    return this.importer.run(CATALOG_IMPORT, source, options);
  }

  async *export(): AsyncGenerator<ExportedProduct> {
    for await (const product of this.database.stream<CatalogProduct & { was: string }>(EXPORT))
      yield { ...catalogRow(product), was: product.was };
  }
}
