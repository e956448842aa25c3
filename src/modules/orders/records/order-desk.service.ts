import { Inject, Injectable } from '@nestjs/common';
import { readNoteReason } from '../../invoices/rules/note-reasons.js';
import {
  type RefusedOrder,
  RequestHistory,
} from '../../request-log/kept-requests/request-history.repository.js';
import { ambiguousClient, ClientFinderService } from '../../clients/client-finder.service.js';
import { readNoInvoiceReason } from '../../invoices/rules/no-invoice.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { BoundedCount } from '../../../platform/lists/bounded-lists.js';
import { type Minor, parseAmount } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { readLine, readOptionalLine } from '../../../platform/validation/texts.js';
import type { OrderKey } from '../entities/order.entity.js';
import type { OrderChange, OrderChanges } from '../lifecycle/lifecycle.repository.js';
import {
  type ShipmentCorrection,
  checkRedirection,
  deliveryOf,
  type NamedDelivery,
  OrderCorrectionsService,
} from '../lifecycle/order-corrections.service.js';
import { previewChange, requireAllowed } from '../lifecycle/change-step.js';
import { FROM_WALLET, OrderLifecycleService } from '../lifecycle/order-lifecycle.service.js';
import { noSuchOrder } from '../order-errors.js';
import { lateDelivery } from '../rules/late-delivery.js';
import { normaliseOrderNumber } from '../rules/order-number.js';
import { requestKey, type OrderStep } from '../rules/order-steps.js';
import type { OrderStatus } from '../rules/order-transitions.js';
import { type LineQuantity, parseLineQuantities } from '../rules/order-units.js';
import { shipBy, type ShippingDeadline } from '../rules/ship-by.js';
import { checkCorrection, checkShipment, type Shipment, type TrackingException } from '../rules/shipment.js';
import type { UndoAction } from '../rules/undo-steps.js';
import { type DeskOrder, toDeskOrder } from './client-order.mapper.js';
import { readOrderCursor } from './order-cursor.js';
import {
  type ParcelExceptionRow,
  type ClientAccount,
  type DeskFilter,
  type OrderExportRow,
  OrderDeskRepository,
  type OrdersToDo,
} from './order-desk.repository.js';
import type { DeskOrderSort } from './order-filter.js';
import type { DeskOrderRow } from './order-view.js';
import { OrderViewRepository } from './order-view.repository.js';
import { type OrderOutput, toOrderOutput } from './order.mapper.js';
import { fingerprintOfOrder, type ReviewedOrder, refuseIfOrderChanged } from './refuse-if-changed.js';
import { CANCEL_REASONS } from '../cancel-reasons.js';

interface Payment {
  method?: string;
  reference?: string;
  /** Pays from the wallet. */
  consent?: string;
}

/** An order on its page. Another fingerprint means that the order was changed. */
export type DeskOrderPage = DeskOrder & WithShipBy & { fingerprint: string; needsIrn: boolean };

interface WithShipBy {
  /** Null unless the order waits to be shipped. */
  shipBy: ShippingDeadline | null;
}

export type DeskOrderListItem = DeskOrderRow & WithShipBy;

/** The number of an order, or why there is none. */
type NumberLookUp = { number: string } | { fault: string };

