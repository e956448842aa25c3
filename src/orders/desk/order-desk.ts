import { Injectable } from '@nestjs/common';
import { clientNotFound } from '../../auth/clients/require-client.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readOptionalLine } from '../../platform/validation/operator-text.js';
import type { ActionDetails, OrderKey } from '../lifecycle/order-action.js';
import {
  type ListedOrder,
  OrderDeskRepository,
  type OrderFilter,
  type OrderShown,
  type PackingLine,
  type RefusedOrderShown,
} from './order-desk.repository.js';
import { OrderLifecycle } from '../lifecycle/order-lifecycle.js';
import { normaliseOrderNumber } from '../rules/order-number.js';
import type { OrderAction } from '../rules/order-transitions.js';
import { checkShipment, type Shipment } from './shipment-details.js';

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
  ) {}

  async show(number: string): Promise<OrderShown> {
    const orderNumber = readNumber(number);
    const order = await this.orders.show(orderNumber);
    if (!order) throw orderNotFound(number);
    return order;
  }

  async list(filter: OrderFilter): Promise<AsyncGenerator<ListedOrder>> {
    await this.checkClient(filter);
    return this.orders.list(filter);
  }

  async packingList(filter: OrderFilter): Promise<AsyncGenerator<PackingLine>> {
    await this.checkClient(filter);
    return this.orders.packingList(filter);
  }

  async refused(filter: Omit<OrderFilter, 'status'>): Promise<AsyncGenerator<RefusedOrderShown>> {
    await this.checkClient(filter);
    return this.orders.refused(filter);
  }

  pay(number: string, actor: string, { method, reference }: Payment): Promise<OrderShown> {
    return this.act('pay', number, actor, {
      paymentMethod: readOptionalLine('payment method', method, 100),
      paymentReference: readOptionalLine('payment reference', reference, 200),
    });
  }

  ship(number: string, actor: string, shipment: Shipment): Promise<OrderShown> {
    checkShipment(shipment);
    return this.act('ship', number, actor, {
      courier: shipment.courier,
      trackingNumber: shipment.trackingNumber ?? undefined,
      trackingUrl: shipment.trackingUrl ?? undefined,
      shippedAt: shipment.shippedAt ?? undefined,
    });
  }

  deliver(number: string, actor: string): Promise<OrderShown> {
    return this.act('deliver', number, actor, {});
  }

  cancel(number: string, actor: string, reason: string | undefined): Promise<OrderShown> {
    return this.act('cancel', number, actor, {
      cancelReason: readOptionalLine('reason', reason, 200) ?? CANCELLED_BY_WHOLESALER,
    });
  }

  private async act(
    action: OrderAction,
    number: string,
    actor: string,
    details: ActionDetails,
  ): Promise<OrderShown> {
    const key = await this.find(number);
    await this.lifecycle.act(action, key, actor, details);
    return this.show(key.orderNumber);
  }

  /** "No orders" of a client that does not exist would be a wrong answer to a mistyped number. */
  private async checkClient({ clientId }: OrderFilter): Promise<void> {
    if (clientId !== undefined && !(await this.orders.hasClient(clientId))) throw clientNotFound(clientId);
  }

  private async find(number: string): Promise<OrderKey> {
    const key = await this.orders.findKey(readNumber(number));
    if (!key) throw orderNotFound(number);
    return key;
  }
}

function readNumber(text: string): string {
  const number = normaliseOrderNumber(text);
  if (number === null) throw orderNotFound(text);
  return number;
}

function orderNotFound(number: string): DomainError {
  return new DomainError('order_not_found', `There is no order ${number}.`);
}
