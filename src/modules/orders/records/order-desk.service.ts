import { Inject, Injectable } from '@nestjs/common';
import {
  type PlacedRefusal,
  type RefusedPosition,
  RequestHistory,
} from '../../request-log/kept-requests/request-history.repository.js';
import { ambiguousClient, ClientFinderService } from '../../clients/client-finder.service.js';
import { SellersService } from '../../invoices/sellers.service.js';
import { EWayBillsService } from '../../invoices/e-way-bills.service.js';
import { LIMIT_BETWEEN_STATES } from '../../invoices/rules/e-way-bill.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { BoundedCount } from '../../../platform/lists/bounded-lists.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import { SETTINGS, type Settings } from '../../../platform/settings/settings.js';
import { isStorableText } from '../../../platform/validation/texts.js';
import type { OrderEffects, OrderChange, OrderChanges } from '../actions/order-action.js';
import { factsFor } from '../actions/order-facts.js';
import type { OrderKey } from '../entities/order.entity.js';
import { OrderLifecycleService } from '../lifecycle/order-lifecycle.service.js';
import { ambiguousOrder, listOrders, noSuchOrder, requireAllowed } from '../order-errors.js';
import { lateDelivery } from '../rules/late-delivery.js';
import { normaliseOrderNumber, readNumberEnd } from '../rules/order-number.js';
import type { OrderStatus } from '../rules/order-transitions.js';
import { shipBy, type ShippingDeadline } from '../rules/ship-by.js';
import { type DeskOrder, toDeskOrder } from './order-for-desk.js';
import { type OrderOutput, toOrderOutput } from './order-for-file.js';
import { readOrderCursor } from './order-cursor.js';
import {
  type ParcelExceptionRow,
  type ClientAccount,
  type DeskFilter,
  type OrderExportRow,
  type NamedOrder,
  OrderDeskRepository,
  type OrdersToDo,
} from './order-desk.repository.js';
import type { DeskOrderSort } from './order-filter.js';
import type { DeskOrderRow } from './order-record.js';
import { fingerprintOfOrder, type ReviewedOrder, refuseIfOrderChanged } from './refuse-if-changed.js';

/** An order on its page. Another fingerprint means that the order was changed. */
export type DeskOrderPage = DeskOrder &
  WithShipBy & { fingerprint: string; needsIrn: boolean; hasInvoices: boolean };

interface WithShipBy {
  /** Null unless the order waits to be shipped. */
  shipBy: ShippingDeadline | null;
}

export type DeskOrderListItem = DeskOrderRow & WithShipBy;

const MAX_DUE_FOR_E_WAY_BILLS = 1_000;

/** The number of an order, or why there is none. */
type NumberLookUp = { number: string } | { fault: string };

