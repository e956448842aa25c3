import { DomainError } from '../../../platform/errors/domain-error.js';
import { groupBy, sum } from '../../../platform/lists/group-by.js';
import { numericFromMinor } from '../../../platform/money/money.js';
import { type Day, dayAt } from '../../../platform/time/time.js';
import { STATES } from '../../tax/gst-codes.js';
import type { DocumentFacts, Seller, TaxDocument } from '../entities/tax-document.entity.js';
import type { EarlierInvoice } from '../invoices.repository.js';
import { deliveryDebits, deliveryItems, type InvoiceItem, toDeliveryItem } from '../rules/billing.js';
import { creditEndedOn, creditEndedText } from '../rules/credit-time.js';
import { LAW_TIME_ZONE } from '../rules/law-time-zone.js';
import {
  commercialDebits,
  commercialRefundOf,
  creditedOf,
  creditedUnits,
  creditsDue,
  debitsDue,
  type ItemChange,
  keptCredits,
  type RefundChange,
  type ReplacedItem,
  taxedCreditOf,
} from '../rules/refund-notes.js';
import type { allocateRefund } from '../rules/refund-voucher.js';
import { sellerOn } from '../rules/registrations.js';
import type { BilledClient } from '../rules/supply.js';
import { isHomeSupply, type TaxParts, taxWithin } from '../rules/tax.js';
import { type Advance, type Bill, invoicesInForce, type OrderToBill } from './facts.js';

export type Issue = Pick<TaxDocument, 'number' | 'issuedAt' | 'issuedOn'>;

/** A document without a number yet. */
export interface Draft extends Omit<TaxDocument, keyof Issue | 'against' | 'gross' | keyof TaxParts> {
  items: (Omit<InvoiceItem, 'line'> & { line: number | null; ofPosition?: number } & TaxParts)[];
  /** The invoice of a note. It may get its number at the same moment. */
  against?: BilledInvoice;
}

/** An invoice of which items can be credited: an earlier one or a draft. */
type BilledInvoice = Pick<TaxDocument, 'seller' | 'clientId' | 'orderNumber' | 'parcel'> &
  Pick<TaxDocument, 'placeOfSupply' | 'suppliedOn' | 'facts'> &
  Pick<EarlierInvoice, 'items'> &
  Partial<Issue & Pick<EarlierInvoice, 'isIrnCancelled'>>;

type BilledItem = EarlierInvoice['items'][number];

/** An item with its invoice. `taxed` grows and shrinks with each note of this moment. */
type NotedItem = BilledItem & { invoice: BilledInvoice; taxed: number };
type NoteKind = 'credit_note' | 'debit_note';
type NoteChange = RefundChange<NotedItem> & { kind: NoteKind };

const DEFAULTS = {
  parcel: null,
  edition: 1,
  part: 1,
  suppliedOn: null,
  refund: null,
  voids: false,
  creditEndedOn: null,
  isCommercial: false,
  paymentKey: null,
  reason: null,
  reasonCode: null,
};

/**
 * The documents of one change of an order: what takes an invoice back, the invoice of the parcel, and the
 * notes of the delivery and of refunds. `earlier` has the invoices of the order so far.
 */
export function draftDocuments(
  bill: Bill,
  earlier: readonly EarlierInvoice[],
  sellers: readonly Seller[],
  today: Day,
): Draft[] {
  const { order } = bill;
  const inForce = invoicesInForce(earlier, order);
  const replaced = inForce.filter(({ parcel }) => parcel === order.takenBack?.parcel);
  refuseAfterCreditTime(replaced, today);
  const others = inForce.filter(({ parcel }) => parcel !== (order.parcel ?? order.takenBack)?.parcel);
  const before = earlier.filter(({ parcel }) => parcel === order.parcel?.parcel);
  const invoices = draftInvoices(bill, others, before, sellers, today);
  return [
    ...replaced.flatMap((invoice) => draftVoidNotes(order, invoice)),
    ...invoices,
    ...draftNotes(order, [...others, ...invoices], replaced, today),
  ];
}

/**
 * The goods of the parcel with their delivery: a tax invoice, and a bill of supply for goods without tax.
 * Rule 46A allows one document for unregistered clients only. `others` are the invoices of the other parcels;
 * `before` are those of this parcel, which the new ones replace.
 */
