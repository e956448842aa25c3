import { Injectable } from '@nestjs/common';
import { actorOf, type Author } from '../audit/actor-of.js';
import { AuditLog, authorOf } from '../audit/audit-log.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { formatMonth } from '../../platform/formats.js';
import { dayAt, type Month, monthsBetween } from '../../platform/time/time.js';
import { readLine } from '../../platform/validation/texts.js';
import { FiledReturn } from './entities/filed-return.entity.js';
import type { Seller } from './entities/tax-document.entity.js';
import { FiledReturnsRepository } from './filed-returns.repository.js';
import { GstReportService } from './gst-report.service.js';
import { InvoicesRepository } from './invoices.repository.js';
import { filedMonthError, formatFiled, readArn } from './rules/filed-return.js';
import { LAW_TIME_ZONE, lateReturn, monthOfDocuments } from './rules/law-time-zone.js';
import { sellerOn } from './rules/registrations.js';
import { monthsOf, type ReturnPeriod } from './rules/return-period.js';

/** The months whose return was filed at the portal, as a person says. */
@Injectable()
export class FiledReturnsService {
  constructor(
    private readonly database: Database,
    private readonly filed: FiledReturnsRepository,
    private readonly documents: InvoicesRepository,
    private readonly returns: GstReportService,
    private readonly audit: AuditLog,
  ) {}

  /** Marks the months of the period, each once. */
  async mark(
    period: ReturnPeriod,
    { gstin: requested, arn = '' }: { gstin?: string | undefined; arn?: string },
    by: Author,
  ): Promise<FiledReturn[]> {
    const [gstin, months] = [await this.gstinOf(period, requested), allMonthsOf(period)];
    const values = { gstin, actor: actorOf(by), arn: readArn(arn) };
    if (months.at(-1)! >= monthOfDocuments())
      throw new DomainError(
        'conflict',
        `${formatMonth(period)} is not over in India, so its return is not final.`,
      );
    return this.change(period, gstin, async (transaction, before) => {
      if (before[0]) throw new DomainError('conflict', formatFiled(before[0]));
      await transaction.manager.insert(
        FiledReturn,
        months.map((month) => ({ period: month, ...values })),
      );
      await this.record(transaction, by, 'return.filed', period, { gstin, arn: values.arn });
    });
  }

  /** Late parcels can be recorded again, and the changes count from the next mark. */
  async takeBack(
    period: ReturnPeriod,
    { gstin: requested, reason: text }: { gstin?: string | undefined; reason: string },
    by: Author,
  ): Promise<void> {
    const reason = readLine('reason', text, 200);
    const gstin = await this.gstinOf(period, requested);
    await this.change(period, gstin, async (transaction, before) => {
      if (before.length === 0) throw new DomainError('conflict', `${period} is not marked as filed.`);
      await transaction.manager.remove(before);
      await this.record(transaction, by, 'return.filing_taken_back', period, { gstin, reason });
    });
  }

  /** The lock lets parcels of these months be recorded before the mark or be refused after it. */
  private change(
    period: ReturnPeriod,
    gstin: string,
    work: (transaction: Transaction, before: FiledReturn[]) => Promise<void>,
  ): Promise<FiledReturn[]> {
    return this.database.transaction(async (transaction) => {
      await this.documents.lockSellers(transaction);
      const read = () => this.filed.list(transaction, [gstin], allMonthsOf(period));
      await work(transaction, await read());
      return read();
    });
  }

  /** Goods that left in a filed month. The lock keeps the mark from being set before the documents are. */
  async refuseFiledMonths(
    transaction: Transaction,
    sellers: readonly Seller[],
    leaving: readonly Date[],
  ): Promise<void> {
    const late = leaving.flatMap((leftAt) => {
      const month = lateReturn(leftAt);
      return month === undefined ? [] : [{ month, leftOn: dayAt(leftAt, LAW_TIME_ZONE) }];
    });
    if (late.length === 0) return;
    await this.documents.lockSellers(transaction);
    const gstins = sellers.map(({ gstin }) => gstin);
    const months = late.map(({ month }) => month);
    const marks = await this.filed.list(transaction, gstins, months);
    for (const { month, leftOn } of late) {
      const gstin = sellerOn(sellers, leftOn)?.gstin;
      const filed = marks.find((one) => one.period === month && one.gstin === gstin);
      if (filed) throw filedMonthError(filed, leftOn);
    }
  }

  private record(
    transaction: Transaction,
    by: Author,
    action: 'return.filed' | 'return.filing_taken_back',
    period: ReturnPeriod,
    details: Record<string, string | null>,
  ): Promise<void> {
    const entry = { action, subject: `return ${period}`, details };
    return this.audit.recordWithin(transaction, { ...entry, ...authorOf(by, null) });
  }

  private async gstinOf(period: ReturnPeriod, requested?: string): Promise<string> {
    const { gstin, others } = await this.returns.summaryOf(period, requested);
    if (gstin === null) throw new DomainError('conflict', 'There is no seller, so there is no return.');
    if (requested === undefined && others.length > 0)
      throw new DomainError(
        'conflict',
        `${period} has several returns. Choose a GSTIN: ${[gstin, ...others].join(', ')}.`,
      );
    return gstin;
  }
}

function allMonthsOf(period: ReturnPeriod): Month[] {
  return monthsBetween(...monthsOf(period)).toReversed();
}
