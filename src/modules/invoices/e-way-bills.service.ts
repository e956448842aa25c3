import { Inject, Injectable } from '@nestjs/common';
import type { ImportOptions } from '../../shared/imports/import-kind.js';
import type { ImportReport } from '../../shared/imports/import-report.js';
import { importRow } from '../../shared/imports/import-row.js';
import { Importer } from '../../shared/imports/importer.service.js';
import type { RecordImport, RecordSource } from '../../shared/imports/record-source.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { mapRows } from '../../platform/lists/bounded-lists.js';
import type { Minor } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { dayAt } from '../../platform/time/time.js';
import { AuditLog } from '../audit/audit-log.js';
import { stateInAddress } from '../tax/gstin.js';
import type { IssuedDocument } from './document-pdf.js';
import { E_WAY_BILL_IMPORT, type EWayBillColumn } from './e-way-bill-import.js';
import { EWayBillsRepository, type EWayBillState } from './e-way-bills.repository.js';
import { toWaiting, type WaitingDocument, writePortalFile } from './portal-file.js';
import { eWayBillLimit, eWayBillOf } from './rules/e-way-bill.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { SellersService } from './sellers.service.js';

export type EWayBillChange = Partial<Record<Exclude<EWayBillColumn, 'number'>, string>>;

const asBill = (document: IssuedDocument) => eWayBillOf(document, document.eWayBill?.transport ?? {});

/** E-way bills (Rule 138): transport, files for the portal and its answers. Nothing is sent. */
@Injectable()
export class EWayBillsService implements RecordImport {
  constructor(
    private readonly bills: EWayBillsRepository,
    private readonly importer: Importer,
    private readonly audit: AuditLog,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  get isOn(): boolean {
    return this.settings.tax === 'gst' && this.settings.eWayBillFrom > 0;
  }

  /** Records transport, and the answers of the portal. */
  async import(source: RecordSource, options: ImportOptions): Promise<ImportReport> {
    const report = await this.importer.run(E_WAY_BILL_IMPORT, source, options);
    return this.audit.recordFile('e-way bills', report, options);
  }

  /** The same for one invoice. An empty text of transport removes the old value. */
  async record(number: string, change: EWayBillChange, actor: string): Promise<void> {
    const invoice = number.trim().toUpperCase();
    await importRow(this, { number: invoice, ...change }, { actor }, 'The invoice');
    const details = Object.fromEntries(Object.entries(change).filter(([, text]) => text !== ''));
    await this.audit.record({
      actor,
      clientId: null,
      action: 'e_way_bill.changed',
      subject: `invoice ${invoice}`,
      details,
    });
  }

  /** The values, or the end: both at once could be done in part. */
  async change(number: string, values: EWayBillChange, end: string | undefined, actor: string) {
    const hasValues = Object.keys(values).length > 0;
    if (hasValues && end !== undefined)
      throw new DomainError('invalid_value', 'Record the end of an e-way bill without other values.');
    if (hasValues) await this.record(number, values, actor);
    if (end !== undefined) await this.end(number, end, actor);
  }

  /** It was cancelled at the portal, or none is needed. */
  end(number: string, remark: string, actor: string): Promise<void> {
    return this.record(number, { cancelled_at: new Date().toISOString(), remark }, actor);
  }

  /** Oldest first. Returns the number of invoices beyond the limit. */
  async *waiting(limit: number): AsyncGenerator<WaitingDocument, number> {
    if (!this.isOn) return 0;
    return yield* mapRows(this.bills.waiting(undefined, limit), toWaiting(asBill));
  }

  async countWaiting(): Promise<number> {
    return this.isOn ? this.bills.countWaiting() : 0;
  }

  async gstins(): Promise<string[]> {
    return this.isOn ? this.bills.waitingGstins() : [];
  }

  async ofOrder(clientId: number, orderNumber: string): Promise<EWayBillState[]> {
    return this.isOn ? this.bills.ofOrder(clientId, orderNumber) : [];
  }

  /** The value above which goods that leave now need one, by the state that they go to. */
  async limits(): Promise<(state: string) => Minor> {
    const seller = this.isOn ? await this.sellers.on(dayAt(Date.now(), LAW_TIME_ZONE)) : undefined;
    if (!seller) return () => Infinity;
    return (state) => eWayBillLimit(seller.state, stateInAddress(state), this.settings.eWayBillFrom);
  }

  /** The JSON file of the portal's bulk tool. */
  file(gstin?: string, leftOut?: (number: string, fault: string) => void): AsyncGenerator<string> {
    if (!this.isOn)
      throw new DomainError('conflict', 'E-way bills are off. The setting E_WAY_BILL_FROM turns them on.');
    const file = {
      documents: (own: string | undefined) => this.bills.waiting(own),
      gstins: () => this.gstins(),
      render: asBill,
      around: ['{"version":"1.0.0621","billLists":[', ']}'],
    } as const;
    return writePortalFile(file, gstin, leftOut);
  }
}
