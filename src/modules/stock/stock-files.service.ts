import type { AuditLog } from '../audit/audit-log.js';
import type { ImportOptions } from '../../shared/imports/import-kind.js';
import type { ImportReport } from '../../shared/imports/import-report.js';
import { Importer } from '../../shared/imports/importer.service.js';
import type { RecordSource } from '../../shared/imports/record-source.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { StockHoldings } from './stock-holdings.repository.js';
import { stockImport, type StockRow } from './stock-import.js';

/** The orders module provides it: only that module knows which goods were shipped. */
export class StockFiles {
  private readonly counts: ReturnType<typeof stockImport>;

  constructor(
    private readonly holdings: StockHoldings,
    private readonly importer: Importer,
    private readonly audit: AuditLog,
    shippedGoods: string,
  ) {
    this.counts = stockImport(shippedGoods);
  }

  /** The quantities are counts of goods on hand. Held goods stay held. */
  async import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    checkCountedAt(options);
    const report = await this.importer.run(this.counts, source, options);
    return this.audit.recordFile('stock counts', report, options);
  }

  export(): AsyncGenerator<StockRow> {
    return this.holdings.counts();
  }
}

function checkCountedAt({ countedAt }: ImportOptions): void {
  if (countedAt !== undefined && countedAt.getTime() > Date.now())
    throw new DomainError('invalid_value', 'The time of a count must not be in the future.');
}
