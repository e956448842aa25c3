import { Injectable } from '@nestjs/common';
import type { ImportOptions } from '../imports/import-kind.js';
import type { ImportReport } from '../imports/import-report.js';
import { Importer } from '../imports/importer.service.js';
import type { RecordSource } from '../imports/record-source.js';
import { WAS } from '../imports/import-guards.js';
import { Database } from '../platform/database/database.js';
import { PRICE_FINGERPRINT, PRICE_IMPORT, type PriceRow } from './price-import.js';

/** SQL, because it is streamed from a cursor: the rows may be plans times products. */
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

  /** Only fixed prices. Discounted prices are not stored. */
  export(): AsyncGenerator<PriceRow> {
    return this.database.stream<PriceRow>(EXPORT);
  }
}
