import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import type { ImportOptions } from '../../shared/imports/import-kind.js';
import type { ImportReport } from '../../shared/imports/import-report.js';
import { Importer } from '../../shared/imports/importer.service.js';
import type { RecordImport, RecordSource } from '../../shared/imports/record-source.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { mapRows } from '../../platform/lists/bounded-lists.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { addDays, type Day, dayAt } from '../../platform/time/time.js';
import { E_INVOICE_IMPORT } from './e-invoice-import.js';
import { EInvoice } from './entities/tax-document.entity.js';
import { toWaiting, type WaitingDocument, writePortalFile } from './portal-file.js';
import { eInvoiceOf } from './rules/e-invoice.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { type DayRange, type TaxDocumentRow, TaxDocumentsRepository } from './tax-documents.repository.js';

/** Days after the document's date. The portal allows large sellers 30 days. */
const LATE_DAYS = 3;
const OVERDUE_DAYS = 30;

/** The numbers of late and overdue documents. Overdue documents are late too. */
export interface LateEInvoices {
  late: number;
  overdue: number;
}

/** Without an IRN the registration waits for the portal. */
export type IrnState = Pick<EInvoice, 'irn' | 'issuedOn' | 'cancelledAt'> | 'not needed';

/** Files for the tax portal, and its answers (Rule 48(4)). Nothing is sent. */
@Injectable()
export class EInvoicesService implements RecordImport {
  constructor(
    private readonly documents: TaxDocumentsRepository,
    private readonly importer: Importer,
    private readonly audit: AuditLog,
    @InjectRepository(EInvoice) private readonly registrations: Repository<EInvoice>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  get isOn(): boolean {
    return this.settings.tax === 'gst' && this.settings.eInvoicesFrom !== undefined;
  }

  /** Records the answers of the portal. */
  async import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    const report = await this.importer.run(E_INVOICE_IMPORT, source, options);
    return this.audit.recordFile('answers of the tax portal', report, options);
  }

  /** Oldest first. Returns the number of documents beyond the limit. */
  async *waiting(limit: number): AsyncGenerator<WaitingDocument, number> {
    if (!this.isOn) return 0;
    return yield* mapRows(this.documents.waiting(this.daysOf(), { limit }), toWaiting(eInvoiceOf));
  }

  /** Documents with a cancelled IRN and their notes, while the invoice is in force. Oldest first. */
  cancelled(limit: number): ReturnType<TaxDocumentsRepository['cancelled']> {
    return this.documents.cancelled(limit);
  }

  /** The state of each document, by its number. Empty if e-invoices are off. */
  async irnsOf(documents: readonly TaxDocumentRow[]): Promise<Map<string, IrnState>> {
    if (!this.isOn || documents.length === 0) return new Map();
    const [first] = this.daysOf();
    const numbers = documents.map(({ number }) => number);
    const found = await this.registrations.find({
      select: { number: true, irn: true, issuedOn: true, cancelledAt: true },
      where: { number: In(numbers) },
    });
    const isDue = ({ irn, issuedOn }: Pick<EInvoice, 'irn' | 'issuedOn'>) =>
      irn !== null || issuedOn >= first;
    const needed = new Map(found.filter(isDue).map((one) => [one.number, one]));
    return new Map(numbers.map((number) => [number, needed.get(number) ?? 'not needed']));
  }

  /** The GSTINs of the seller whose documents wait. */
  async gstins(): Promise<string[]> {
    return this.isOn ? this.documents.waitingGstins(this.daysOf()) : [];
  }

  /** The JSON list for the portal. */
  file(
    { on, gstin }: { on?: Day | undefined; gstin?: string | undefined } = {},
    leftOut?: (number: string, fault: string) => void,
  ): AsyncGenerator<string> {
    const days = this.daysOf(on);
    const file = {
      documents: (own: string | undefined) => this.documents.waiting(days, { gstin: own }),
      gstins: () => this.documents.waitingGstins(days),
      render: eInvoiceOf,
      around: ['[', ']'],
    } as const;
    return writePortalFile(file, gstin, leftOut);
  }

  async countLate(): Promise<LateEInvoices> {
    if (!this.isOn) return { late: 0, overdue: 0 };
    const [first, today] = this.daysOf();
    const olderThan = (days: number) => this.documents.countWaiting([first, addDays(today, -days - 1)]);
    return { late: await olderThan(LATE_DAYS), overdue: await olderThan(OVERDUE_DAYS) };
  }

  private daysOf(on?: Day): DayRange {
    const { eInvoicesFrom } = this.settings;
    if (!this.isOn || eInvoicesFrom === undefined)
      throw new DomainError(
        'conflict',
        'E-invoices are off. The setting E_INVOICES_FROM turns them on: it names the first day.',
      );
    const today = dayAt(Date.now(), LAW_TIME_ZONE);
    if (on === undefined) return [eInvoicesFrom, today];
    return on < eInvoicesFrom ? [eInvoicesFrom, on] : [on, on];
  }
}