/** Commands of the wholesaler on orders of any client, by their numbers. */
@Injectable()
export class OrderDeskService {
  constructor(
    private readonly orders: OrderDeskRepository,
    private readonly clients: ClientFinderService,
    private readonly lifecycle: OrderLifecycleService,
    private readonly requests: RequestHistory,
    private readonly eWayBills: EWayBillsService,
    private readonly sellers: SellersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async show(number: string): Promise<OrderOutput> {
    return (await this.showTagged(number)).order;
  }

  /** With the mark of its state. */
  async showTagged(number: string): Promise<{ order: OrderOutput } & ReviewedOrder> {
    const order = await this.orders.find(requireOrderNumber(number));
    if (!order) throw noSuchOrder(number);
    return { order: toOrderOutput(order), fingerprint: fingerprintOfOrder(order) };
  }

  /** The same for a page. */
  async orderPage(number: string): Promise<DeskOrderPage> {
    const order = await this.orders.find(requireOrderNumber(number));
    if (!order) throw noSuchOrder(number);
    const needsIrn = this.settings.tax === 'gst' && this.settings.eInvoicesFrom !== undefined;
    const page = { ...this.withShipBy(toDeskOrder(order)), fingerprint: fingerprintOfOrder(order) };
    const hasInvoices = await this.sellers.isTaxOn();
    return { ...page, needsIrn: needsIrn && order.isRegistered, hasInvoices };
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

  /** The orders to ship whose goods will need an e-way bill, those that were paid first at the top. */
  async dueForEWayBills(): Promise<{ order_number: string; state: string; value: number }[]> {
    if (!this.eWayBills.isOn) return [];
    const lowest = Math.min(this.settings.eWayBillFrom, LIMIT_BETWEEN_STATES);
    const worth = await this.orders.worthToShip(lowest, MAX_DUE_FOR_E_WAY_BILLS);
    const limitTo = await this.eWayBills.limits();
    return worth
      .filter(({ state, value }) => minorFromAmount(value) > limitTo(state))
      .map(({ orderNumber, ...order }) => ({ order_number: orderNumber, ...order }));
  }

  counts(clientId?: number): Promise<Record<OrderStatus, BoundedCount>> {
    return this.orders.counts(clientId);
  }

  /** The filter of a list. Shipped orders of which no parcel arrives have a list of their own. */
  filterOf(list: OrderStatus | 'late' | 'partly' | 'not_arriving' | 'all'): DeskFilter {
    if (list === 'late') return lateDelivery(this.settings);
    if (list === 'not_arriving') return { status: 'shipped', goods: list };
    if (list === 'shipped') return { status: list, goods: 'arriving' };
    // A first parcel has left, at any time.
    if (list === 'partly') return { status: 'pending', shippedFrom: new Date(0) };
    return list === 'all' ? {} : { status: list };
  }

  count(filter: DeskFilter): Promise<BoundedCount> {
    return this.orders.count(filter);
  }

  /** Previews a change of the order as the page has it. */
  previewChange(order: DeskOrderPage, change: OrderChange, refunded = order.refundedAmount): OrderEffects {
    const facts = factsFor(change, {
      ...order,
      refunded,
      lines: order.items,
      recordedPayment: order.isPaymentRecorded ? order : null,
      deliverTo: order,
      // The person confirms an old slip. The dry run refuses what the page does not know.
      isSlipOld: false,
      paymentsUndone: 0,
    });
    return requireAllowed(order, change.decide(facts, this.settings));
  }

  /** Previews changes that are made together, each after the refunds before it. */
  previewChanges(order: DeskOrderPage, changes: readonly OrderChange[]): OrderEffects[] {
    let refunded = order.refundedAmount;
    return changes.map((change) => {
      const step = this.previewChange(order, change, refunded);
      refunded += step.refund?.amount ?? 0;
      return step;
    });
  }

  /** For the review of a change: refuses what `change` would refuse. */
  async dryRun(number: string, change: OrderChanges, actor: string, reviewed?: ReviewedOrder): Promise<void> {
    const key = await this.find(number);
    const check = reviewed && refuseIfOrderChanged(this.orders, key, reviewed);
    await this.lifecycle.dryRun(key, change, actor, check);
  }

  /** Makes changes that a person reviewed, all or none. Does nothing if their keys were used before. */
  async change(number: string, change: OrderChanges, actor: string, reviewed?: ReviewedOrder): Promise<void> {
    const key = await this.find(number);
    const check = reviewed && refuseIfOrderChanged(this.orders, key, reviewed);
    await this.lifecycle.applyChange(key, change, actor, check);
  }

  /** Finds an order by our number or its end, in any spelling, or by the store's own id. */
  async numberOf(name: string, clientId?: number): Promise<string> {
    await this.clients.check(clientId);
    const number = normaliseOrderNumber(name);
    const key = number === null ? null : await this.orders.findKey(number);
    if (key && key.clientId === (clientId ?? key.clientId)) return key.orderNumber;
    const matches = isStorableText(name) ? await this.orders.findNamed([name.trim()], clientId) : [];
    const [first, other] = matches;
    if (!first && clientId !== undefined)
      throw new DomainError('order_not_found', `Client ${clientId} has no order ${name}.`);
    if (!first) throw noSuchOrder(name);
    if (!other) return first.orderNumber;
    const clients = [...new Map(matches.map((match) => [match.id, match])).values()];
    const end = readNumberEnd(name);
    const hasEnd = end !== null && matches.some(({ orderNumber }) => orderNumber.endsWith(end));
    if (clients.length > 1 && !hasEnd)
      throw ambiguousClient(
        `Several clients have an order "${name.trim()}"`,
        clients,
        'Add "client" with its number.',
      );
    throw ambiguousOrder(name.trim(), matches);
  }

  /** Finds many orders by our numbers, which stay as they are, by their ends, or by the stores' own ids. */
  async numbersOf(names: readonly string[]): Promise<Map<string, NumberLookUp>> {
    const ids = new Set(names.filter((name) => normaliseOrderNumber(name) === null));
    const matches = await this.orders.findNamed([...ids]);
    const matchesOf = (name: string) => matches.filter(({ typed }) => typed === name);
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

  /** A page of them. */
  async refusedPage(
    filter: Pick<DeskFilter, 'clientId' | 'from'>,
    after: RefusedPosition | undefined,
    limit: number,
  ): Promise<PlacedRefusal[]> {
    await this.clients.check(filter.clientId);
    return this.requests.refusedPage(filter, after, limit);
  }

  /** What an action makes of the order. Its repetition with the same key does nothing. */
  async act(number: string, actor: string, change: OrderChanges): Promise<OrderOutput> {
    const key = await this.find(number);
    await this.lifecycle.applyChange(key, change, actor);
    return this.show(key.orderNumber);
  }

  /** The invoices of a parcel, by default of the newest, whose goods have another rate at its time. */
  async invoicesWithOtherRates(number: string, parcel?: number): Promise<string[]> {
    return this.lifecycle.invoicesWithOtherRates(await this.find(number), parcel);
  }

  /** Other orders that have a parcel with this tracking number: at most one too many. */
  async sharingTracking({ clientId, orderNumber }: OrderKey, trackingNumber: string): Promise<string[]> {
    const shared = await this.orders.sharedTracking([{ clientId, orderNumber, trackingNumber }]);
    return [...new Set(shared.map(({ otherOrder }) => otherOrder))];
  }

  /** Pays all orders or none, each from the wallet of its client. */
  async payFromWallet(numbers: string[], actor: string, consent?: string): Promise<OrderOutput[]> {
    const keys = await Promise.all(numbers.map((number) => this.find(number)));
    await this.lifecycle.payFromWallet(keys, actor, consent);
    const paid: OrderOutput[] = [];
    for (const { orderNumber } of keys) paid.push(await this.show(orderNumber));
    return paid;
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

export function requireOrderNumber(text: string): string {
  const number = normaliseOrderNumber(text);
  if (number === null) throw noSuchOrder(text);
  return number;
}

function chooseNumber(matches: readonly NamedOrder[]): NumberLookUp {
  const [first, ...others] = matches;
  if (!first) return { fault: 'is neither our order number nor the id of a store' };
  if (others.length === 0) return { number: first.orderNumber };
  return { fault: `fits several orders (${listOrders(matches)}): use the whole number` };
}
