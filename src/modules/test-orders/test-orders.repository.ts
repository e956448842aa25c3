import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Equal, IsNull, LessThan, MoreThanOrEqual, Or, Repository, type SelectQueryBuilder } from 'typeorm';
import type { Order } from '../orders/entities/order.entity.js';
import type { OrderFilter } from '../orders/records/order-filter.js';
import type { StoreOrderRow } from '../orders/records/order-record.js';
import type { OrdersWithState, StoreScope } from '../orders/records/order-view.repository.js';
import type { OrderSource } from '../orders/store-orders.js';
import { Database } from '../../platform/database/database.js';
import type { ReadPosition } from '../../read-model/snapshot/watermark.js';
import { TestOrder, type TestOrderContent, type TestOrderHead } from './test-order.entity.js';

/** Maximum number of test orders of a client. A new order then removes the oldest one. */
export const MAX_TEST_ORDERS = 1_000;

/** The time that test orders are kept. The documentation names it. */
export const TEST_ORDER_RETENTION_DAYS = 30;

/** SQL, because only the database knows its snapshot. */
const FIND_STATE = {
  text: `
    SELECT identity, pg_snapshot_xmin(snapshot)::text AS "seenBelow",
           (SELECT coalesce(max(changed), 0) FROM test_orders
             WHERE client_id = $1 AND changed < pg_snapshot_xmax(snapshot)::text::bigint) AS "highestStamp"
      FROM history_identity(), pg_current_snapshot() AS snapshot`,
};

const PRUNE = {
  text: `
    DELETE FROM test_orders
     WHERE client_id = $1 AND order_number IN (
       SELECT order_number FROM test_orders WHERE client_id = $1
        ORDER BY placed_at DESC, order_number DESC OFFSET ${MAX_TEST_ORDERS})`,
};

const HEAD = 'coalesce(o.head, test_order_head(o.content))';

type HeadRow = Pick<TestOrder, 'changed'> & { head: TestOrderHead };

/** The test orders of one client, read as its real ones are. */
@Injectable()
export class TestOrdersRepository implements OrderSource {
  constructor(
    private readonly database: Database,
    @InjectRepository(TestOrder) private readonly orders: Repository<TestOrder>,
  ) {}

  /** False if another order has the claim. */
  async add(order: Omit<TestOrder, 'changed' | 'head'>): Promise<boolean> {
    const made = await this.orders
      .createQueryBuilder()
      .insert()
      .values(order)
      .orIgnore()
      .returning('order_number')
      .execute();
    await this.database.query(PRUNE, [order.clientId]);
    return (made.raw as unknown[]).length > 0;
  }

  async findByClaim({ clientId, domain }: StoreScope, claim: string): Promise<TestOrder | null> {
    const order = await this.orders.findOneBy({ clientId, claim, domain: ofDomain(domain) });
    return order && { ...order, content: reviveDates(order.content) };
  }

  async find(clientId: number, orderNumber: string): Promise<TestOrderContent | undefined> {
    const order = await this.orders.findOneBy({ clientId, orderNumber });
    return order ? reviveDates(order.content) : undefined;
  }

  /** Our number comes first, then the store's id. */
  async findEach(
    keys: readonly (StoreScope & { number: string })[],
  ): Promise<(TestOrderContent | undefined)[]> {
    const where = keys.flatMap(({ clientId, domain, number }) => [
      { clientId, orderNumber: number },
      { clientId, claim: number, domain: ofDomain(domain) },
    ]);
    const found = where.length > 0 ? await this.orders.findBy(where) : [];
    return keys.map(({ clientId, number }) => {
      const own = found.filter((order) => order.clientId === clientId);
      const order =
        own.find(({ orderNumber }) => orderNumber === number) ?? own.find(({ claim }) => claim === number);
      return order && reviveDates(order.content);
    });
  }

