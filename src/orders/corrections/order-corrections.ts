import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { OrderCorrection } from '../entities/order-correction.entity.js';
import { Order, type OrderKey } from '../entities/order.entity.js';
import { LifecycleRepository } from '../lifecycle/lifecycle.repository.js';
import type { Shipment } from '../lifecycle/order-change.js';
import { illegalTransition } from '../order-errors.js';
import { correctable, type Correction } from '../rules/order-corrections.js';
import { checkShippedAt } from '../rules/shipped-at.js';
import { checkDelivery, type Delivery } from './delivery-details.js';
import { FIELD_NAMES, shownField } from './field-names.js';

/** What is left out stays as it is; `null` takes away what may be missing. */
export type CorrectedShipment = Partial<Omit<Shipment, 'shippedAt'>> & { shippedAt?: Date };

type Corrected = CorrectedShipment | Partial<Delivery>;

/** Mends what is known of an order and was wrong, without moving it on; what stood there before is kept beside what stands there now. */
@Injectable()
export class OrderCorrections {
  constructor(
    private readonly database: Database,
    private readonly orders: LifecycleRepository,
  ) {}

  /** Of what was shipped: by whom, under which number, when. */
  shipment(key: OrderKey, given: CorrectedShipment, actor: string): Promise<void> {
    return this.database.transaction((transaction) => this.shipmentWithin(transaction, key, given, actor));
  }

  async shipmentWithin(
    transaction: Transaction,
    key: OrderKey,
    given: CorrectedShipment,
    actor: string,
  ): Promise<void> {
    const order = await this.lock(transaction, key, 'shipment');
    checkShippedAt(given.shippedAt ?? null, order.placedAt);
    await write(transaction, order, given, actor);
  }

  /** Where it goes, until it has left. */
  delivery(key: OrderKey, given: Partial<Delivery>, actor: string): Promise<void> {
    return this.database.transaction(async (transaction) => {
      const order = await this.lock(transaction, key, 'delivery');
      await write(transaction, order, checkDelivery(given, order), actor);
    });
  }

  private async lock(transaction: Transaction, key: OrderKey, what: Correction): Promise<Order> {
    const [locked] = await this.orders.lockAll(transaction, [key]);
    const { clientId, orderNumber, status } = locked!;
    const refused = correctable(what, status);
    if (refused !== undefined) throw illegalTransition(orderNumber, refused);
    return transaction.manager.findOneByOrFail(Order, { clientId, orderNumber });
  }
}

/** What is given as it is already is no change, and leaves no record. */
async function write({ manager }: Transaction, order: Order, given: Corrected, actor: string): Promise<void> {
  const fields = Object.keys(given) as (keyof Corrected)[];
  const changed = fields.filter(
    (field) => given[field] !== undefined && shownField(given[field]) !== shownField(order[field]),
  );
  if (changed.length === 0) return;
  const { clientId, orderNumber } = order;
  const told = (from: Corrected) =>
    Object.fromEntries(changed.map((field) => [FIELD_NAMES[field], shownField(from[field] ?? null)]));
  await manager.insert(OrderCorrection, {
    clientId,
    orderNumber,
    actor,
    before: told(order),
    after: told(given),
  });
  const values = Object.fromEntries(changed.map((field) => [field, given[field]]));
  await manager.update(Order, { clientId, orderNumber }, values);
}
