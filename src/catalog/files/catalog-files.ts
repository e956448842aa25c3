import { Injectable } from '@nestjs/common';
import { Importer } from '../../imports/importer.js';
import type { ImportOptions, ImportReport } from '../../imports/import-report.js';
import type { RecordSource } from '../../imports/record-source.js';
import { Database } from '../../platform/database/database.js';
import { CATALOG_COLUMNS, type CatalogProduct, type CatalogRow, catalogRow } from './catalog-columns.js';
import { CATALOG_IMPORT } from './catalog-import.js';

/** Read through a cursor, so that a catalog of any size takes no memory: that is SQL. */
const EXPORT = `SELECT ${CATALOG_COLUMNS.join(', ')} FROM products ORDER BY id`;

@Injectable()
export class CatalogFiles {
  constructor(
    private readonly database: Database,
    private readonly importer: Importer,
  ) {}

  import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    return this.importer.run(CATALOG_IMPORT, source, options);
  }

  async *export(): AsyncGenerator<CatalogRow> {
    for await (const product of this.database.stream<CatalogProduct>(EXPORT)) yield catalogRow(product);
  }
}
