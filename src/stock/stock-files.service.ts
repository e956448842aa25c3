import type { ImportOptions } from '../imports/import-kind.js';
import type { ImportReport } from '../imports/import-report.js';
import { Importer } from '../imports/importer.service.js';
import type { RecordSource } from '../imports/record-source.js';
import { WAS } from '../imports/import-guards.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { stockImport, type StockRow } from './stock-import.js';

/** SQL, because a cursor streams it: memory does not grow with the number of counts. */
const EXPORT = `
  SELECT p.sku, i.variation_key AS variation, i.on_hand AS quantity, i.on_hand AS ${WAS}
    FROM stock_items i JOIN products p ON p.id = i.product_id
   ORDER BY p.id, i.id`;

/** The orders room provides it: only that room knows which goods were shipped. */
export class StockFiles {
  private readonly counts: ReturnType<typeof stockImport>;

  constructor(
    private readonly database: Database,
    private readonly importer: Importer,
    shippedGoods: string,
  ) {
    this.counts = stockImport(shippedGoods);
  }

  /** The quantities are counts of goods on hand. Held goods stay held. */
  import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    checkCountedAt(options);
    return this.importer.run(this.counts, source, options);
  }

  export(): AsyncGenerator<StockRow> {
    return this.database.stream<StockRow>(EXPORT);
  }
}

function checkCountedAt({ countedAt }: ImportOptions): void {
  if (countedAt !== undefined && countedAt.getTime() > Date.now())
    throw new DomainError('invalid_value', 'The time of a count must not be in the future.');
}
