import { type Minor, numericFromMinor } from '../../platform/money/money.js';
import { type Day, dayAt } from '../../platform/time/time.js';
import { STATES } from '../tax/gst-codes.js';
import type {
  Seller,
  DeliveryAddress,
  DocumentFacts,
  TaxDocument,
  TaxDocumentItem,
} from './entities/tax-document.entity.js';
import type { BilledClient, EarlierInvoice, OrderReference } from './invoices.repository.js';
import {
  type BilledOrder,
  commercialDebits,
  commercialRefundOf,
  creditedOf,
  creditedUnits,
  creditsDue,
  debitsDue,
  deliveryDebits,
  deliveryItems,
  type InvoiceItem,
  type ItemChange,
  keptCredits,
  type RefundChange,
  type ReplacedItem,
  taxedCreditOf,
  toDeliveryItem,
} from './rules/billing.js';
import { creditEndedOn } from './rules/credit-time.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import type { NoteReason } from './rules/note-reasons.js';
import { allocateRefund } from './rules/refund-voucher.js';
import { supplyOf } from './rules/supply.js';
import { isHomeSupply, sumOfParts, type TaxParts, taxWithin } from './rules/tax.js';

interface RefundReason {
  reason: string;
  reasonCode: NoteReason;
}

/**
 * The change of an order that needs documents: a parcel that leaves now, a refund that is made now, or a
 * parcel whose invoice is taken back. A parcel with both gets its invoice again. Without any of them, nothing
 * is left to ship.
 */
export type OrderToBill = OrderReference &
  Omit<BilledOrder, 'refunded'> & {
    storeOrderId: string | null;
    placedAt: Date;
    deliverTo: DeliveryAddress;
    refunded: readonly (BilledOrder['refunded'][number] & RefundReason)[];
    /** The reason of the newest refund, for notes that name none. */
    reason: string | null;
    reasonCode: NoteReason | null;
    takenBack?: { parcel: number; reason: string };
    /** A parcel that is invoiced and has not left. */
    prepared?: number | null;
    /** When the goods of the parcel left. */
    leftAt: Date | null;
    /** The goods leave now, and no person gave a reason to send them without an IRN. */
    isLeaving?: boolean;
  };

/** A top-up of a wallet. */
export interface MoneyReceived {
  key: string;
  amount: Minor;
  orderNumber?: string;
}

/** Money that has left a wallet for the client's bank or the source. */
export interface MoneyReturned {
  key: string;
  amount: Minor;
  /** The top-up that is paid back. */
  topUpKey?: string;
  reason?: string;
}

