import { Injectable } from '@nestjs/common';
import type { ImportOptions } from '../imports/import-kind.js';
import type { ImportReport } from '../imports/import-report.js';
import { Importer } from '../imports/importer.service.js';
import type { RecordSource } from '../imports/record-source.js';
import { fingerprint, WAS } from '../imports/import-guards.js';
import { isStorableText } from '../platform/validation/texts.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { CATALOG_COLUMNS, type CatalogProduct, catalogRow, type ExportedProduct } from './catalog-columns.js';
import { CATALOG_IMPORT } from './catalog-import.js';

/** SQL, because it is streamed from a cursor: a catalog of any size needs little memory. */
const SELECT = `
  SELECT ${CATALOG_COLUMNS.join(', ')}, ${fingerprint(CATALOG_COLUMNS)} AS ${WAS} FROM products`;

const EXPORT = `${SELECT} ORDER BY id`;

const EXPORT_ONE = { text: `${SELECT} WHERE sku = $1` };

type Stored = CatalogProduct & { was: string };

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
    for await (const product of this.database.stream<Stored>(EXPORT)) yield exported(product);
  }

  /** The row of one product. */
  async exported(sku: string): Promise<ExportedProduct> {
    const [product] = isStorableText(sku) ? await this.database.query<Stored>(EXPORT_ONE, [sku]) : [];
    if (!product) throw new DomainError('product_not_found', `There is no product "${sku}".`);
    return exported(product);
  }
}

function exported(product: Stored): ExportedProduct {
  return { ...catalogRow(product), was: product.was };
}
