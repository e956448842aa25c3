import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Importer } from '../../imports/importer.js';
import type { ImportOptions, ImportReport } from '../../imports/import-report.js';
import type { RecordSource } from '../../imports/record-source.js';
import { WAS } from '../../imports/what-it-was.js';
import type { StockRow } from './stock-columns.js';
import { stockImport } from './stock-import.js';

/** Read through a cursor, so that any number of counts takes no memory: that is SQL. */
const EXPORT = `
  SELECT p.sku, i.variation_key AS variation, i.on_hand AS quantity, i.on_hand AS ${WAS}
    FROM stock_items i JOIN products p ON p.id = i.product_id
   ORDER BY p.id, i.id`;

/** The orders room provides it, because only that room knows which goods orders have shipped. */
export class StockFiles {
  private readonly counts: ReturnType<typeof stockImport>;

  constructor(
    private readonly database: Database,
    private readonly importer: Importer,
    shippedGoods: string,
  ) {
    this.counts = stockImport(shippedGoods);
  }

  /** The quantities are what was counted on the shelf; what orders hold of it is not touched. */
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
    throw new DomainError('invalid_value', 'Nothing can have been counted in the future.');
}
