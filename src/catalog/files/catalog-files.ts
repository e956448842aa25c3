import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Importer } from '../../imports/importer.js';
import type { ImportOptions, ImportReport } from '../../imports/import-report.js';
import type { RecordSource } from '../../imports/record-source.js';
import { CATALOG_IMPORT } from './catalog-import.js';
import { formatVariations } from '../rules/variation-list.js';
import type { Variation } from '../../read-model/products/variations.js';

const EXPORT = `
  SELECT sku, name, description, category, array_to_string(images, ' ') AS images, base_price, delivery_charge, active, variations
    FROM products
   ORDER BY id`;

interface ExportedRow {
  sku: string;
  name: string;
  description: string;
  category: string;
  images: string;
  base_price: string;
  delivery_charge: string;
  active: boolean;
  variations: Variation[];
}

export type CatalogRow = Omit<ExportedRow, 'variations'> & { variations: string };

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
    for await (const row of this.database.stream<ExportedRow>(EXPORT)) {
      yield { ...row, variations: formatVariations(row.variations) };
    }
  }
}
