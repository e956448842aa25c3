import { dayAt } from '../../platform/time/time.js';
import { amountFromNumeric } from '../../platform/money/money.js';
import { stateInAddress } from '../tax/gstin.js';
import type { IssuedDocument } from './document-pdf.js';
import type { DocumentResponse } from './document.responses.js';
import type { Seller } from './entities/tax-document.entity.js';
import {
  type Creditable,
  documentOf,
  type Draft,
  invoiceOf,
  type Issue,
  itemsOf,
  itemsToBill,
  notesOf,
  type OrderToBill,
} from './drafts.js';
import { goodsOfParcel } from './rules/billing.js';
import { type DocumentKind, SERIES } from './rules/document-number.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { toDocumentResponse } from './tax-documents.service.js';

/** The documents of test orders. The module of test orders provides them. */
export abstract class SampleDocuments {
  abstract findDocument(clientId: number, number: string): Promise<IssuedDocument>;
}

/** A parcel or a refund of an order, and when it was. */
export type BilledChange = OrderToBill & { at: Date };

/** The first line of each page says that it bills nothing. */
const SELLER = {
  id: 1,
  name: 'TEST, NOT A TAX DOCUMENT',
  gstin: 'none',
  address: 'Nothing was sold, billed or refunded. HSN code and rate are samples.',
  state: '27',
} as Seller;

/** The sample code has fewer digits than some settings ask for. */
const ANY_CODE = { hsnDigits: 0 };

const CLIENT = { name: 'Your company', gstin: null, gstCategory: null, state: null, billingAddress: null };

/**
 * The documents that a real order would have after these changes, by the same rules. Nothing is stored: the
 * number of each begins with the number of its order.
 */
export function sampleDocuments(changes: readonly BilledChange[]): IssuedDocument[] {
  const counts = new Map<DocumentKind, number>();
  const issue = <Unnumbered extends Draft>(draft: Unnumbered, { orderNumber, at }: BilledChange) => {
    const count = (counts.get(draft.kind) ?? 0) + 1;
    counts.set(draft.kind, count);
    const number = `${orderNumber}-${SERIES[draft.kind]}-${count}`;
    return Object.assign(draft, { number, issuedAt: at, issuedOn: dayAt(at, LAW_TIME_ZONE) });
  };
  let invoices: (Creditable & Issue)[] = [];
  return changes.flatMap((order) => {
    const bill = order.parcel && billOf(order);
    const added = bill ? [issue(invoiceOf(bill, itemsToBill(bill, invoices), SELLER), order)] : [];
    invoices.push(...added);
    const notes = notesOf(order, invoices, dayAt(order.at, LAW_TIME_ZONE)).map((note) => issue(note, order));
    for (const note of notes) invoices = invoices.map((invoice) => withNote(invoice, note));
    return [...added, ...notes].map((draft) => ({
      ...documentOf(draft),
      items: itemsOf(draft),
      awaitsIrn: false,
      isSample: true,
    }));
  });
}

function billOf(order: OrderToBill) {
  const deliveryState = stateInAddress(order.deliverTo.state) ?? SELLER.state;
  const supply = { placeOfSupply: deliveryState, deliveryState };
  return { order, client: { ...CLIENT, id: order.clientId }, supply, goods: goodsOfParcel(order, ANY_CODE) };
}

/** The invoice with what the note credits, or debits for the delivery. Samples have no other debit notes. */
function withNote<Invoice extends Creditable>(
  invoice: Invoice,
  { kind, against, refund, items }: Draft,
): Invoice {
  if (against?.number !== invoice.number) return invoice;
  return {
    ...invoice,
    items: invoice.items.map((item) => {
      const noted = items.find(({ ofPosition }) => ofPosition === item.position);
      if (!noted) return item;
      const { quantity, gross: amount } = noted;
      if (kind === 'debit_note') return { ...item, gross: item.gross + amount };
      return { ...item, credits: [...item.credits, { refund, isUntaxed: false, quantity, amount }] };
    }),
  };
}

/** A sample as its store sees it in a list. */
export function toSampleResponse({ facts, items, ...document }: IssuedDocument): DocumentResponse {
  return toDocumentResponse({
    ...document,
    issued_on: document.issuedOn,
    order_number: document.orderNumber,
    store_order_id: facts.store_order_id,
    amount: amountFromNumeric(document.gross),
    lines: items.map(({ line, quantity, gross }) => ({
      line: line!,
      quantity,
      amount: amountFromNumeric(gross),
    })),
  });
}