  /** Newest first. */
  async newest(clientId: number, limit: number): Promise<TestOrderContent[]> {
    const order = { placedAt: 'DESC', orderNumber: 'DESC' } as const;
    const found = await this.orders.find({ where: { clientId }, order, take: limit });
    return found.map(({ content }) => reviveDates(content));
  }

  /** Newest first. The moment is read before the orders, so a change in between is reported twice. */
  async page(
    { clientId, domain }: StoreScope,
    filter: OrderFilter,
    { after }: Parameters<OrderSource['page']>[2],
    limit: number,
  ): Promise<OrdersWithState> {
    const state = await this.readState(clientId);
    const { status, paymentStatus, storeOrderId, from, to } = filter;
    const query = this.heads({ clientId, domain });
    if (status) query.andWhere(`${HEAD} ->> 'status' = :status`, { status });
    if (paymentStatus) query.andWhere(`${HEAD} ->> 'paymentStatus' = :paymentStatus`, { paymentStatus });
    if (storeOrderId !== undefined) query.andWhere({ claim: storeOrderId });
    if (from) query.andWhere({ placedAt: MoreThanOrEqual(from) });
    if (to) query.andWhere({ placedAt: LessThan(to) });
    if (after) {
      const last = { at: new Date(after.key / 1_000), number: after.orderNumber };
      query.andWhere('(o.placedAt, o.orderNumber) < (:at, :number)', last);
    }
    const found = await query
      .orderBy({ 'o.placedAt': 'DESC', 'o.orderNumber': 'DESC' })
      .limit(limit)
      .getRawMany<HeadRow>();
    return { state, orders: found.map(toStoreOrderRow) };
  }

  /** Has no limit: a client has few test orders. */
  async changedSince({ clientId, domain }: StoreScope, changeVersion: number): Promise<OrdersWithState> {
    const state = await this.readState(clientId);
    const found = await this.heads({ clientId, domain })
      .andWhere({ changed: MoreThanOrEqual(String(changeVersion)) })
      .orderBy({ 'o.changed': 'ASC', 'o.orderNumber': 'ASC' })
      .getRawMany<HeadRow>();
    return { state, orders: found.map(toStoreOrderRow) };
  }

  /** Without contents: all contents of a client may have hundreds of megabytes. */
  private heads({ clientId, domain }: StoreScope): SelectQueryBuilder<TestOrder> {
    return this.orders
      .createQueryBuilder('o')
      .select(HEAD, 'head')
      .addSelect('o.changed', 'changed')
      .where({ clientId, domain: ofDomain(domain) });
  }

  /** Returns how many were too old. */
  async deleteBefore(before: Date): Promise<number> {
    const { affected } = await this.orders.delete({ placedAt: LessThan(before) });
    return affected ?? 0;
  }

  private async readState(clientId: number): Promise<ReadPosition> {
    const [row] = await this.database.query<Record<'identity' | 'seenBelow' | 'highestStamp', string>>(
      FIND_STATE,
      [clientId],
    );
    const { identity, seenBelow, highestStamp } = row!;
    return { identity, visibleBelow: Number(seenBelow), highestVersion: Number(highestStamp) };
  }
}

/** Orders of 1.0.0 are of all domains. */
const ofDomain = (domain: string) => Or(Equal(domain), IsNull());

/** JSON has no dates. */
export function reviveDates<Dated extends Pick<Order, 'placedAt' | 'paymentDueAt' | 'shippedAt'>>(
  content: Dated,
): Dated {
  const { placedAt, paymentDueAt, shippedAt } = content;
  return {
    ...content,
    placedAt: new Date(placedAt),
    paymentDueAt: new Date(paymentDueAt),
    shippedAt: shippedAt && new Date(shippedAt),
  };
}

function toStoreOrderRow({ head, changed }: HeadRow): StoreOrderRow {
  const order = reviveDates(head);
  const placedAtMicros = String(order.placedAt.getTime() * 1_000);
  return { ...order, changed, placedAtMicros, statusChangedAt: new Date(head.statusChangedAt) };
}