export function draftInvoices(
  { order, client, supply, goods }: Bill,
  others: readonly BilledInvoice[],
  before: readonly EarlierInvoice[],
  sellers: readonly Seller[],
  today: Day,
): (Draft & BilledInvoice)[] {
  if (!order.parcel) return [];
  const { placeOfSupply, deliveryState } = supply!;
  const leftOn = order.leftAt ? dayAt(order.leftAt, LAW_TIME_ZONE) : today;
  const seller = sellerOn(sellers, leftOn)!;
  const facts = buildFacts(client, seller, { ...order, deliveryState });
  const isWithinState = isHomeSupply(placeOfSupply, facts);
  const items = [...goods, ...deliveryItems(order, goods, others)];
  const [taxed, untaxed] = [items.filter(({ rate }) => rate > 0), items.filter(({ rate }) => rate === 0)];
  const isSplit = client.gstin !== null && taxed.length > 0 && untaxed.length > 0;
  return (isSplit ? [taxed, untaxed] : [items]).map((own, at) => {
    const last = before.findLast(({ part }) => part === at + 1) ?? before.at(-1);
    return {
      ...DEFAULTS,
      kind: 'invoice',
      seller: seller.id,
      clientId: order.clientId,
      orderNumber: order.orderNumber,
      parcel: order.parcel!.parcel,
      edition: Math.max(0, ...before.map(({ edition }) => edition)) + 1,
      part: at + 1,
      suppliedOn: leftOn < today ? leftOn : null,
      placeOfSupply,
      facts: { ...facts, ...(last && { replaces: { number: last.number, issued_on: last.issuedOn } }) },
      items: own.map((item, index) => ({
        ...item,
        ...taxWithin(item.gross, item.rate, isWithinState),
        position: index + 1,
        credits: [],
      })),
    };
  });
}

/**
 * Credits what is left of the invoice. None if all of it is credited already. Commercial credits have left
 * its tax as it was, so a debit takes them back first: the credit has the tax of all that is left then.
 */
function draftVoidNotes(order: OrderToBill, invoice: EarlierInvoice): Draft[] {
  const commercial = invoice.items
    .map((item) => ({ item, quantity: 0, amount: creditedOf(item) - taxedCreditOf(item) }))
    .filter(({ amount }) => amount > 0)
    .map((change) => toNoteItem(change, invoice, 0, true));
  const items = invoice.items
    .map((item) => {
      const quantity = Math.max(0, item.quantity - creditedUnits(item));
      return { item, quantity, amount: item.gross - taxedCreditOf(item) };
    })
    // Units count in table 12 of GSTR-1, even if amounts have credited their price.
    .filter(({ item, quantity, amount }) => amount > 0 || (item.line > 0 && quantity > 0))
    .map((change) => toNoteItem(change, invoice, taxedCreditOf(change.item)));
  const { reason } = order.takenBack!;
  const refund = commercialRefundOf(order);
  return [
    draftNote('debit_note', invoice, commercial, { reason, reasonCode: '04', isCommercial: true, refund }),
    draftNote('credit_note', invoice, items, { reason, reasonCode: '04', voids: true }),
  ].filter((note) => note.items.some(({ gross }) => gross > 0));
}

/**
 * The notes after a change of the order, with the parties and the kind of tax of their invoices: for the rest
 * of the delivery, if no parcel leaves now, and for each refund, so it can be taken back alone.
 */
function draftNotes(
  order: OrderToBill,
  invoices: readonly BilledInvoice[],
  replaced: readonly EarlierInvoice[],
  today: Day,
): Draft[] {
  const deliveries = order.parcel ? [] : deliveryDebits(order, invoices);
  const debited = new Map(deliveries.map(({ item, amount }) => [item, amount]));
  const items = invoices.flatMap((invoice) =>
    invoice.items.map((item): NotedItem => {
      const gross = item.gross + (debited.get(item) ?? 0);
      return { ...item, gross, invoice, taxed: taxedCreditOf(item) };
    }),
  );
  const again = items.filter(({ invoice }) => invoice.parcel === order.parcel?.parcel);
  const kept = keptCredits(order, pairReplacedItems(again, replaced));
  const debits = [...commercialDebits(order, items), ...debitsDue(order, items)];
  const changes: NoteChange[] = [
    ...debits.map((change) => ({ ...change, kind: 'debit_note' as const })),
    ...creditsDue(order, items, kept).map((change) => ({ ...change, kind: 'credit_note' as const })),
  ];
  const byInvoice = groupBy(changes, ({ item }) => item.invoice);
  return [
    ...invoices.flatMap((invoice) => draftDeliveryNotes(invoice, debited)),
    ...invoices.flatMap((invoice) => {
      const own = byInvoice.get(invoice) ?? [];
      const byNote = groupBy(own, ({ kind, refund, isUntaxed }) => `${kind} ${refund} ${isUntaxed}`);
      return [...byNote.values()].map((ofNote) => draftRefundNote(order, invoice, ofNote, today));
    }),
  ];
}

