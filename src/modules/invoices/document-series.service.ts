import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.js';
import { Database, type Transaction, requireOwner } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { requireTax, SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { DatabaseGeneration } from '../../read-model/generation/database-generation.entity.js';
import { DocumentSeries } from './entities/tax-document.entity.js';
import { InvoicesRepository } from './invoices.repository.js';
import { type OpenSeries, openSeries } from './issuing/numbers.js';
import { formatDocumentNumber, parseDocumentNumber, seriesName } from './rules/document-number.js';

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
    const open = await openSeries(this.documents, transaction);
    const planned = numbers.map((number) => planSkip(open, number));
    const named = planned.map(({ skip }) => skip.series);
    const twice = named.find((series, index) => named.indexOf(series) !== index);
    if (twice !== undefined) throw new DomainError('invalid_value', `Name one number of ${twice}, the last.`);
    const others = open.series.filter((one) => !named.includes(seriesName(one)));
    const plan: NumbersToContinue = {
      skips: planned.map(({ skip }) => skip),
      isHeld: open.isHeld,
      others: others.map((one) => formatDocumentNumber(one, one.last)),
    };
    return { plan, rows: planned.map(({ row }) => row) };
  }
}

function planSkip({ sellers, series, year: current }: OpenSeries, number: string) {
  const read = parseDocumentNumber(number.trim().toUpperCase());
  if (!read)
    throw new DomainError('invalid_value', 'Give a complete document number, such as INV-2627-0000001.');
  const { count, ...named } = read;
  const { kind, year, seller } = named;
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
  const found = series.find((one) => one.kind === kind && one.seller === seller);
  const { last, skipped } = found ?? { last: 0, skipped: 0 };
  const added = Math.max(0, count - last);
  const to = formatDocumentNumber(named, last + added);
  const range = added > 0 ? { from: formatDocumentNumber(named, last + 1), to, count: added } : null;
  const skip: NumberSkip = { series: seriesName(named), skipped: range, last: to };
  return { row: { ...named, last: last + added, skipped: skipped + added }, skip };
}
