import type { DeskRole } from '../../../platform/access/access-rule.js';
import type { Settings } from '../../../platform/settings/settings.js';
import type { NewAuditEntry } from '../../audit/audit-log.js';
import type { OrderToBill } from '../../invoices/issuing/facts.js';
import type { Posting } from '../../wallet/rules/posting.js';
import type { Parcel } from '../entities/after-sale.entity.js';
import type { Order, OrderCorrection } from '../entities/order.entity.js';
import type { OrderStep, PricedOrder, RefundKind } from '../rules/order-steps.js';
import type { OrderStatus } from '../rules/order-transitions.js';
import type { LineQuantity, PricedLine } from '../rules/order-units.js';
import type { PreparedUnits } from '../rules/prepared-parcel.js';
import type { Delivery } from '../rules/changed-delivery.js';
import type { Shipment, TrackingException } from '../rules/shipment.js';
import type { RecordedRefund } from '../rules/take-back.js';
import type { ParcelFacts } from '../rules/undo-steps.js';

/** The actor in the history, for a change by the API. */
export const STORE = 'store';

/** Facts of an order that are read only for an action that needs them. */
export type Need =
  'lines' | 'parcels' | 'refunds' | 'prepared' | 'slip' | 'payment' | 'delivery' | 'invoices';

/** What the wholesaler decided for all orders. */
export type OrderSettings = Pick<Settings, 'timeZone' | 'servedCountries'>;

/** A parcel of an order with all that can be corrected. */
export type CorrectableParcel = ParcelFacts & Pick<Shipment, 'trackingUrl'> & { shippedAt: Date };

/** A payment that a person recorded, as the order has it. */
export type RecordedPayment = Pick<Order, 'paymentMethod' | 'paymentReference' | 'paidAt'>;

/** An order before an action. A fact that its action does not need is empty. */
export interface OrderFacts extends PricedOrder, Pick<Order, 'orderNumber' | 'placedAt' | 'paymentsUndone'> {
  lines: readonly PricedLine[];
  parcels: readonly CorrectableParcel[];
  refunds: readonly RecordedRefund[];
  /** The next parcel, if its invoice is issued. */
  prepared: PreparedUnits | null;
  /** The order was changed after its slip was printed. */
  isSlipOld: boolean;
  recordedPayment: RecordedPayment | null;
  /** Where it goes, and whether it is being packed. */
  deliverTo: (Delivery & Pick<Order, 'packingList' | 'shippedAt'>) | null;
  /** Parcels have invoices. */
  hasInvoices: boolean;
}

/** Columns of the order that an action sets. */
export type OrderColumns = Partial<
  Pick<
    Order,
    | 'paymentMethod'
    | 'paymentReference'
    | 'courier'
    | 'trackingNumber'
    | 'trackingUrl'
    | 'shippedAt'
    | 'cancelReason'
  >
>;

/** A parcel that leaves now. Without units it is a further box. */
export interface SentParcel extends TrackingException {
  units: readonly LineQuantity[];
  trackingNumber: string | null;
  /** Why no invoice is issued. */
  noInvoice?: string | undefined;
  /** Why it leaves before its invoice has an IRN. */
  withoutIrn?: string | undefined;
  /** Its invoice was issued before. */
  isPrepared: boolean;
}

/** New values of a parcel. */
export interface CorrectedParcel extends TrackingException {
  parcel: number;
  values: Partial<Pick<Parcel, 'courier' | 'trackingNumber' | 'trackingUrl' | 'shippedAt'>>;
}

/** What tax documents are issued for. Without a parcel and a refund, nothing is left to ship. */
export type DocumentEvent = Pick<OrderToBill, 'parcel' | 'refund' | 'takenBack' | 'isLeaving'>;

/** The numbers, in their order, of the parcel and the refund that were just written. */
interface NewNumbers {
  parcel: number;
  refund: number;
}

/** All that an action does. A review shows it, and the writer writes it. */
export interface OrderEffects extends OrderStep {
  /** A status that the order passes on the way to its new one. */
  through?: OrderStatus | false;
  /** Neither status nor columns of the order change. */
  keepsOrder?: boolean;
  columns?: OrderColumns;
  /** Entries of the client's wallet. */
  postings?(numbers: NewNumbers): Posting[];
  /** The units of the next parcel, which is invoiced and stays here. */
  prepares?: readonly LineQuantity[];
  sends?: SentParcel;
  /** Parcels that have arrived, now or at this time. */
  delivers?: { parcels: readonly number[]; at: Date | null };
  /** A parcel that has not arrived. */
  undelivers?: number;
  corrects?: CorrectedParcel;
  /** The changed values of the delivery. */
  deliversTo?: Partial<Delivery>;
  /** A parcel that never left. */
  removes?: 'prepared parcel' | 'newest parcel';
  /** Kept in the history of the order. */
  correction?: Pick<OrderCorrection, 'before' | 'after' | 'reason'> & { by?: 'client' };
  audit?: Pick<NewAuditEntry, 'action' | 'details'> | false;
  documents?: false | ((numbers: NewNumbers) => DocumentEvent);
}

export type Refusal = { refused: string };

/** An action with its input. `decide` is pure: it reads and writes nothing. */
export interface OrderChange {
  needs: readonly Need[];
  /** An order that has a refund with this key has had the change already. */
  once?: { key: string; kind: RefundKind } | undefined;
  /** Refused while a payment of the order is being processed. */
  isPayment?: true;
  decide(order: OrderFacts, settings: OrderSettings): OrderEffects | Refusal;
}

/** Several are made in sequence: all, or none. */
export type OrderChanges = OrderChange | OrderChange[];

/** An action of the wholesaler's people on one order. */
export interface OrderAction<Input, Changes = OrderChange> {
  /** As commands and programs name it. */
  name: string;
  sentence: string;
  /** The lowest role that may do it. */
  role: DeskRole;
  /** Reads the input. Throws if a value is wrong. */
  change(input: Input): Changes;
}
