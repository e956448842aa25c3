import { dayAt } from '../../platform/time/time.js';
import { stateInAddress } from '../tax/gstin.js';
import type { IssuedDocument } from './document-pdf.js';
import type { DocumentListQuery } from './document.queries.js';
import type { DocumentListResponse } from './document.responses.js';
import type { Seller } from './entities/tax-document.entity.js';
import type { EarlierInvoice } from './invoices.repository.js';
import { type Draft, draftDocuments, type Issue } from './issuing/drafts.js';
import type { Bill, OrderToBill } from './issuing/facts.js';
import { toDocument, toItems } from './issuing/rows.js';
import { goodsOfParcel } from './rules/billing.js';
import { type DocumentKind, SERIES } from './rules/document-number.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';

/** The documents of test orders. The module of test orders provides them. */
export abstract class SampleDocuments {
  abstract findDocument(clientId: number, number: string): Promise<IssuedDocument>;

  /** Of the newest test orders, by day. */
  abstract pageOfSamples(clientId: number, query: DocumentListQuery): Promise<DocumentListResponse>;
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
export function* sampleDocuments(changes: Iterable<BilledChange>): Generator<IssuedDocument> {
  const counts = new Map<DocumentKind, number>();
  let invoices: EarlierInvoice[] = [];
  for (const { at: issuedAt, ...order } of changes) {
    const issuedOn = dayAt(issuedAt, LAW_TIME_ZONE);
    for (const draft of draftDocuments(billOf(order), invoices, [SELLER], issuedOn)) {
      const count = (counts.get(draft.kind) ?? 0) + 1;
      counts.set(draft.kind, count);
      const number = `${order.orderNumber}-${SERIES[draft.kind]}-${count}`;
      const issued = Object.assign(draft, { number, issuedAt, issuedOn });
      if (draft.kind === 'invoice') invoices.push(toEarlierInvoice(issued));
      invoices = invoices.map((invoice) => withNote(invoice, issued));
      yield { ...toDocument(issued), items: toItems(issued), awaitsIrn: false, isSample: true };
    }
  }
}

function billOf(order: OrderToBill): Bill {
  const client = { ...CLIENT, id: order.clientId };
  if (!order.parcel) return { order, client, goods: [] };
  const deliveryState = stateInAddress(order.deliverTo.state) ?? SELLER.state;
  const supply = { placeOfSupply: deliveryState, deliveryState };
  return { order, client, supply, goods: goodsOfParcel(order, ANY_CODE) };
}

function toEarlierInvoice({ items, ...invoice }: Draft & Issue): EarlierInvoice {
  return {
    ...invoice,
    orderNumber: invoice.orderNumber!,
    suppliedOn: invoice.suppliedOn ?? invoice.issuedOn,
    isVoid: false,
    isIrnCancelled: false,
    items: items.map((item, at) => ({ ...item, line: item.line!, position: at + 1, credits: [] })),
  };
}

/** The invoice with what the note credits, or debits for the delivery. Samples have no other debit notes. */
function withNote(invoice: EarlierInvoice, { kind, against, refund, items }: Draft): EarlierInvoice {
  if (against?.number !== invoice.number) return invoice;
  const byPosition = new Map(items.map((item) => [item.ofPosition, item]));
  return {
    ...invoice,
    items: invoice.items.map((item) => {
      const noted = byPosition.get(item.position);
      if (!noted) return item;
      const { quantity, gross: amount } = noted;
      if (kind === 'debit_note') return { ...item, gross: item.gross + amount };
      return { ...item, credits: [...item.credits, { refund, isUntaxed: false, quantity, amount }] };
    }),
  };
}
