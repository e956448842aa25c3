import { Injectable } from '@nestjs/common';
import { type RefusedOrder, RequestHistory } from '../../activity/history/request-history.js';
import { ambiguousClient, clientNotFound, MOST_CANDIDATES } from '../../auth/clients/client-finder.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readOptionalLine } from '../../platform/validation/texts.js';
import {
  type CorrectedShipment,
  type Delivery,
  OrderCorrectionsService,
} from '../lifecycle/order-corrections.service.js';
import type { OrderKey } from '../entities/order.entity.js';
import type { OrderChange } from '../lifecycle/lifecycle.repository.js';
import { OrderLifecycleService } from '../lifecycle/order-lifecycle.service.js';
import { noSuchOrder } from '../order-errors.js';
import { normaliseOrderNumber } from '../rules/order-number.js';
import { OrderViewRepository } from '../view/order-view.repository.js';
import { type OrderShown, toOrderShown } from '../view/order.mapper.js';
import {
  type Account,
  type DeskFilter,
  type DeskListed,
  OrderDeskRepository,
  type Period,
  type SalesTotal,
  type Sheet,
} from './order-desk.repository.js';
import { checkCorrection, checkShipment, type Shipment } from '../rules/shipment.js';

interface Payment {
  method?: string;
  reference?: string;
}

const CANCELLED_BY_WHOLESALER = 'cancelled by the wholesaler';

/** Commands of the wholesaler on orders of any client, by their numbers. */
@Injectable()
export class OrderDeskService {
  constructor(
    private readonly orders: OrderDeskRepository,
    private readonly lifecycle: OrderLifecycleService,
    private readonly corrections: OrderCorrectionsService,
    private readonly views: OrderViewRepository,
    private readonly requests: RequestHistory,
  ) {}

  async show(number: string): Promise<OrderShown> {
    const order = await this.orders.find(readNumber(number));
    if (!order) throw noSuchOrder(number);
    return toOrderShown(order);
  }

  /** Finds an order by our number, in any spelling, or by the store's own id, which two clients may have. */
  async numberOf(name: string, clientId?: number): Promise<string> {
    const number = normaliseOrderNumber(name);
    if (clientId === undefined) return this.numberOfAny(name, number);
    await this.checkClient({ clientId });
    const key =
      (number !== null && (await this.views.findKey(clientId, number))) ||
      (await this.views.findKey(clientId, name.trim()));
    if (!key) throw new DomainError('order_not_found', `Client ${clientId} has no order ${name}.`);
    return key.orderNumber;
  }

  private async numberOfAny(name: string, number: string | null): Promise<string> {
    if (number !== null && (await this.orders.findKey(number))) return number;
    const id = name.trim();
    const found = await this.orders.findByStoreOrderId(id, MOST_CANDIDATES);
    if (found.length > 1)
      throw ambiguousClient(`Several clients have an order "${id}"`, found, 'Add --client with its number.');
    if (found.length === 0) throw noSuchOrder(name);
    return found[0]!.orderNumber;
  }

  /** The money of each client, or of one. */
  accounts(clientId?: number): Promise<Account[]> {
    return this.orders.accounts(clientId);
  }

  async list(filter: DeskFilter, limit?: number): Promise<AsyncGenerator<DeskListed, number>> {
    await this.checkClient(filter);
    return this.orders.list(filter, limit);
  }

  async packingList(filter: DeskFilter): Promise<Sheet> {
    await this.checkClient(filter);
    return this.orders.packingList(filter);
  }

  async sales(filter: DeskFilter): Promise<Sheet> {
    await this.checkClient(filter);
    return this.orders.sales(filter);
  }

  async totals(filter: DeskFilter, period: Period): Promise<AsyncGenerator<SalesTotal, number>> {
    await this.checkClient(filter);
    return this.orders.totals(filter, period);
  }

  async refused(
    filter: Pick<DeskFilter, 'clientId' | 'from'>,
    limit?: number,
  ): Promise<AsyncGenerator<RefusedOrder, number>> {
    await this.checkClient(filter);
    return this.requests.refusedOrders(filter, limit);
  }

  async pay(number: string, actor: string, { method, reference }: Payment): Promise<OrderShown> {
    const key = await this.find(number);
    const payment = {
      paymentMethod: readOptionalLine('payment method', method, 100),
      paymentReference: readOptionalLine('payment reference', reference, 200),
    };
    await this.lifecycle.payFromElsewhere(key, payment, actor);
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

  /** Fields that are left out stay unchanged. */
  async correct(number: string, actor: string, given: CorrectedShipment): Promise<OrderShown> {
    checkCorrection(given);
    const key = await this.find(number);
    await this.corrections.shipment(key, given, actor);
    return this.show(key.orderNumber);
  }

  async redirect(
    number: string,
    actor: string,
    given: Partial<Delivery>,
    reason: string | undefined,
  ): Promise<OrderShown> {
    const key = await this.find(number);
    await this.corrections.delivery(key, given, actor, reason);
    return this.show(key.orderNumber);
  }

  /** Pays all orders or none, each from the wallet of its client. */
  async payFromWallet(numbers: string[], actor: string): Promise<OrderShown[]> {
    const keys = await Promise.all(numbers.map((number) => this.find(number)));
    await this.lifecycle.payFromWallet(keys, actor);
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

  countByStatus(): Promise<Record<string, number>> {
    return this.orders.countByStatus();
  }

  countClientsNearLimit(): Promise<number> {
    return this.orders.countClientsNearLimit();
  }

  /** A mistyped client is an error, not an empty list. */
  private async checkClient({ clientId }: DeskFilter): Promise<void> {
    if (clientId !== undefined && !(await this.orders.hasClient(clientId))) throw clientNotFound(clientId);
  }
}

function readNumber(text: string): string {
  const number = normaliseOrderNumber(text);
  if (number === null) throw noSuchOrder(text);
  return number;
}