/** An item of the delivery replaces that of its rate, if there is one still. */
function pairReplacedItems<Item extends BilledItem>(
  items: readonly Item[],
  replaced: readonly EarlierInvoice[],
): ReplacedItem<Item>[] {
  const byLine = groupBy(items, ({ line }) => line);
  return replaced
    .flatMap((invoice) => invoice.items)
    .flatMap((before) => {
      const own = byLine.get(before.line) ?? [];
      const item = own.find(({ rate, treatment }) => rate === before.rate && treatment === before.treatment);
      return own.length > 0 ? [{ item: item ?? own[0]!, replaced: before }] : [];
    });
}

/** It names no refund: so it is a part of the bill, and takes none back. */
function draftDeliveryNotes(invoice: BilledInvoice, debited: ReadonlyMap<BilledItem, number>): Draft[] {
  const own = invoice.items.filter((item) => debited.has(item));
  if (own.length === 0) return [];
  const items = own.map((item) => {
    const amount = debited.get(item)!;
    return toNoteItem({ item: toDeliveryItem(item, amount), quantity: 1, amount }, invoice, item.gross);
  });
  const reason = 'The rest of the delivery charge: no further parcel bills it';
  return [draftNote('debit_note', invoice, items, { reason, reasonCode: '04' })];
}

function draftRefundNote(
  order: OrderToBill,
  invoice: BilledInvoice,
  changes: readonly NoteChange[],
  today: Day,
): Draft {
  const { kind, refund, isUntaxed } = changes[0]!;
  // A debit has the tax of the credits that it takes back.
  const creditEnd =
    kind === 'debit_note' && !isUntaxed ? null : creditEndedOn(invoice.suppliedOn ?? today, today);
  const hasTax = creditEnd === null && !isUntaxed;
  const items = changes.map((change) => {
    const before = change.item.taxed;
    if (hasTax) change.item.taxed += change.amount * (kind === 'credit_note' ? 1 : -1);
    return toNoteItem(change, invoice, Math.min(before, change.item.taxed), !hasTax);
  });
  const { reason, reasonCode } = order.refunded.find((one) => one.refund === refund) ?? order;
  return draftNote(kind, invoice, items, {
    refund,
    reason,
    reasonCode: reasonCode ?? '07',
    creditEndedOn: creditEnd,
    isCommercial: isUntaxed && creditEnd === null,
  });
}

/** `before` is the taxed amount of earlier notes. A late or commercial item has no rate, and so no tax. */
function toNoteItem(
  { item, quantity, amount }: ItemChange<BilledItem>,
  { placeOfSupply, facts }: BilledInvoice,
  before: number,
  isUntaxed = false,
): Draft['items'][number] {
  const rate = isUntaxed ? 0 : item.rate;
  const parts = taxWithin(amount, rate, isHomeSupply(placeOfSupply, facts), before);
  return { ...item, ofPosition: item.position, quantity, gross: amount, rate, ...parts };
}

function draftNote(
  kind: NoteKind,
  invoice: BilledInvoice,
  items: Draft['items'],
  values: Partial<Draft>,
): Draft {
  const { seller, clientId, orderNumber, placeOfSupply, facts } = invoice;
  const parties = { seller, clientId, orderNumber, placeOfSupply, facts };
  return { ...DEFAULTS, kind, ...parties, items, against: invoice, ...values };
}

/** The next invoice would tax the goods again. */
export function refuseAfterCreditTime(invoices: readonly EarlierInvoice[], today: Day): void {
  for (const { number, suppliedOn } of invoices) {
    const endedOn = creditEndedOn(suppliedOn, today);
    if (endedOn === null) continue;
    const fault = `${number} cannot be issued again: ${creditEndedText(endedOn)}.`;
    throw new DomainError('conflict', `${fault} Ask your accountant.`);
  }
}

/** An advance for goods is not taxed (Notification 66/2017). A refund voucher names its receipts. */
export function draftVoucher(
  { key, amount, orderNumber, reason }: Advance,
  client: BilledClient,
  seller: Seller,
  returns?: ReturnType<typeof allocateRefund>,
): Draft {
  const item = { line: null, description: 'Advance for goods', sku: '', hsn: '', unit: '', quantity: 1 };
  const gross = returns ? sum(returns, (receipt) => receipt.amount) : amount;
  const tax = { rate: 0, treatment: 'taxable' as const, ...taxWithin(gross, 0, false) };
  const parts = returns?.map((receipt) => ({ ...receipt, amount: numericFromMinor(receipt.amount) }));
  return {
    ...DEFAULTS,
    kind: returns ? 'refund_voucher' : 'receipt_voucher',
    seller: seller.id,
    clientId: client.id,
    orderNumber: orderNumber ?? null,
    paymentKey: key,
    placeOfSupply: client.state ?? '',
    reason: reason ?? null,
    items: [{ ...item, unitPrice: gross, gross, ...tax }],
    facts: { ...buildFacts(client, seller), ...(parts && { returns: parts }) },
  };
}

function buildFacts(
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