/** Commands of the wholesaler on orders of any client, by their numbers. */
@Injectable()
export class OrderDeskService {
  constructor(
    private readonly orders: OrderDeskRepository,
    private readonly clients: ClientFinderService,
    private readonly lifecycle: OrderLifecycleService,
    private readonly corrections: OrderCorrectionsService,
    private readonly views: OrderViewRepository,
    private readonly requests: RequestHistory,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async show(number: string): Promise<OrderOutput> {
    const order = await this.orders.find(requireOrderNumber(number));
    if (!order) throw noSuchOrder(number);
    return toOrderOutput(order);
  }

  /** The same for a page. */
  async orderPage(number: string): Promise<DeskOrderPage> {
    const order = await this.orders.find(requireOrderNumber(number));
    if (!order) throw noSuchOrder(number);
    const needsIrn = this.settings.tax === 'gst' && this.settings.eInvoicesFrom !== undefined;
    const page = { ...this.withShipBy(toDeskOrder(order)), fingerprint: fingerprintOfOrder(order) };
    return { ...page, needsIrn: needsIrn && order.isRegistered };
  }

  /** An invalid cursor leads to the first page. */
  async page(
    filter: DeskFilter,
    { after, sort, limit }: { after: string | undefined; sort: DeskOrderSort; limit: number },
  ): Promise<DeskOrderListItem[]> {
    await this.clients.check(filter.clientId);
    const cursor = after === undefined ? undefined : readOrderCursor(after);
    const rows = await this.orders.page(filter, { after: cursor, sort }, limit);
    return rows.map((order) => this.withShipBy(order));
  }

  /** The orders to ship that were paid first. */
  async firstToShip(limit: number): Promise<DeskOrderListItem[]> {
    return (await this.orders.firstToShip(limit)).map((order) => this.withShipBy(order));
  }

  private withShipBy<Order extends Pick<DeskOrderRow, 'status' | 'paidAt'>>(
    order: Order,
  ): Order & WithShipBy {
    const { status, paidAt } = order;
    return { ...order, shipBy: status === 'pending' && paidAt ? shipBy(paidAt, this.settings) : null };
  }

  counts(clientId?: number): Promise<Record<OrderStatus, BoundedCount>> {
    return this.orders.counts(clientId);
  }

  /** The filter of a list: of a status, not delivered in time, shipped in part, or none. */
  filterOf(list: OrderStatus | 'late' | 'partly' | 'all'): DeskFilter {
    if (list === 'late') return lateDelivery(this.settings);
    // A first parcel has left, at any time.
    if (list === 'partly') return { status: 'pending', shippedFrom: new Date(0) };
    return list === 'all' ? {} : { status: list };
  }

  count(filter: DeskFilter): Promise<BoundedCount> {
    return this.orders.count(filter);
  }

  /** Previews a change of the order as the page has it. */
  previewChange(order: DeskOrder, change: OrderChange, refunded = order.refundedAmount): OrderStep {
    return requireAllowed(order, previewChange({ ...order, refunded }, order.items, change));
  }

  /** Previews changes that are made together, each after the refunds before it. */
  previewChanges(order: DeskOrder, changes: readonly OrderChange[]): OrderStep[] {
    let refunded = order.refundedAmount;
    return changes.map((change) => {
      const step = this.previewChange(order, change, refunded);
      refunded += step.refund?.amount ?? 0;
      return step;
    });
  }

  /** Refuses a delivery that `redirect` would refuse. */
  checkRedirection(order: DeskOrder, changes: NamedDelivery, reason: string | null): void {
    checkRedirection(deliveryOf(changes), order, reason, this.settings.servedCountries);
  }

  /** For the review of a change: refuses what `change` would refuse. */
  async dryRun(number: string, change: OrderChanges, actor: string): Promise<void> {
    await this.lifecycle.dryRun(await this.find(number), change, actor);
  }

  /** Makes changes that a person reviewed, all or none. Does nothing if their keys were used before. */
  async change(number: string, change: OrderChanges, actor: string, reviewed: ReviewedOrder): Promise<void> {
    const key = await this.find(number);
    await this.lifecycle.applyChange(key, change, actor, refuseIfOrderChanged(this.orders, key, reviewed));
  }

  /** Finds an order by our number, in any spelling, or by the store's own id, which two clients may have. */
  async numberOf(name: string, clientId?: number): Promise<string> {
    const number = normaliseOrderNumber(name);
    if (clientId === undefined) return this.numberOfAny(name, number);
    await this.clients.check(clientId);
    const key =
      (number !== null && (await this.views.findKey(clientId, number))) ||
      (await this.views.findKey(clientId, name.trim()));
    if (!key) throw new DomainError('order_not_found', `Client ${clientId} has no order ${name}.`);
    return key.orderNumber;
  }

  private async numberOfAny(name: string, number: string | null): Promise<string> {
    if (number !== null && (await this.orders.findKey(number))) return number;
    const id = name.trim();
    const matches = await this.orders.findByStoreOrderIds([id]);
    if (matches.length > 1)
      throw ambiguousClient(
        `Several clients have an order "${id}"`,
        matches,
        'Add --client with its number.',
      );
    if (matches.length === 0) throw noSuchOrder(name);
    return matches[0]!.orderNumber;
  }

  /** Finds many orders by our numbers, which stay as they are, or by the stores' own ids. */
  async numbersOf(names: readonly string[]): Promise<Map<string, NumberLookUp>> {
    const ids = new Set(names.filter((name) => normaliseOrderNumber(name) === null));
    const matches = await this.orders.findByStoreOrderIds([...ids]);
    const matchesOf = (name: string) => matches.filter(({ storeOrderId }) => storeOrderId === name);
    return new Map(
      names.map((name) => [name, ids.has(name) ? chooseNumber(matchesOf(name)) : { number: name }]),
    );
  }

  /** Orders with these numbers, as a list shows them. */
  findMany(orderNumbers: readonly string[]): Promise<DeskOrderRow[]> {
    return this.orders.findMany(orderNumbers);
  }

  /** The accounts of all clients, or of these, by client. */
  async accounts(clientIds?: readonly number[]): Promise<Map<number, ClientAccount>> {
    const accounts = await this.orders.accounts(clientIds);
    return new Map(accounts.map((account) => [account.clientId, account]));
  }

  async list(filter: DeskFilter, limit?: number): Promise<AsyncGenerator<OrderExportRow, number>> {
    await this.clients.check(filter.clientId);
    return this.orders.list(filter, limit);
  }

  async refused(
    filter: Pick<DeskFilter, 'clientId' | 'from'>,
    limit?: number,
  ): Promise<AsyncGenerator<RefusedOrder, number>> {
    await this.clients.check(filter.clientId);
    return this.requests.refusedOrders(filter, limit);
  }

  pay(number: string, actor: string, payment: Payment): Promise<OrderOutput> {
    return this.applyChange(number, actor, payChange(payment));
  }

  /** A parcel with these lines, such as `1=2`, or with everything that is left. */
  ship(
    number: string,
    actor: string,
    shipment: Shipment & TrackingException,
    lines?: string[],
    waiver?: string,
    confirmed: ConfirmedShipment = {},
  ): Promise<OrderOutput> {
    return this.applyChange(
      number,
      actor,
      shipmentChange(shipment, lines && parseLineQuantities(lines), waiver, confirmed),
    );
  }

  /** Issues the invoice of the next parcel, with these lines or everything that is left. It stays here. */
  prepare(number: string, actor: string, lines?: string[]): Promise<OrderOutput> {
    return this.applyChange(number, actor, {
      action: 'prepare',
      lines: lines && parseLineQuantities(lines),
    });
  }

  /** Delivers all parcels of the order, or one. */
  deliver(number: string, actor: string, parcel?: number): Promise<OrderOutput> {
    return this.applyChange(number, actor, { action: 'deliver', parcel });
  }

  /** Undoes a recorded step of a parcel: by default of the newest one. */
  undo(
    number: string,
    actor: string,
    { action, parcel, reason }: { action: UndoAction; parcel?: number; reason: string },
  ): Promise<OrderOutput> {
    return this.applyChange(number, actor, undoChange(action, reason, parcel));
  }

  /** These lines of a paid order, or everything that has not left. */
  cancel(
    number: string,
    actor: string,
    { lines, writeOff, ...input }: { reason?: string; lines?: string[]; writeOff?: string[]; key?: string },
  ): Promise<OrderOutput> {
    const writtenOff = writeOff && parseLineQuantities(writeOff);
    return this.applyChange(
      number,
      actor,
      cancelChange({ ...input, writtenOff, lines: lines && parseLineQuantities(lines) }),
    );
  }

  /** Parts of a paid order, all or none. Repeating it does nothing, unless it has a new key. */
  refund(
    number: string,
    actor: string,
    { lines, ...input }: { reason: string; key?: string; lines?: string[] } & RefundInput,
  ): Promise<OrderOutput> {
    return this.applyChange(
      number,
      actor,
      refundChanges({ ...input, lines: lines && parseLineQuantities(lines) }),
    );
  }

  /** Takes back all that is left of a refund, or a part of the amount. Its repetition does nothing. */
  takeBack(number: string, actor: string, input: TakeBackInput): Promise<OrderOutput> {
    return this.applyChange(number, actor, takeBackChange(input));
  }

  /** Fields that are left out stay unchanged. Without its number, the newest parcel is corrected. */
  async correct(
    number: string,
    actor: string,
    changes: ShipmentCorrection,
    parcel?: number,
    { fingerprint, sharedWithOrders }: Partial<ReviewedOrder> & TrackingException = {},
  ): Promise<OrderOutput> {
    checkCorrection(changes);
    const key = await this.find(number);
    const check =
      fingerprint === undefined ? undefined : refuseIfOrderChanged(this.orders, key, { fingerprint });
    await this.corrections.correctShipment(key, changes, actor, {
      parcel,
      check,
      sharedWithOrders,
    });
    return this.show(key.orderNumber);
  }

  /** For the review of a correction: refuses what `correct` would refuse. */
  async dryRunCorrection(
    number: string,
    actor: string,
    changes: ShipmentCorrection,
    options: TrackingException & { parcel?: number | undefined },
  ): Promise<void> {
    checkCorrection(changes);
    await this.corrections.dryRun(await this.find(number), changes, actor, options);
  }

  /** Other orders that have a parcel with this tracking number: at most one too many. */
  async sharingTracking({ clientId, orderNumber }: OrderKey, trackingNumber: string): Promise<string[]> {
    const shared = await this.orders.sharedTracking([{ clientId, orderNumber, trackingNumber }]);
    return [...new Set(shared.map(({ otherOrder }) => otherOrder))];
  }

  async redirect(
    number: string,
    actor: string,
    changes: NamedDelivery,
    reason: string | undefined,
    reviewed?: ReviewedOrder,
  ): Promise<OrderOutput> {
    const key = await this.find(number);
    await this.corrections.correctDelivery(
      key,
      deliveryOf(changes),
      actor,
      reason,
      reviewed && refuseIfOrderChanged(this.orders, key, reviewed),
    );
    return this.show(key.orderNumber);
  }

  /** Pays all orders or none, each from the wallet of its client. */
  async payFromWallet(numbers: string[], actor: string): Promise<OrderOutput[]> {
    const keys = await Promise.all(numbers.map((number) => this.find(number)));
    await this.lifecycle.payFromWallet(keys, actor);
    return Promise.all(keys.map(({ orderNumber }) => this.show(orderNumber)));
  }

  private async applyChange(number: string, actor: string, change: OrderChanges): Promise<OrderOutput> {
    const key = await this.find(number);
    await this.lifecycle.applyChange(key, change, actor);
    return this.show(key.orderNumber);
  }

  private async find(number: string): Promise<OrderKey> {
    const key = await this.orders.findKey(requireOrderNumber(number));
    if (!key) throw noSuchOrder(number);
    return key;
  }

  parcelExceptions(limit: number): Promise<ParcelExceptionRow[]> {
    return this.orders.parcelExceptions(limit);
  }

  toDo(): Promise<OrdersToDo> {
    return this.orders.toDo();
  }
}

export function undoChange(action: UndoAction, reason: string, parcel?: number): OrderChange {
  return { action, parcel, reason: readLine('reason', reason, 200) };
}

/** A payment with money from outside the service, or from the wallet with the consent of its client. */
export function payChange({ method, reference, consent }: Payment): OrderChange {
  if (consent !== undefined) return { ...FROM_WALLET, paymentReference: readLine('consent', consent, 200) };
  return {
    action: 'pay',
    from: 'elsewhere',
    paymentMethod: readOptionalLine('payment method', method, 100),
    paymentReference: readOptionalLine('payment reference', reference, 200),
  };
}

/** A parcel with these lines, or with everything that is left. The waiver is why it has no invoice. */
export function shipmentChange(
  shipment: Shipment & TrackingException,
  lines?: LineQuantity[],
  waiver?: string,
  { oldSlip = false, withoutIrn }: ConfirmedShipment = {},
): OrderChange {
  checkShipment(shipment);
  const noInvoice = waiver !== undefined && { noInvoice: readNoInvoiceReason(waiver) };
  const early = withoutIrn !== undefined && { withoutIrn: readLine('reason', withoutIrn, 200) };
  return { action: 'ship', ...shipment, lines, oldSlip, ...noInvoice, ...early };
}

/** What a person confirms: an old slip, and with a reason a parcel whose invoice has no IRN. */
interface ConfirmedShipment {
  oldSlip?: boolean | undefined;
  withoutIrn?: string | undefined;
}

/** These lines of a paid order, which need a reason, or everything that has not left. */
export function cancelChange({
  reason: reasonText,
  lines,
  writtenOff = [],
  key,
}: {
  reason?: string;
  lines?: LineQuantity[];
  /** The cancelled units that are not for sale again. */
  writtenOff?: LineQuantity[];
  key?: string;
}): OrderChange {
  const reason = readOptionalLine('reason', reasonText, 200);
  if (writtenOff.length > 0 && reason === undefined)
    throw new DomainError('invalid_value', 'Units that are written off need a reason.');
  if (lines === undefined)
    return {
      action: 'cancel',
      cancelReason: reason ?? CANCEL_REASONS.wholesaler,
      writtenOff,
      key: readOptionalLine('key', key, 100),
    };
  if (reason === undefined) throw new DomainError('invalid_value', 'Cancelled lines need a reason.');
  return {
    action: 'cancel',
    cancelReason: reason,
    lines,
    writtenOff,
    key: requestKey(key, ['cancelled', lines, reason, ...(writtenOff.length > 0 ? [writtenOff] : [])]),
  };
}

/** A refund for each part. They have different keys, so that a repetition finds both. */
export function refundChanges({
  reason: reasonText,
  key,
  ...input
}: { reason: string; key?: string; lines?: LineQuantity[] } & RefundInput): OrderChange[] {
  const reason = readLine('reason', reasonText, 200);
  const parts = readRefund(input);
  if (input.commercial && input.amount === undefined)
    throw new DomainError('invalid_value', 'Only a refund of an amount can have a commercial credit note.');
  const choices = {
    ...(input.reasonCode && { reasonCode: readNoteReason(input.reasonCode) }),
    ...(input.commercial && { isCommercial: true }),
  };
  return parts.map((part, at) => {
    const own = at > 0 && key ? requestKey(undefined, [part, key]) : requestKey(key, [part, reason]);
    return { action: 'refund', request: { ...part, ...choices, reason, key: own } };
  });
}

interface TakeBackInput {
  refund: number;
  amount?: string;
  reason: string;
  key?: string;
}

export function takeBackChange({
  refund: takesBack,
  amount,
  reason: reasonText,
  key,
}: TakeBackInput): OrderChange {
  const reason = readLine('reason', reasonText, 200);
  const part = { takesBack, ...(amount !== undefined && { amount: readAmount(amount) }) };
  const content = ['taken_back', part, reason];
  return {
    action: 'refund',
    request: { kind: 'taken_back', ...part, reason, key: requestKey(key, content) },
  };
}

/** A refund names lines, the delivery or both, or an amount. */
interface RefundInput {
  delivery?: boolean;
  amount?: string;
  /** The credit note of an amount changes no tax. */
  commercial?: boolean;
  /** The code of the reason on the credit note, if it is not the usual one. */
  reasonCode?: string;
}

type RefundedPart =
  { kind: 'lines'; lines: LineQuantity[] } | { kind: 'delivery' } | { kind: 'amount'; amount: Minor };

function readRefund({ lines, delivery, amount }: RefundInput & { lines?: LineQuantity[] }): RefundedPart[] {
  const parts: RefundedPart[] = [
    ...(lines ? [{ kind: 'lines' as const, lines }] : []),
    ...(delivery ? [{ kind: 'delivery' as const }] : []),
  ];
  if ((amount === undefined) === (parts.length === 0))
    throw new DomainError('invalid_value', 'Name lines, the delivery or both, or an amount alone.');
  return amount === undefined ? parts : [{ kind: 'amount', amount: readAmount(amount) }];
}

function readAmount(text: string): Minor {
  const parsed = parseAmount(text);
  if ('fault' in parsed) throw new DomainError('invalid_value', `The amount ${parsed.fault}.`);
  if (parsed.hundredths <= 0) throw new DomainError('invalid_value', 'The amount must be more than 0.');
  return parsed.hundredths;
}

export function requireOrderNumber(text: string): string {
  const number = normaliseOrderNumber(text);
  if (number === null) throw noSuchOrder(text);
  return number;
}

function chooseNumber(matches: readonly { name: string; orderNumber: string }[]): NumberLookUp {
  const [first, ...others] = matches;
  if (!first) return { fault: 'is neither our order number nor the id of a store' };
  if (others.length === 0) return { number: first.orderNumber };
  const clients = matches.map(({ name }) => name).join(', ');
  return { fault: `is an order of several clients (${clients}): use our number` };
}
