import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type Day, dayAt } from '../../platform/time/time.js';
import {
  type OrderToBill,
  type MoneyReceived,
  type MoneyReturned,
  type Bill,
  type Draft,
  partsOf,
  itemsToBill,
  invoicesOf,
  voidNotesOf,
  notesOf,
  receiptOf,
  refundVoucherOf,
  documentFactsOf,
  documentOf,
  withLogo,
  itemsOf,
} from './drafts.js';
import type { Seller, DocumentSeries } from './entities/tax-document.entity.js';
import { FiledReturnsRepository } from './filed-returns.repository.js';
import { type EarlierInvoice, InvoicesRepository, type OrderReference } from './invoices.repository.js';
import { creditedOf, goodsOfParcel } from './rules/billing.js';
import { creditEndedOn, creditEndedText } from './rules/credit-time.js';
import { financialYear, formatDocumentNumber, isVoucher, seriesName } from './rules/document-number.js';
import { eInvoiceFault } from './rules/e-invoice.js';
import { needsEWayBill } from './rules/e-way-bill.js';
import { filedMonthError } from './rules/filed-return.js';
import { LAW_TIME_ZONE, lateReturn } from './rules/law-time-zone.js';
import { allocateRefund } from './rules/refund-voucher.js';
import { sellerOn } from './rules/registrations.js';
import { supplyOf } from './rules/supply.js';

/** The registration at the time when goods leave, or the current one. */
type SellerLookup = (time: Date | null) => Seller;

/** The only writer of tax documents. They are copies: nothing in them is looked up later. */
@Injectable()
export class InvoicingService {
  private readonly logger = new Logger(InvoicingService.name);

