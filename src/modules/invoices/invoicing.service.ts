import { Inject, Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type Day, dayAt } from '../../platform/time/time.js';
import type { Seller } from './entities/tax-document.entity.js';
import { FiledReturnsService } from './filed-returns.service.js';
import { InvoicesRepository, type OrderReference } from './invoices.repository.js';
import { type Draft, draftDocuments, draftVoucher, refuseAfterCreditTime } from './issuing/drafts.js';
import { type Advance, type Bill, invoicesInForce, type OrderToBill, readFacts } from './issuing/facts.js';
import { numberDrafts, openSeries } from './issuing/numbers.js';
import { refuseUnchanged, refuseUnregistrable, WITHOUT_IRN } from './issuing/refusals.js';
import { writeRows } from './issuing/rows.js';
import { creditEndedOn, creditEndedText } from './rules/credit-time.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { creditedOf } from './rules/refund-notes.js';
import { allocateRefund } from './rules/refund-voucher.js';
import { sellerOn } from './rules/registrations.js';

/**
 * The only writer of tax documents: facts, drafts, numbers, rows; `issuing/` has a file for each. Documents
 * are copies: nothing in them is looked up later.
 */
@Injectable()
export class InvoicingService {
  constructor(
    private readonly documents: InvoicesRepository,
    private readonly database: Database,
    private readonly filedReturns: FiledReturnsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether the installation issues documents. */
  async isOn(transaction: Transaction): Promise<boolean> {
    return (await this.sellerNow(transaction)) !== undefined;
  }

  /**
   * Issues the invoice of each parcel, and notes for refunds, and for refunds that are taken back. Refuses
   * missing tax data at once, so reviews show it. Only the demo sets `issuedAt`.
   */
  async issue(transaction: Transaction, orders: readonly OrderToBill[], issuedAt?: Date): Promise<void> {
    const { bills, sellers } = await readFacts(this.documents, transaction, orders, this.settings);
    if (!issuedAt) await this.refuseBills(transaction, bills, sellers);
    transaction.beforeCommit(async () => {
      // Read now: another change of the transaction may have issued some. The orders are still locked.
      const earlier = await this.documents.listInvoices(transaction, orders);
      if (earlier.length === 0 && bills.every(({ goods }) => goods.length === 0)) return;
      const draft = (registrations: Seller[], today: Day) =>
        bills.flatMap((bill) => draftDocuments(bill, earlier.filter(isOf(bill.order)), registrations, today));
      await this.write(transaction, draft, issuedAt);
      await this.documents.requireRoom(transaction, orders);
    });
  }

  /** Numbers the drafts and writes their rows, right before the commit: `openSeries` has the reason. */
  private async write(
    transaction: Transaction,
    draft: (sellers: Seller[], today: Day) => Draft[],
    backdatedTo?: Date,
  ): Promise<void> {
    const series = await openSeries(this.documents, transaction, backdatedTo);
    if (series.sellers.length === 0) return;
    const drafts = draft(series.sellers, series.issuedOn);
    if (drafts.length === 0) return;
    await writeRows(this.documents, transaction, numberDrafts(drafts, series), series.logo);
  }

  /** Issues a receipt voucher for each top-up, if the seller wants them. */
  async issueReceipts(
    transaction: Transaction,
    clientId: number,
    received: readonly Advance[],
  ): Promise<void> {
    if (!(await this.sellerNow(transaction))?.receiptVouchers) return;
    const client = (await this.documents.clients(transaction, [clientId])).get(clientId)!;
    transaction.beforeCommit(() =>
      this.write(transaction, (sellers, today) =>
        received.map((money) => draftVoucher(money, client, sellerOn(sellers, today)!)),
      ),
    );
  }

  /**
   * An advance is paid back: a refund voucher names its receipts (section 31(3)(e)), even if the seller wants
   * no new ones. Money is spent in the order in which it came, so the newest receipts are returned.
   */
  async issueRefundVoucher(transaction: Transaction, clientId: number, money: Advance): Promise<void> {
    const { topUpKey, isUndone } = money;
    if (!(await this.isOn(transaction))) return;
    if (isUndone && !(await this.documents.hasReceipt(transaction, clientId, topUpKey!))) return;
    const client = (await this.documents.clients(transaction, [clientId])).get(clientId)!;
    transaction.beforeCommit(async () => {
      await this.documents.lockSellers(transaction);
      const receipts = await this.documents.openReceipts(transaction, clientId, topUpKey);
      const returns = allocateRefund(money.amount, receipts);
      if (returns.length > 0)
        await this.write(transaction, (sellers, today) => [
          draftVoucher(money, client, sellerOn(sellers, today)!, returns),
        ]);
    });
  }

  private async refuseBills(
    transaction: Transaction,
    bills: readonly Bill[],
    sellers: readonly Seller[],
  ): Promise<void> {
    const [today, { eInvoicesFrom }] = [dayAt(Date.now(), LAW_TIME_ZONE), this.settings];
    const leaving = bills.flatMap(({ order: { parcel, takenBack, leftAt } }) =>
      parcel && !takenBack && leftAt ? [leftAt] : [],
    );
    await this.filedReturns.refuseFiledMonths(transaction, sellers, leaving);
    if (eInvoicesFrom !== undefined && today >= eInvoicesFrom) refuseUnregistrable(bills, sellers, today);
    for (const bill of bills) {
      const { order } = bill;
      if (!order.parcel || !order.takenBack) continue;
      const own = invoicesInForce(await this.documents.listInvoices(transaction, [order]), order);
      const replaced = own.filter(({ parcel }) => parcel === order.takenBack!.parcel);
      if (replaced.length === 0) throw new DomainError('conflict', 'This parcel has no invoice.');
      refuseAfterCreditTime(replaced, today);
      const numbers = replaced.map(({ number }) => number);
      if (!(await this.documents.hasCancelledIrn(transaction, numbers)))
        refuseUnchanged(bill, own, sellers, today);
    }
  }

  /** Refuses parcels whose invoice has no valid IRN: for the law it is none, so they must not leave. */
  async refuseWithoutIrn(
    transaction: Transaction,
    parcels: readonly (OrderReference & { parcel: number })[],
  ): Promise<void> {
    const { eInvoicesFrom } = this.settings;
    if (eInvoicesFrom === undefined) return;
    const [found] = await this.documents.listWithoutIrn(transaction, parcels, eInvoicesFrom);
    if (!found) return;
    const fault = found.isCancelled
      ? `The IRN of ${found.number} was cancelled. Issue the invoice again.`
      : `${found.number} has no IRN yet, so its parcel must stay. Import the portal's answer.`;
    throw new DomainError('conflict', `${fault} ${WITHOUT_IRN}`);
  }

  /** Refuses another day for the goods of an invoiced parcel, as `issue` would. */
  async refuseFiledMonth(
    transaction: Transaction,
    parcel: OrderReference & { parcel: number },
    leftAt: Date,
  ): Promise<void> {
    const invoices = await this.documents.listInvoices(transaction, [parcel]);
    if (invoices.filter(isOf(parcel)).some((one) => one.parcel === parcel.parcel))
      await this.filedReturns.refuseFiledMonths(transaction, await this.documents.sellers(transaction), [
        leftAt,
      ]);
  }

  /** The invoices of the parcel whose goods had another rate when they left. */
  async listWithOtherRates(transaction: Transaction, order: OrderToBill): Promise<string[]> {
    const rates = new Map(order.lines.map(({ line, rate }) => [line, rate]));
    const own = invoicesInForce(await this.documents.listInvoices(transaction, [order]), order);
    return own
      .filter(({ parcel }) => parcel === order.parcel!.parcel)
      .filter(({ items }) => items.some(({ line, rate }) => line > 0 && rates.get(line) !== rate))
      .map(({ number }) => number);
  }

  /** For the review of a refund: the invoices whose tax it can no longer change. */
  async warningsOf(order: OrderReference): Promise<string[]> {
    if (this.settings.tax === 'none') return [];
    const all = await this.documents.listInvoices(this.database, [order]);
    const open = invoicesInForce(all.filter(isOf(order))).filter(({ items }) =>
      items.some((item) => item.gross > creditedOf(item)),
    );
    return open.flatMap(({ number, suppliedOn }) => {
      const endedOn = creditEndedOn(suppliedOn, dayAt(Date.now(), LAW_TIME_ZONE));
      return endedOn === null
        ? []
        : [`If ${number} is credited, its tax stays: ${creditEndedText(endedOn)}.`];
    });
  }

  private async sellerNow(transaction: Transaction): Promise<Seller | undefined> {
    if (this.settings.tax === 'none') return undefined;
    return sellerOn(await this.documents.sellers(transaction), dayAt(Date.now(), LAW_TIME_ZONE));
  }
}

const isOf =
  (order: OrderReference) =>
  ({ clientId, orderNumber }: OrderReference): boolean =>
    clientId === order.clientId && orderNumber === order.orderNumber;
