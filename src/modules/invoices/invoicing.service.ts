import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, numericFromMinor } from '../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { type Day, dayAt } from '../../platform/time/time.js';
import { STATES } from '../tax/gst-codes.js';
import type {
  Seller,
  DeliveryAddress,
  DocumentFacts,
  TaxDocument,
  TaxDocumentItem,
  DocumentSeries,
} from './entities/tax-document.entity.js';
import { FiledReturnsRepository } from './filed-returns.repository.js';
import {
  type BilledClient,
  type EarlierInvoice,
  InvoicesRepository,
  type OrderReference,
} from './invoices.repository.js';
import {
  type BilledOrder,
  type ItemChange,
  creditedOf,
  creditsDue,
  debitsDue,
  deliveryDebits,
  deliveryItems,
  goodsOfParcel,
  type InvoiceItem,
  taxedCreditOf,
  toDeliveryItem,
} from './rules/billing.js';
import { creditEndedOn, creditEndedText } from './rules/credit-time.js';
import { financialYear, formatDocumentNumber, isVoucher, seriesName } from './rules/document-number.js';
import { eInvoiceFault } from './rules/e-invoice.js';
import { needsEWayBill } from './rules/e-way-bill.js';
import { filedMonthError } from './rules/filed-return.js';
import { LAW_TIME_ZONE, lateReturn } from './rules/law-time-zone.js';
import type { NoteReason } from './rules/note-reasons.js';
import { allocateRefund } from './rules/refund-voucher.js';
import { sellerOn } from './rules/registrations.js';
import { supplyOf } from './rules/supply.js';
import { isHomeSupply, sumOfParts, type TaxParts, taxWithin } from './rules/tax.js';

/**
 * The change of an order that needs documents: a parcel that leaves now, a refund that is made now, or a
 * parcel whose invoice is taken back. A parcel with both gets its invoice again. Without any of them, nothing
 * is left to ship.
 */
export type OrderToBill = OrderReference &
  BilledOrder & {
    storeOrderId: string | null;
    placedAt: Date;
    deliverTo: DeliveryAddress;
    /** The reason of the newest refund, if no refund is made or taken back now. */
    reason: string | null;
    reasonCode: NoteReason | null;
    refund?: { refund: number; reason: string; reasonCode: NoteReason };
    takenBack?: { parcel: number; reason: string };
    /** When the goods of the parcel left. */
    leftAt: Date | null;
    /** The goods leave now, and no person gave a reason to send them without an IRN. */
    isLeaving?: boolean;
  };

/** A top-up of a wallet. */
interface MoneyReceived {
  key: string;
  amount: Minor;
  orderNumber?: string;
}

/** Money that has left a wallet for the client's bank or the source. */
interface MoneyReturned {
  key: string;
  amount: Minor;
  /** The top-up that is paid back. */
  topUpKey?: string;
  reason?: string;
}

/** An order whose facts are complete. Without goods no parcel is billed. */
interface Bill {
  order: OrderToBill;
  client: BilledClient;
  supply?: ReturnType<typeof supplyOf>;
  goods: InvoiceItem[];
}

/** A document without a number yet. */
export interface Draft extends Omit<
  TaxDocument,
  keyof Issue | 'suppliedOn' | 'against' | 'gross' | keyof TaxParts
> {
  /** When the goods left. */
  leftAt?: Date | null;
  items: (Omit<InvoiceItem, 'line'> & { line: number | null; ofPosition?: number } & TaxParts)[];
  /** The invoice of a note. It may get its number at the same moment. */
  against?: Partial<Issue & Pick<EarlierInvoice, 'isIrnCancelled'>>;
}

export type Issue = Pick<TaxDocument, 'number' | 'issuedAt' | 'issuedOn'>;

/** An invoice of which items can be credited: an earlier one or a draft. */
export type Creditable = Pick<Draft, 'seller' | 'parcel' | 'placeOfSupply' | 'facts' | 'leftAt'> &
  Partial<Issue & Pick<EarlierInvoice, 'suppliedOn' | 'isIrnCancelled'>> &
  Pick<EarlierInvoice, 'items'>;