  constructor(
    private readonly documents: InvoicesRepository,
    private readonly database: Database,
    private readonly filedReturns: FiledReturnsRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Whether the installation issues documents. */
  async isOn(transaction: Transaction): Promise<boolean> {
    return (await this.sellerNow(transaction)) !== undefined;
  }

  /**
   * Issues the invoice of each parcel, and notes for refunds, and for refunds that are taken back. Refuses
   * missing tax data at once. The documents get their numbers and their time at the end of the transaction.
   * Only the demo sets `issuedAt`.
   */
  async issue(transaction: Transaction, orders: readonly OrderToBill[], issuedAt?: Date): Promise<void> {
    const ids = new Set(orders.map(({ clientId }) => clientId));
    const clients = await this.documents.clients(transaction, [...ids]);
    const bills = orders.map((order): Bill => {
      const client = clients.get(order.clientId)!;
      if (!order.parcel) return { order, client, goods: [] };
      const goods = goodsOfParcel(order, this.settings);
      return { order, client, supply: supplyOf(client, order.deliverTo), goods };
    });
    const sellers = await this.documents.sellers(transaction);
    const leaving = orders.flatMap(({ parcel, takenBack, leftAt }) =>
      parcel && !takenBack && leftAt ? [leftAt] : [],
    );
    if (!issuedAt) await this.refuseFiledMonths(transaction, leaving, sellers);
    if (this.settings.eInvoicesFrom !== undefined && !issuedAt)
      refuseUnregistrable(bills, sellers, this.settings.eInvoicesFrom);
    for (const bill of bills)
      if (bill.order.parcel && bill.order.takenBack) await this.refuseUnchanged(transaction, bill);
    transaction.beforeCommit(() => this.writeBills(transaction, bills, issuedAt));
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

  /** Issues a receipt voucher for each top-up, if the seller wants them. */
  async issueReceipts(
    transaction: Transaction,
    clientId: number,
    received: readonly MoneyReceived[],
  ): Promise<void> {
    if (!(await this.sellerNow(transaction))?.receiptVouchers) return;
    const client = (await this.documents.clients(transaction, [clientId])).get(clientId)!;
    transaction.beforeCommit(() =>
      this.write(transaction, (sellerAt) =>
        received.map((money) => receiptOf(money, client, sellerAt(null))),
      ),
    );
  }

  /** Refuses another day for the goods of an invoiced parcel, as `issue` would. */
  async refuseFiledMonth(
    transaction: Transaction,
    parcel: OrderReference & { parcel: number },
    leftAt: Date,
  ): Promise<void> {
    const invoices = await this.documents.listInvoices(transaction, [parcel]);
    if (invoices.some((one) => isOfOrder(parcel, one) && one.parcel === parcel.parcel))
      await this.refuseFiledMonths(transaction, [leftAt], await this.documents.sellers(transaction));
  }

  /** Goods that left in a filed month. The lock keeps the mark from being set before the documents are. */
  private async refuseFiledMonths(
    transaction: Transaction,
    leaving: readonly Date[],
    sellers: readonly Seller[],
  ): Promise<void> {
    const late = leaving.flatMap((leftAt) => {
      const month = lateReturn(leftAt);
      return month === undefined ? [] : [{ month, leftOn: dayAt(leftAt, LAW_TIME_ZONE) }];
    });
    if (late.length === 0) return;
    await this.documents.lockSellers(transaction);
    const gstins = sellers.map(({ gstin }) => gstin);
    const months = late.map(({ month }) => month);
    const marks = await this.filedReturns.list(transaction, gstins, months);
    for (const { month, leftOn } of late) {
      const gstin = sellerOn(sellers, leftOn)?.gstin;
      const filed = marks.find((one) => one.period === month && one.gstin === gstin);
      if (filed) throw filedMonthError(filed, leftOn);
    }
  }

  /**
   * An advance is paid back: a refund voucher names its receipts (section 31(3)(e)), even if the seller wants
   * no new ones. Money is spent in the order in which it came, so the newest receipts are returned.
   */
  async issueRefundVoucher(
    transaction: Transaction,
    clientId: number,
    { topUpKey, ...money }: MoneyReturned,
  ): Promise<void> {
    if (!(await this.isOn(transaction))) return;
    const client = (await this.documents.clients(transaction, [clientId])).get(clientId)!;
    transaction.beforeCommit(async () => {
      await this.documents.lockSellers(transaction);
      const receipts = await this.documents.openReceipts(transaction, clientId, topUpKey);
      const returns = allocateRefund(money.amount, receipts);
      if (returns.length > 0)
        await this.write(transaction, (sellerAt) => [
          refundVoucherOf(money, returns, client, sellerAt(null)),
        ]);
    });
  }

  /** An invoice is reissued only if its content changes, or if an IRN was cancelled. */
  private async refuseUnchanged(transaction: Transaction, bill: Bill): Promise<void> {
    const own = inForce(await this.documents.listInvoices(transaction, [bill.order]), bill.order);
    const isReplaced = (one: EarlierInvoice) => one.parcel === bill.order.takenBack!.parcel;
    const before = own.filter(isReplaced);
    if (before.length === 0) throw new DomainError('conflict', 'This parcel has no invoice.');
    refuseAfterCreditTime(before, dayAt(Date.now(), LAW_TIME_ZONE));
    const seller = await this.sellerNow(transaction, bill.order.leftAt);
    const items = itemsToBill(
      bill,
      own.filter((one) => !isReplaced(one)),
    );
    const { facts } = invoicesOf(bill, items, seller!)[0]!;
    const { replaces: _, ...copied } = before[0]!.facts;
    const previousFacts = { ...copied, seller: withLogo(copied.seller, null) };
    const previous = before.map((one) => one.items.map(({ credits: __, position: ___, ...item }) => item));
    const numbers = before.map(({ number }) => number);
    if (await this.documents.hasCancelledIrn(transaction, numbers)) return;
    if (isDeepStrictEqual([facts, partsOf(bill.client, items)], [previousFacts, previous]))
      throw new DomainError(
        'conflict',
        `The new invoice would be the same as ${before[0]!.number}. First correct the tax data of the ` +
          'client, of the products or of the seller.',
      );
  }

  /** For the review of a refund: the invoices whose tax it can no longer change. */
  async warningsOf(order: OrderReference): Promise<string[]> {
    if (this.settings.tax === 'none') return [];
    const all = await this.documents.listInvoices(this.database, [order]);
    const own = inForce(all.filter((invoice) => isOfOrder(order, invoice)));
    const open = own.filter(({ items }) => items.some((item) => item.gross > creditedOf(item)));
    return creditsEnded(open, dayAt(Date.now(), LAW_TIME_ZONE)).map(
      ({ number, why }) => `If ${number} is credited, its tax stays: ${why}.`,
    );
  }

  private async sellerNow(transaction: Transaction, time?: Date | null): Promise<Seller | undefined> {
    if (this.settings.tax === 'none') return undefined;
    return sellerOn(await this.documents.sellers(transaction), dayAt(time ?? Date.now(), LAW_TIME_ZONE));
  }

  /** The orders are locked, so their earlier invoices can be read before the seller is locked. */
  private async writeBills(transaction: Transaction, bills: readonly Bill[], issuedAt?: Date): Promise<void> {
    const earlier = await this.documents.listInvoices(
      transaction,
      bills.map(({ order }) => order),
    );
    if (earlier.length === 0 && bills.every(({ goods }) => goods.length === 0)) return;
    const draftsOf = (bill: Bill, sellerAt: SellerLookup, today: Day) => {
      const { order } = bill;
      const all = earlier.filter((invoice) => isOfOrder(order, invoice));
      const own = inForce(all, order);
      const replaced = own.filter(({ parcel }) => parcel === order.takenBack?.parcel);
      if (order.parcel) refuseAfterCreditTime(replaced, today);
      const notes = replaced.flatMap((one) => voidNotesOf(one, order, today));
      const others = own.filter(({ parcel }) => parcel !== (order.parcel ?? order.takenBack)?.parcel);
      if (!order.parcel) return [...notes, ...notesOf(order, others, today)];
      const before = all.filter(({ parcel }) => parcel === order.parcel!.parcel);
      const invoices = invoicesOf(bill, itemsToBill(bill, others), sellerAt(order.leftAt), before);
      return [...notes, ...invoices, ...notesOf(order, [...others, ...invoices], today, replaced)];
    };
    const all = (sellerAt: SellerLookup, today: Day) =>
      bills.flatMap((bill) => draftsOf(bill, sellerAt, today));
    await this.write(transaction, all, issuedAt);
  }

  /** Locks the seller, so numbers and times have one order. */
  private async write(
    transaction: Transaction,
    draftsOf: (sellerAt: SellerLookup, today: Day) => Draft[],
    backdatedTo?: Date,
  ): Promise<void> {
    await this.documents.lockSellers(transaction);
    const { now, sellers, series, isHeld, logo } = await this.documents.readNumberingState(transaction);
    if (sellers.length === 0) return;
    const year = financialYear(dayAt(backdatedTo ?? now, LAW_TIME_ZONE));
    const ofYear = series.filter((one) => one.year === year);
    const issuedAt = backdatedTo ?? this.notBefore(ofYear, now);
    const issuedOn = dayAt(issuedAt, LAW_TIME_ZONE);
    const sellerAt: SellerLookup = (time) => sellerOn(sellers, dayAt(time ?? issuedAt, LAW_TIME_ZONE))!;
    const drafts = draftsOf(sellerAt, issuedOn);
    if (drafts.length === 0) return;
    if (isHeld && !backdatedTo)
      throw new DomainError(
        'conflict',
        'Invoices, notes and vouchers wait: this database is a restored backup or a copy, and later ' +
          'documents may have these numbers. The operator runs "invoice continue-after".',
      );
    const last = new Map(ofYear.map((one) => [seriesName(one), one.last]));
    const issued = drafts.map((draft) => {
      const own = { kind: draft.kind, year, seller: draft.seller };
      const name = seriesName(own);
      const count = (last.get(name) ?? 0) + 1;
      last.set(name, count);
      return Object.assign(draft, { number: formatDocumentNumber(own, count), issuedAt, issuedOn });
    });
    const registrable = issued.filter(needsIrn).map(({ number }) => number);
    const from = backdatedTo ? 0 : this.settings.eWayBillFrom * 100;
    const moving = issued.filter(({ kind, items }) => kind === 'invoice' && needsEWayBill(items, from));
    await this.documents.add(
      transaction,
      issued.map((draft) => documentOf(draft, logo)),
      issued.flatMap(itemsOf),
      registrable,
      moving.map(({ number }) => number),
    );
  }

  /** A clock may go back. Numbers and times keep one order, and no note precedes its invoice. */
  private notBefore(series: readonly DocumentSeries[], now: Date): Date {
    const last = Math.max(...series.map(({ issuedAt }) => issuedAt?.getTime() ?? 0), 0);
    const behindMs = last - now.getTime();
    if (behindMs <= 0) return now;
    const behind = `The database's clock is ${behindMs / 1_000} s behind the newest document.`;
    this.logger.warn(`${behind} New documents get the time of that one until the clock is past it.`);
    return new Date(last);
  }
}

const WITHOUT_IRN = 'Or give a reason to ship without an IRN.';

/** An invoice without an IRN is none, so its parcel stays until the portal would accept it. */
function refuseUnregistrable(bills: readonly Bill[], sellers: readonly Seller[], from: Day): void {
  if (dayAt(Date.now(), LAW_TIME_ZONE) < from) return;
  for (const { order, client, supply, goods } of bills) {
    const seller = sellerOn(sellers, dayAt(order.leftAt ?? Date.now(), LAW_TIME_ZONE));
    const taxed = goods.filter(({ rate }) => rate > 0);
    if (!seller || client.gstin === null || taxed.length === 0) continue;
    const facts = documentFactsOf(client, seller, { ...order, deliveryState: supply!.deliveryState });
    const fault = eInvoiceFault(
      facts,
      taxed.map(({ hsn }) => hsn),
    );
    if (fault !== undefined) throw new DomainError('conflict', fault);
    if (order.isLeaving)
      throw new DomainError(
        'conflict',
        'The invoice of this parcel needs an IRN before the goods leave. ' +
          `Invoice ${order.orderNumber} first. ${WITHOUT_IRN}`,
      );
  }
}

/** A bill of supply needs no IRN. The portal registers no note of an invoice whose IRN was cancelled. */
function needsIrn({ kind, facts, items, against }: Draft): boolean {
  const mayHaveOne = !isVoucher(kind) && facts.client.gstin !== null && !against?.isIrnCancelled;
  return mayHaveOne && items.some(({ rate }) => rate > 0);
}

function isOfOrder(order: OrderReference, { clientId, orderNumber }: OrderReference): boolean {
  return clientId === order.clientId && orderNumber === order.orderNumber;
}

/** No note takes back the invoice of a withdrawn parcel if refunds had credited all of it. */
function isParcelOf({ left, prepared, parcel, takenBack }: OrderToBill, number: number): boolean {
  const parcels = [...left, parcel, takenBack].map((one) => one?.parcel);
  return number === prepared || parcels.includes(number);
}

/** Neither taken back nor issued again. */
function inForce(invoices: readonly EarlierInvoice[], order?: OrderToBill): EarlierInvoice[] {
  return invoices.filter(
    (one) =>
      !one.isVoid &&
      (!order || isParcelOf(order, one.parcel!)) &&
      !invoices.some(({ parcel, edition }) => parcel === one.parcel && edition > one.edition),
  );
}

/** Invoices whose tax a credit note can no longer change, with the reason. */
function creditsEnded(invoices: readonly EarlierInvoice[], today: Day) {
  return invoices.flatMap(({ number, suppliedOn }) => {
    const endedOn = creditEndedOn(suppliedOn, today);
    return endedOn === null ? [] : [{ number, why: creditEndedText(endedOn) }];
  });
}

/** The new invoice would tax the goods again. */
function refuseAfterCreditTime(invoices: readonly EarlierInvoice[], today: Day): void {
  for (const { number, why } of creditsEnded(invoices, today))
    throw new DomainError('conflict', `${number} cannot be issued again: ${why}. Ask your accountant.`);
}
