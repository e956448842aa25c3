import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { clientNotFound } from '../../auth/clients/require-client.js';
import { readOptionalLine } from '../../platform/validation/operator-text.js';
import type { OrderChange, Shipment } from '../lifecycle/order-change.js';
import { type ListedOrder, OrderDeskRepository, type RefusedOrderShown } from './order-desk.repository.js';
import { OrderReadsRepository } from '../reading/order-reads.repository.js';
import { OrderLifecycle } from '../lifecycle/order-lifecycle.js';
import type { OrderKey } from '../entities/order.entity.js';
import { type CorrectedShipment, OrderCorrections } from '../corrections/order-corrections.js';
import type { Delivery } from '../corrections/delivery-details.js';
import { noSuchOrder } from '../order-errors.js';
import { OrderPayments } from '../paying/order-payments.js';
import { normaliseOrderNumber } from '../rules/order-number.js';
import type { OrderFilter } from './order-filter.js';
import type { Period, SalesLine } from './sales-columns.js';
import { SalesRepository, type SalesTotal } from './sales.repository.js';
import type { OrderShown } from './order-shown.js';
import type { PackingLine } from './packing-list.js';
import { checkCorrection, checkShipment } from './shipment-details.js';

interface Payment {
  method?: string;
  reference?: string;
}

const CANCELLED_BY_WHOLESALER = 'cancelled by the wholesaler';

/** What the wholesaler does with orders of any client, known by their number alone. */
@Injectable()
export class OrderDesk {
  constructor(
    private readonly orders: OrderDeskRepository,
    private readonly lifecycle: OrderLifecycle,
    private readonly payments: OrderPayments,
    private readonly corrections: OrderCorrections,
    private readonly reads: OrderReadsRepository,
    private readonly sold: SalesRepository,
  ) {}

  async show(number: string): Promise<OrderShown> {
    const order = await this.orders.show(readNumber(number));
    if (!order) throw noSuchOrder(number);
    return order;
  }

  /** Of the order that its client calls so: by our number, in any spelling, or by its own id. */
  async numberOf(clientId: number, name: string): Promise<string> {
    await this.checkClient({ clientId });
    const number = normaliseOrderNumber(name);
    const key =
      (number !== null && (await this.reads.findKey(clientId, number))) ||
      (await this.reads.findKey(clientId, name.trim()));
    if (!key) throw new DomainError('order_not_found', `Client ${clientId} has no order ${name}.`);
    return key.orderNumber;
  }

  async list(filter: OrderFilter): Promise<AsyncGenerator<ListedOrder>> {
    await this.checkClient(filter);
    return this.orders.list(filter);
  }

  async packingList(filter: OrderFilter): Promise<AsyncGenerator<PackingLine>> {
    await this.checkClient(filter);
    return this.orders.packingList(filter);
  }

  async sales(filter: OrderFilter): Promise<AsyncGenerator<SalesLine>> {
    await this.checkClient(filter);
    return this.sold.lines(filter);
  }

  async totals(filter: OrderFilter, period: Period): Promise<AsyncGenerator<SalesTotal>> {
    await this.checkClient(filter);
    return this.sold.totals(filter, period);
  }

  async refused(filter: Pick<OrderFilter, 'clientId' | 'since'>): Promise<AsyncGenerator<RefusedOrderShown>> {
    await this.checkClient(filter);
    return this.orders.refused(filter);
  }

  async pay(number: string, actor: string, { method, reference }: Payment): Promise<OrderShown> {
    const key = await this.find(number);
    const payment = {
      paymentMethod: readOptionalLine('payment method', method, 100),
      paymentReference: readOptionalLine('payment reference', reference, 200),
    };
    await this.payments.payFromElsewhere(key, payment, actor);
    return this.show(key.orderNumber);
  }

  ship(number: string, actor: string, shipment: Shipment): Promise<OrderShown> {
    checkShipment(shipment);
    return this.act(number, actor, { action: 'ship', ...shipment });
  }

  deliver(number: string, actor: string): Promise<OrderShown> {
    return this.act(number, actor, { action: 'deliver' });
  }

  cancel(number: string, actor: string, reason: string | undefined): Promise<OrderShown> {
    return this.act(number, actor, {
      action: 'cancel',
      cancelReason: readOptionalLine('reason', reason, 200) ?? CANCELLED_BY_WHOLESALER,
    });
  }

  /** What is left out stays as it is. */
  async correct(number: string, actor: string, given: CorrectedShipment): Promise<OrderShown> {
    checkCorrection(given);
    const key = await this.find(number);
    await this.corrections.shipment(key, given, actor);
    return this.show(key.orderNumber);
  }

  async redirect(number: string, actor: string, given: Partial<Delivery>): Promise<OrderShown> {
    const key = await this.find(number);
    await this.corrections.delivery(key, given, actor);
    return this.show(key.orderNumber);
  }

  /** All of them or none, each from its own client's wallet. */
  async payFromWallet(numbers: string[], actor: string): Promise<OrderShown[]> {
    const keys = await Promise.all(numbers.map((number) => this.find(number)));
    await this.payments.payFromWallet(keys, actor);
    return Promise.all(keys.map(({ orderNumber }) => this.show(orderNumber)));
  }

  private async act(number: string, actor: string, change: OrderChange): Promise<OrderShown> {
    const key = await this.find(number);
    await this.lifecycle.act(key, change, actor);
    return this.show(key.orderNumber);
  }

  private async find(number: string): Promise<OrderKey> {
    const key = await this.orders.findKey(readNumber(number));
    if (!key) throw noSuchOrder(number);
    return key;
  }

  /** "No orders" of a client that does not exist would be a wrong answer to a mistyped number. */
  private async checkClient({ clientId }: OrderFilter): Promise<void> {
    if (clientId !== undefined && !(await this.orders.hasClient(clientId))) throw clientNotFound(clientId);
  }
}

function readNumber(text: string): string {
  const number = normaliseOrderNumber(text);
  if (number === null) throw noSuchOrder(text);
  return number;
}
