import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Database, type Transaction, requireOwner } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireTax, SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { dayAt } from '../../platform/time/time.js';
import { DatabaseGeneration } from '../../read-model/generation/database-generation.entity.js';
import { DocumentSeries } from './entities/tax-document.entity.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { InvoicesRepository, type NumberingState } from './invoices.repository.js';
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

interface NumbersToContinue {
  skips: NumberSkip[];
  /** New documents wait for this, because a backup was restored. */
  isHeld: boolean;
  /** The last numbers of the other series of the year, which go on as they are. */
  others: string[];
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
  plan(numbers: readonly string[]): Promise<NumbersToContinue> {
    return this.database.transaction(async (transaction) => (await this.planIn(transaction, numbers)).plan);
  }

  /** Skips the numbers up to these: their documents were issued after the backup. Then all series go on. */
  async continueAfter(numbers: readonly string[], actor: string): Promise<NumbersToContinue> {
    return this.database.transaction(async (transaction) => {
      const { plan, rows } = await this.planIn(transaction, numbers);
      for (const { series, skipped } of plan.skips) {
        if (!skipped) continue;
        const entry = { action: 'series.continued', subject: `series ${series}`, details: skipped } as const;
        await this.audit.recordWithin(transaction, { ...entry, actor, clientId: null });
      }
      await transaction.manager.save(DocumentSeries, rows);
      if (plan.isHeld) {
        await transaction.manager.update(DatabaseGeneration, { onlyRow: true }, { restoredAt: null });
        const entry = {
          action: 'series.released',
          subject: 'series',
          details: { others: plan.others.join(', ') },
        } as const;
        await this.audit.recordWithin(transaction, { ...entry, actor, clientId: null });
      }
      return plan;
    });
  }

  private async planIn(transaction: Transaction, numbers: readonly string[]) {
    requireTax(this.settings);
    await requireOwner(transaction, 'document_series', 'skip numbers');
    await this.documents.lockSellers(transaction);
    const state = await this.documents.readNumberingState(transaction);
    const year = financialYear(dayAt(state.now, LAW_TIME_ZONE));
    const planned = numbers.map((number) => planSkip(state, year, number));
    const named = planned.map(({ skip }) => skip.series);
    const twice = named.find((series, index) => named.indexOf(series) !== index);
    if (twice !== undefined) throw new DomainError('invalid_value', `Name one number of ${twice}, the last.`);
    const others = state.series.filter((one) => one.year === year && !named.includes(seriesName(one)));
    const plan: NumbersToContinue = {
      skips: planned.map(({ skip }) => skip),
      isHeld: state.isHeld,
      others: others.map((one) => formatDocumentNumber(one, one.last)),
    };
    return { plan, rows: planned.map(({ row }) => row) };
  }
}

function planSkip({ sellers, series }: NumberingState, current: string, number: string) {
  const read = parseDocumentNumber(number.trim().toUpperCase());
  if (!read)
    throw new DomainError('invalid_value', 'Give a complete document number, such as INV-2627-0000001.');
  const { count, ...named } = read;
  const { kind, year, seller }: SeriesKey = named;
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
  const skip: NumberSkip = {
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
  };
  return { row: { ...named, last: last + added, skipped: skipped + added }, skip };
}
