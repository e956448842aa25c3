import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Database, type Transaction, requireOwner } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireTax, SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { dayAt } from '../../platform/time/time.js';
import { DocumentSeries } from './entities/tax-document.entity.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { InvoicesRepository } from './invoices.repository.js';
import {
  financialYear,
  formatDocumentNumber,
  parseDocumentNumber,
  seriesName,
  type SeriesKey,
} from './rules/document-number.js';

interface NumberSkip {
  series: string;
  /** The numbers that no document gets. Null if the series has them already. */
  skipped: { from: string; to: string; count: number } | null;
  /** The last number after the skip. */
  last: string;
}

/** The numbers of documents after a restored backup. */
@Injectable()
export class DocumentSeriesService {
  constructor(
    private readonly database: Database,
    private readonly documents: InvoicesRepository,
    private readonly audit: AuditLog,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** A preview of `continueAfter`. */
  plan(number: string): Promise<NumberSkip> {
    return this.database.transaction(async (transaction) => (await this.planSkip(transaction, number)).skip);
  }

  /** Documents up to this number were issued after the backup. Their numbers are skipped. */
  async continueAfter(number: string, actor: string): Promise<NumberSkip> {
    return this.database.transaction(async (transaction) => {
      const { skip, row } = await this.planSkip(transaction, number);
      if (!skip.skipped) return skip;
      await transaction.manager.save(DocumentSeries, row);
      const subject = `series ${skip.series}`;
      const entry = { action: 'series.continued', subject, details: skip.skipped } as const;
      await this.audit.recordWithin(transaction, { ...entry, actor, clientId: null });
      return skip;
    });
  }

  private async planSkip(transaction: Transaction, number: string) {
    requireTax(this.settings);
    await requireOwner(transaction, 'document_series', 'skip numbers');
    const read = parseDocumentNumber(number.trim().toUpperCase());
    if (!read)
      throw new DomainError('invalid_value', 'Give a complete document number, such as INV-2627-0000001.');
    const { count, ...named } = read;
    const { kind, year, seller }: SeriesKey = named;
    await this.documents.lockSellers(transaction);
    const { now, sellers, series } = await this.documents.readNumberingState(transaction);
    const current = financialYear(dayAt(now, LAW_TIME_ZONE));
    if (year !== current)
      throw new DomainError(
        'invalid_value',
        `Only series of this financial year can go on, such as ${seriesName({ ...named, year: current })}.`,
      );
    if (seller > 1 && !sellers.some(({ id }) => id === seller))
      throw new DomainError(
        'invalid_value',
        `First set the registration with the series ${seriesName(named)}.`,
      );
    const found = series.find((one) => one.kind === kind && one.year === year && one.seller === seller);
    const { last, skipped } = found ?? { last: 0, skipped: 0 };
    const added = Math.max(0, count - last);
    return {
      row: { ...named, last: last + added, skipped: skipped + added },
      skip: {
        series: seriesName(named),
        skipped:
          added > 0
            ? {
                from: formatDocumentNumber(named, last + 1),
                to: formatDocumentNumber(named, count),
                count: added,
              }
            : null,
        last: formatDocumentNumber(named, last + added),
      },
    };
  }
}