/** An order whose facts are complete. Without goods no parcel is billed. */
export interface Bill {
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
  isCommercial: boolean;
  refund: number | null;
  items: Draft['items'];
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
export function partsOf(client: BilledClient, items: InvoiceItem[]): InvoiceItem[][] {
  const taxed = items.filter(({ rate }) => rate > 0);
  const untaxed = items.filter(({ rate }) => rate === 0);
  return client.gstin !== null && taxed.length > 0 && untaxed.length > 0 ? [taxed, untaxed] : [items];
}

/** The goods of the parcel with their delivery. `others` are the invoices of the other parcels. */
export function itemsToBill({ order, goods }: Bill, others: readonly Creditable[]): InvoiceItem[] {
  return [...goods, ...deliveryItems(order, goods, others)];
}

/** `before` are the invoices of the same parcel, which these replace. */
export function invoicesOf(
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
  const facts = documentFactsOf(client, seller, { ...order, deliveryState });
  return {
    kind: 'invoice',
    seller: seller.id,
    clientId: order.clientId,
    orderNumber: order.orderNumber,
    parcel: order.parcel!.parcel,
    ...DRAFT_DEFAULTS,
    leftAt: order.leftAt,
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

/**
 * Credits what is left of the invoice. None if all of it is credited already. Commercial credits have left
 * its tax as it was, so a debit takes them back first: the credit has the tax of all that is left then.
 */
export function voidNotesOf(invoice: EarlierInvoice, order: OrderToBill, today: Day): Draft[] {
  const { seller, clientId, orderNumber, placeOfSupply, facts } = invoice;
  const endedOn = creditEndedOn(invoice.suppliedOn, today);
  const isLate = endedOn !== null;
  const goneOf = isLate ? creditedOf : taxedCreditOf;
  const items = invoice.items
    .map((item) => {
      const quantity = Math.max(0, item.quantity - creditedUnits(item));
      return { item, quantity, amount: item.gross - goneOf(item) };
    })
    // Units count in table 12 of GSTR-1, even if amounts have credited their price.
    .filter(({ item, quantity, amount }) => amount > 0 || (item.line > 0 && quantity > 0))
    .map((left) => toNoteItem(left, invoice, taxedCreditOf(left.item), isLate));
  const commercial = invoice.items
    .map((item) => ({ item, quantity: 0, amount: creditedOf(item) - goneOf(item) }))
    .filter(({ amount }) => amount > 0)
    .map((change) => toNoteItem(change, invoice, 0, true));
  const note = {
    seller,
    clientId,
    orderNumber,
    ...NOTE_DEFAULTS,
    creditEndedOn: endedOn,
    placeOfSupply,
    reason: order.takenBack!.reason,
    reasonCode: '04' as const,
    facts,
    against: invoice,
  };
  const refund = commercialRefundOf(order);
  const notes: Draft[] = [
    { ...note, kind: 'debit_note', isCommercial: true, refund, items: commercial },
    { ...note, kind: 'credit_note', voids: true, items },
  ];
  return notes.filter((one) => one.items.some(({ gross }) => gross > 0));
}

/**
 * The notes after a change of the order, with the parties and the kind of tax of their invoices: for the rest
 * of the delivery, if no parcel leaves now, and one for each invoice that a refund changes.
 */
export function notesOf(
  order: OrderToBill,
  before: readonly Creditable[],
  today: Day,
  replaced: readonly EarlierInvoice[] = [],
): Draft[] {
  const debits = order.parcel ? [] : deliveryDebits(order, before);
  const invoices = before.map((invoice) => withDebits(invoice, debits));
  return [
    ...before.flatMap((invoice) => deliveryNoteOf(order, invoice, debits)),
    ...refundNotesOf(order, invoices, today, replaced),
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

/** Each refund has its own notes, so it can be taken back alone. */
function refundNotesOf(
  order: OrderToBill,
  invoices: readonly Creditable[],
  today: Day,
  replaced: readonly EarlierInvoice[],
): Draft[] {
  const all = invoices.flatMap(({ items }) => items);
  const again = invoices.filter(({ parcel }) => parcel === order.parcel?.parcel);
  const pairs = replacedItems(
    again.flatMap(({ items }) => items),
    replaced.flatMap(({ items }) => items),
  );
  const debits = [...commercialDebits(order, all), ...debitsDue(order, all)];
  const credits = creditsDue(order, all, keptCredits(order, pairs));
  const taxed = new Map(all.map((item) => [item, taxedCreditOf(item)]));
  return invoices.flatMap((invoice) => {
    const creditEnd = creditEndedOn(suppliedOnOf(invoice, today), today);
    return [...notesFor('debit_note', debits), ...notesFor('credit_note', credits)];

    function notesFor(kind: NoteDraft['kind'], changes: readonly RefundChange<CreditableItem>[]): Draft[] {
      const own = changes.filter(({ item }) => invoice.items.includes(item));
      const noteKey = ({ refund, isUntaxed }: (typeof own)[number]) => `${refund} ${isUntaxed}`;
      return [...new Set(own.map(noteKey))].map((key) => {
        const ofNote = own.filter((one) => noteKey(one) === key);
        const { refund, isUntaxed } = ofNote[0]!;
        // A debit has the tax of the credits that it takes back.
        const endedOn = kind === 'debit_note' && !isUntaxed ? null : creditEnd;
        const isCommercial = isUntaxed && endedOn === null;
        const items = ofNote.map((change) => {
          const before = taxed.get(change.item)!;
          const hasTax = endedOn === null && !isCommercial;
          const after = before + (hasTax ? change.amount : 0) * (kind === 'credit_note' ? 1 : -1);
          taxed.set(change.item, after);
          return toNoteItem(change, invoice, Math.min(before, after), !hasTax);
        });
        return noteOf(order, invoice, { kind, endedOn, isCommercial, refund, items });
      });
    }
  });
}

/** An item of the delivery replaces that of its rate, if there is one still. */
function replacedItems(items: CreditableItem[], before: CreditableItem[]): ReplacedItem<CreditableItem>[] {
  return before.flatMap((replaced) => {
    const own = items.filter(({ line }) => line === replaced.line);
    const item = own.find(
      ({ rate, treatment }) => rate === replaced.rate && treatment === replaced.treatment,
    );
    return own.length > 0 ? [{ item: item ?? own[0]!, replaced }] : [];
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

function noteOf(order: OrderToBill, invoice: Creditable, { endedOn, ...note }: NoteDraft): Draft {
  const { seller, placeOfSupply, facts } = invoice;
  const { reason, reasonCode } = order.refunded.find(({ refund }) => refund === note.refund) ?? order;
  return {
    ...NOTE_DEFAULTS,
    ...note,
    seller,
    clientId: order.clientId,
    orderNumber: order.orderNumber,
    creditEndedOn: endedOn,
    placeOfSupply,
    reason,
    reasonCode: reasonCode ?? '07',
    facts,
    against: invoice,
  };
}

/** An advance for goods is not taxed (Notification 66/2017). */
export function receiptOf(
  { key, amount, orderNumber }: MoneyReceived,
  client: BilledClient,
  seller: Seller,
): Draft {
  const item = {
    line: null,
    description: 'Advance for goods',
    sku: '',
    hsn: '',
    unit: '',
    quantity: 1,
    rate: 0,
    treatment: 'taxable' as const,
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
    facts: documentFactsOf(client, seller),
  };
}

export function refundVoucherOf(
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

export function documentFactsOf(
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

/** A document has the logo of its own day, even if it has copied the other facts of its invoice. */
export function withLogo({ logo: _, ...seller }: DocumentFacts['seller'], logo: string | null) {
  return { ...seller, ...(logo !== null && { logo }) };
}

export function documentOf(
  { items, against, facts, leftAt, ...head }: Draft & Issue,
  logo: string | null = null,
): TaxDocument {
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
    facts: {
      ...copied,
      seller: withLogo(copied.seller, logo),
      ...(!invoice && replaces && { replaces }),
      against: invoice ?? null,
    },
  };
}

export function itemsOf({ number, items }: Draft & Issue): TaxDocumentItem[] {
  return items.map(({ line, ofPosition, unitPrice, rate, treatment, gross, ...item }, at) => ({
    number,
    position: at + 1,
    line,
    ofPosition: ofPosition ?? null,
    description: item.description,
    sku: item.sku,
    hsn: item.hsn,
    unit: item.unit,
    quantity: item.quantity,
    unitPrice: numericFromMinor(unitPrice),
    gstRate: numericFromMinor(rate),
    gstTreatment: treatment,
    ...amountsOf(gross, item),
  }));
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
