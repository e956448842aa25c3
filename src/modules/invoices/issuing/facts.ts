import type { Transaction } from '../../../platform/database/database.js';
import type { Minor } from '../../../platform/money/money.js';
import type { LengthLaw } from '../../tax/goods-law.js';
import type { DeliveryAddress, Seller } from '../entities/tax-document.entity.js';
import type { EarlierInvoice, InvoicesRepository, OrderReference } from '../invoices.repository.js';
import { type BilledOrder, goodsOfParcel, type InvoiceItem } from '../rules/billing.js';
import type { NoteReason } from '../rules/note-reasons.js';
import { type BilledClient, supplyOf } from '../rules/supply.js';

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
    refunded: readonly (BilledOrder['refunded'][number] & { reason: string; reasonCode: NoteReason })[];
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

/** A top-up of a wallet, or money that has left it for the client's bank or the source. */
export interface Advance {
  key: string;
  amount: Minor;
  orderNumber?: string;
  reason?: string;
  /** The top-up that is paid back. */
  topUpKey?: string;
  /** The top-up was a mistake. Without a receipt of its own it needs no voucher. */
  isUndone?: boolean;
}

/** An order with its client. Without goods no parcel is billed. */
export interface Bill {
  order: OrderToBill;
  client: BilledClient;
  supply?: ReturnType<typeof supplyOf>;
  goods: InvoiceItem[];
}

/** The bills of the orders, and the registrations of the seller. Refuses missing tax data. */
export async function readFacts(
  documents: InvoicesRepository,
  transaction: Transaction,
  orders: readonly OrderToBill[],
  law: LengthLaw,
): Promise<{ bills: Bill[]; sellers: Seller[] }> {
  const ids = new Set(orders.map(({ clientId }) => clientId));
  const clients = await documents.clients(transaction, [...ids]);
  const bills = orders.map((order): Bill => {
    const client = clients.get(order.clientId)!;
    if (!order.parcel) return { order, client, goods: [] };
    const goods = goodsOfParcel(order, law);
    return { order, client, supply: supplyOf(client, order.deliverTo), goods };
  });
  return { bills, sellers: await documents.sellers(transaction) };
}

/** The invoices that are neither taken back nor issued again: of one order, or all of these. */
export function invoicesInForce(invoices: readonly EarlierInvoice[], order?: OrderToBill): EarlierInvoice[] {
  const parcels = order && invoicedParcels(order);
  return invoices.filter(
    (one) =>
      !one.isVoid &&
      (!parcels || parcels.has(one.parcel)) &&
      !invoices.some(({ parcel, edition }) => parcel === one.parcel && edition > one.edition),
  );
}

/**
 * The parcels that may have an invoice. No note takes back the invoice of a withdrawn parcel if refunds had
 * credited all of it. A later parcel without an invoice may have its number.
 */
function invoicedParcels({ left, prepared, parcel, takenBack }: OrderToBill): Set<number | null | undefined> {
  const invoiced = left.filter(({ noInvoice }) => noInvoice === null);
  return new Set([prepared, ...[...invoiced, parcel, takenBack].map((one) => one?.parcel)]);
}