type CreditableItem = Creditable['items'][number];

/** The changes of a note, and the day on which the time for a credit of tax ended. */
interface NoteDraft {
  kind: 'credit_note' | 'debit_note';
  endedOn: Day | null;
  isCommercial?: boolean;
  changes: readonly ItemChange<CreditableItem>[];
}

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
    if (!issuedAt) await this.refuseFiledMonths(transaction, orders, sellers);
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

  /** Goods that left in a filed month. The lock keeps the mark from being set before the documents are. */
  private async refuseFiledMonths(
    transaction: Transaction,
    orders: readonly OrderToBill[],
    sellers: readonly Seller[],
  ): Promise<void> {
    const late = orders.flatMap(({ parcel, takenBack, leftAt }) => {
      const month = parcel && !takenBack && leftAt ? lateReturn(leftAt) : undefined;
      return month === undefined ? [] : [{ month, leftOn: dayAt(leftAt!, LAW_TIME_ZONE) }];
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
    const own = inForce(await this.documents.listInvoices(transaction, [bill.order]));
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
    const { replaces: _, ...previousFacts } = before[0]!.facts;
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
      const own = inForce(all);
      const replaced = own.filter(({ parcel }) => parcel === order.takenBack?.parcel);
      if (order.parcel) refuseAfterCreditTime(replaced, today);
      const notes = replaced.flatMap((one) => voidNotesOf(one, order.takenBack!.reason, today));
      const others = own.filter(({ parcel }) => parcel !== (order.parcel ?? order.takenBack)?.parcel);
      if (!order.parcel) return [...notes, ...notesOf(order, others, today)];
      const before = all.filter(({ parcel }) => parcel === order.parcel!.parcel);
      const invoices = invoicesOf(bill, itemsToBill(bill, others), sellerAt(order.leftAt), before);
      return [...notes, ...invoices, ...notesOf(order, [...others, ...invoices], today)];
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
    const { now, sellers, series } = await this.documents.readNumberingState(transaction);
    if (sellers.length === 0) return;
    const year = financialYear(dayAt(backdatedTo ?? now, LAW_TIME_ZONE));
    const ofYear = series.filter((one) => one.year === year);
    const issuedAt = backdatedTo ?? this.notBefore(ofYear, now);
    const issuedOn = dayAt(issuedAt, LAW_TIME_ZONE);
    const sellerAt: SellerLookup = (time) => sellerOn(sellers, dayAt(time ?? issuedAt, LAW_TIME_ZONE))!;
    const drafts = draftsOf(sellerAt, issuedOn);
    if (drafts.length === 0) return;
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
      issued.map(documentOf),
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
    const facts = factsOf(client, seller, { ...order, deliveryState: supply!.deliveryState });
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

/** Neither taken back nor issued again. */
function inForce(invoices: readonly EarlierInvoice[]): EarlierInvoice[] {
  return invoices.filter(
    (one) =>
      !one.isVoid && !invoices.some(({ parcel, edition }) => parcel === one.parcel && edition > one.edition),
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

const DRAFT_DEFAULTS = {
  edition: 1,
  part: 1,
  voids: false,
  creditEndedOn: null,
  isCommercial: false,
  reasonCode: null,
};

const NOTE_DEFAULTS = { ...DRAFT_DEFAULTS, parcel: null, refund: null, paymentKey: null };

/**
 * Splits the items into a tax invoice and a bill of supply for goods without tax. Rule 46A allows one
 * document for unregistered clients only.
 */
function partsOf(client: BilledClient, items: InvoiceItem[]): InvoiceItem[][] {
  const taxed = items.filter(({ rate }) => rate > 0);
  const untaxed = items.filter(({ rate }) => rate === 0);
  return client.gstin !== null && taxed.length > 0 && untaxed.length > 0 ? [taxed, untaxed] : [items];
}

/** The goods of the parcel with their delivery. `others` are the invoices of the other parcels. */
export function itemsToBill({ order, goods }: Bill, others: readonly Creditable[]): InvoiceItem[] {
  return [...goods, ...deliveryItems(order, goods, others)];
}

/** `before` are the invoices of the same parcel, which these replace. */
function invoicesOf(
  bill: Bill,
  allItems: InvoiceItem[],
  seller: Seller,
  before: EarlierInvoice[] = [],
): (Draft & Creditable)[] {
  const edition = Math.max(0, ...before.map((one) => one.edition)) + 1;
  return partsOf(bill.client, allItems).map((items, at) => {
    const last = before.findLast(({ part }) => part === at + 1) ?? before.at(-1);
    return { ...invoiceOf(bill, items, seller, last), edition, part: at + 1 };
  });
}

export function invoiceOf(
  { order, client, supply }: Bill,
  items: InvoiceItem[],
  seller: Seller,
  before?: EarlierInvoice,
): Draft & Creditable {
  const { placeOfSupply, deliveryState } = supply!;
  const facts = factsOf(client, seller, { ...order, deliveryState });
  return {
    kind: 'invoice',
    seller: seller.id,
    clientId: order.clientId,
    orderNumber: order.orderNumber,
    parcel: order.parcel!.parcel,
    ...DRAFT_DEFAULTS,
    // An invoice that is issued again belongs to the return of its day, as the credit note of the old one.
    leftAt: order.takenBack ? null : order.leftAt,
    refund: null,
    paymentKey: null,
    placeOfSupply,
    reason: null,
    items: items.map((item, at) => ({
      ...item,
      position: at + 1,
      ...taxWithin(item.gross, item.rate, isHomeSupply(placeOfSupply, facts)),
      credits: [],
    })),
    facts: {
      ...facts,
      ...(before && { replaces: { number: before.number, issued_on: before.issuedOn } }),
    },
  };
}

/** Credits what is left of the invoice. None if all of it is credited already. */
function voidNotesOf(invoice: EarlierInvoice, reason: string, today: Day): Draft[] {
  const { seller, clientId, orderNumber, placeOfSupply, facts } = invoice;
  const endedOn = creditEndedOn(invoice.suppliedOn, today);
  const items = invoice.items
    .filter((item) => item.gross > creditedOf(item))
    .map((item) => {
      const credited = creditedOf(item);
      const left = { item, quantity: credited === 0 ? item.quantity : 0, amount: item.gross - credited };
      return toNoteItem(left, invoice, taxedCreditOf(item), endedOn !== null);
    });
  if (items.length === 0) return [];
  return [
    {
      kind: 'credit_note',
      seller,
      clientId,
      orderNumber,
      ...NOTE_DEFAULTS,
      voids: true,
      creditEndedOn: endedOn,
      placeOfSupply,
      reason,
      reasonCode: '04',
      items,
      facts,
      against: invoice,
    },
  ];
}

/**
 * The notes after a change of the order, with the parties and the kind of tax of their invoices: for the rest
 * of the delivery, if no parcel leaves now, and one for each invoice that a refund changes.
 */
export function notesOf(order: OrderToBill, before: readonly Creditable[], today: Day): Draft[] {
  const debits = order.parcel ? [] : deliveryDebits(order, before);
  const invoices = before.map((invoice) => withDebits(invoice, debits));
  return [
    ...before.flatMap((invoice) => deliveryNoteOf(order, invoice, debits)),
    ...refundNotesOf(order, invoices, today),
  ];
}

type DeliveryDebits = readonly { item: CreditableItem; amount: Minor }[];

/** A draft stays the same object, because its notes name the number that it gets later. */
function withDebits(invoice: Creditable, debits: DeliveryDebits): Creditable {
  if (!debits.some(({ item }) => invoice.items.includes(item))) return invoice;
  const amountOf = (item: CreditableItem) => debits.find((one) => one.item === item)?.amount ?? 0;
  return {
    ...invoice,
    items: invoice.items.map((item) => ({ ...item, gross: item.gross + amountOf(item) })),
  };
}

/** It names no refund: so it is a part of the bill, and takes none back. */
function deliveryNoteOf(order: OrderToBill, invoice: Creditable, debits: DeliveryDebits): Draft[] {
  const own = debits.filter(({ item }) => invoice.items.includes(item));
  if (own.length === 0) return [];
  const { seller, placeOfSupply, facts } = invoice;
  const isWithinState = isHomeSupply(placeOfSupply, facts);
  return [
    {
      ...NOTE_DEFAULTS,
      kind: 'debit_note',
      seller,
      placeOfSupply,
      facts,
      clientId: order.clientId,
      orderNumber: order.orderNumber,
      reason: 'The rest of the delivery charge: no further parcel bills it',
      reasonCode: '04',
      items: own.map(({ item, amount }) => ({
        ...toDeliveryItem(item, amount),
        ofPosition: item.position,
        ...taxWithin(amount, item.rate, isWithinState, item.gross),
      })),
      against: invoice,
    },
  ];
}

function refundNotesOf(order: OrderToBill, invoices: readonly Creditable[], today: Day): Draft[] {
  const all = invoices.flatMap(({ items }) => items);
  const [credits, debits] = [creditsDue(order, all), debitsDue(order, all)];
  return invoices.flatMap((invoice) => {
    const endedOn = creditEndedOn(suppliedOnOf(invoice, today), today);
    const own = (changes: typeof credits, isUntaxed: boolean) =>
      changes.filter((one) => invoice.items.includes(one.item) && one.isUntaxed === isUntaxed);
    const untaxed = { endedOn, isCommercial: endedOn === null };
    const notes: NoteDraft[] = [
      { kind: 'credit_note', endedOn, changes: own(credits, false) },
      { kind: 'credit_note', ...untaxed, changes: own(credits, true) },
      { kind: 'debit_note', endedOn: null, changes: own(debits, false) },
      { kind: 'debit_note', ...untaxed, changes: own(debits, true) },
    ];
    return notes.flatMap((note) => (note.changes.length > 0 ? [noteOf(order, invoice, note)] : []));
  });
}

/** A draft is of today, or of the day on which its goods left. */
function suppliedOnOf({ suppliedOn, leftAt }: Pick<Creditable, 'suppliedOn' | 'leftAt'>, today: Day): Day {
  return suppliedOn ?? (leftAt ? dayAt(leftAt, LAW_TIME_ZONE) : today);
}

/** The item of a note. A late or commercial one has no rate, and so no tax. */
function toNoteItem(
  { item, quantity, amount }: ItemChange<CreditableItem>,
  { placeOfSupply, facts }: Pick<Creditable, 'placeOfSupply' | 'facts'>,
  before: Minor,
  isUntaxed: boolean,
) {
  const rate = isUntaxed ? 0 : item.rate;
  const parts = taxWithin(amount, rate, isHomeSupply(placeOfSupply, facts), before);
  return { ...item, ofPosition: item.position, quantity, gross: amount, rate, ...parts };
}

function noteOf(
  order: OrderToBill,
  invoice: Creditable,
  { kind, endedOn, isCommercial = false, changes }: NoteDraft,
): Draft {
  const { seller, placeOfSupply, facts } = invoice;
  const items = changes.map((change) => {
    const before = taxedCreditOf(change.item) - (kind === 'credit_note' ? 0 : change.amount);
    return toNoteItem(change, invoice, before, endedOn !== null || isCommercial);
  });
  return {
    kind,
    seller,
    clientId: order.clientId,
    orderNumber: order.orderNumber,
    ...NOTE_DEFAULTS,
    creditEndedOn: endedOn,
    isCommercial,
    refund: order.refund?.refund ?? null,
    placeOfSupply,
    reason: order.refund?.reason ?? order.reason,
    reasonCode: order.refund?.reasonCode ?? order.reasonCode ?? '07',
    items,
    facts,
    against: invoice,
  };
}

/** An advance for goods is not taxed (Notification 66/2017). */
function receiptOf({ key, amount, orderNumber }: MoneyReceived, client: BilledClient, seller: Seller): Draft {
  const item = {
    line: null,
    description: 'Advance for goods',
    sku: '',
    hsn: '',
    unit: '',
    quantity: 1,
    rate: 0,
  };
  return {
    kind: 'receipt_voucher',
    seller: seller.id,
    clientId: client.id,
    orderNumber: orderNumber ?? null,
    parcel: null,
    ...DRAFT_DEFAULTS,
    refund: null,
    paymentKey: key,
    placeOfSupply: client.state ?? '',
    reason: null,
    items: [{ ...item, unitPrice: amount, gross: amount, ...taxWithin(amount, 0, false) }],
    facts: factsOf(client, seller),
  };
}

function refundVoucherOf(
  { key, reason }: MoneyReturned,
  returns: ReturnType<typeof allocateRefund>,
  client: BilledClient,
  seller: Seller,
): Draft {
  const amount = returns.reduce((sum, receipt) => sum + receipt.amount, 0);
  const draft = receiptOf({ key, amount }, client, seller);
  const parts = returns.map((receipt) => ({ ...receipt, amount: numericFromMinor(receipt.amount) }));
  const facts = { ...draft.facts, returns: parts };
  return { ...draft, kind: 'refund_voucher', reason: reason ?? null, facts };
}

function factsOf(
  client: BilledClient,
  { name, gstin, address, state: sellerState }: Seller,
  order?: OrderToBill & { deliveryState: string },
): DocumentFacts {
  const state = order && { state: STATES.get(order.deliveryState)!, state_code: order.deliveryState };
  return {
    seller: { name, gstin, address, state: sellerState },
    client: {
      name: client.name,
      gstin: client.gstin,
      ...(client.gstCategory && { gst_category: client.gstCategory }),
      address: client.billingAddress ?? '',
      state: client.state ?? '',
    },
    deliver_to: order ? { ...order.deliverTo, ...state } : null,
    store_order_id: order?.storeOrderId ?? null,
    placed_at: order?.placedAt.toISOString() ?? null,
    against: null,
  };
}

export function documentOf({ items, against, facts, leftAt, ...head }: Draft & Issue): TaxDocument {
  const leftOn = suppliedOnOf({ leftAt }, head.issuedOn);
  const invoice = against && { number: against.number!, issued_on: against.issuedOn! };
  // A note has the facts of its invoice, which may itself replace another one.
  const { replaces, ...copied } = facts;
  return {
    ...head,
    suppliedOn: leftOn < head.issuedOn ? leftOn : null,
    ...amountsOf(
      items.reduce((sum, { gross }) => sum + gross, 0),
      sumOfParts(items),
    ),
    against: invoice?.number ?? null,
    facts: { ...copied, ...(!invoice && replaces && { replaces }), against: invoice ?? null },
  };
}

export function itemsOf({ number, items }: Draft & Issue): TaxDocumentItem[] {
  return items.map(
    ({ line, ofPosition, description, sku, hsn, unit, quantity, unitPrice, rate, gross, ...parts }, at) => ({
      number,
      position: at + 1,
      line,
      ofPosition: ofPosition ?? null,
      description,
      sku,
      hsn,
      unit,
      quantity,
      unitPrice: numericFromMinor(unitPrice),
      gstRate: numericFromMinor(rate),
      ...amountsOf(gross, parts),
    }),
  );
}

function amountsOf(gross: Minor, { taxable, cgst, sgst, igst }: TaxParts) {
  return {
    gross: numericFromMinor(gross),
    taxable: numericFromMinor(taxable),
    cgst: numericFromMinor(cgst),
    sgst: numericFromMinor(sgst),
    igst: numericFromMinor(igst),
  };
}
