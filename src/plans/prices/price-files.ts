import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Importer } from '../../imports/importer.js';
import type { ImportOptions, ImportReport } from '../../imports/import-report.js';
import type { RecordSource } from '../../imports/record-source.js';
import { WAS } from '../../imports/what-it-was.js';
import type { PriceRow } from './price-columns.js';
import { PRICE_FINGERPRINT, PRICE_IMPORT } from './price-import.js';

/** SQL, because the rows are streamed from a cursor; there may be as many as plans times products. */
const EXPORT = `
  SELECT plans.code AS plan, p.sku, fixed.price AS wholesale_price, ${PRICE_FINGERPRINT} AS ${WAS}
    FROM plan_prices fixed JOIN plans ON plans.id = fixed.plan_id JOIN products p ON p.id = fixed.product_id
   ORDER BY plans.code, p.id`;

@Injectable()
export class PriceFiles {
  constructor(
    private readonly database: Database,
    private readonly importer: Importer,
  ) {}

  import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    return this.importer.run(PRICE_IMPORT, source, options);
  }

  /** The fixed prices; what follows from a plan's discount stands nowhere. */
  export(): AsyncGenerator<PriceRow> {
    return this.database.stream<PriceRow>(EXPORT);
  }
}
