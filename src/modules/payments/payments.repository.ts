import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, Not, type Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { Order, type OrderKey } from '../orders/entities/order.entity.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, numericFromMinor } from '../../platform/money/money.js';
import { TEST_GATEWAYS } from './gateway/payment-gateway.js';
import { GatewayEventRecord } from './entities/gateway.entity.js';
import { Payment, type PaymentKey, PaymentOrder } from '../orders/entities/payment.entity.js';
import { isUuid } from '../../platform/validation/texts.js';
import { type Concern, type PaymentStatus, UNDERWAY } from './rules/payment-status.js';
import { DAY_MS } from '../../platform/time/time.js';

/** The service polls the gateway for each open payment, so their number per client has a limit. */
const MAX_OPEN_PAYMENTS = 20;

/** The service polls the gateway for payments that were given up too. */
const MAX_UNPAID_PER_DAY = 200;

export interface PaymentFilter {
  clientId?: number;
  status?: PaymentStatus;
  /** Only payments that need a person, because of themselves or of a refund. */
  concerning?: boolean;
  /** Only payments with a refund that is not over. */
  refunding?: boolean;
  /** Only payments that follow this one in a list, which has the newest first. */
  before?: string;
}

export interface PaymentRow {
  payment_id: string;
  client_id: number;
  client: string;
  provider: string;
  gateway_order_id: string | null;
  amount: number;
  status: PaymentStatus;
  created_at: Date;
  paid_at: Date | null;
  concern: Concern | null;
  /** What came into the wallet; twice the amount after a double payment. */
  received: number;
  /** What has gone back to the source. */
  refunded: number;
  /** The amount that is on its way back to the source. */
  refunding: number;
}

/** The payments that need a person, because of themselves or of a refund. Each one once. */
const CONCERNING = `
  SELECT client_id, payment_id FROM payments WHERE concern IS NOT NULL
  UNION SELECT client_id, payment_id FROM gateway_refunds WHERE concern IS NOT NULL`;

const COUNT_CONCERNING = `SELECT count(*)::int AS count FROM (${CONCERNING}) AS concerning`;

/** SQL, because a cursor streams it. */
const LIST = `
  SELECT p.payment_id, p.client_id, c.name AS client, p.provider, p.gateway_order_id, p.amount::float8,
         p.status, p.created_at, p.paid_at, coalesce(p.concern, r.concern) AS concern,
         e.received::float8, coalesce(r.refunded, 0)::float8 AS refunded,
         coalesce(r.refunding, 0)::float8 AS refunding
    FROM payments p
    JOIN clients c ON c.id = p.client_id
    LEFT JOIN LATERAL (
           SELECT max(concern) AS concern, sum(amount) FILTER (WHERE g.status = 'processed') AS refunded,
                  sum(amount) FILTER (WHERE g.status IN ('requested', 'pending')) AS refunding
             FROM gateway_refunds g
            WHERE (g.client_id, g.payment_id) = (p.client_id, p.payment_id)) r ON true
    CROSS JOIN LATERAL (
           SELECT coalesce(sum(amount), 0) AS received
             FROM wallet_entries e
            WHERE (e.client_id, e.payment_id) = (p.client_id, p.payment_id) AND e.kind = 'top_up') e
   WHERE ($1::int IS NULL OR p.client_id = $1) AND ($2::text IS NULL OR p.status = $2)
     AND (NOT $3 OR (p.client_id, p.payment_id) IN (${CONCERNING}))
     AND (NOT $4 OR (p.client_id, p.payment_id) IN (
           SELECT client_id, payment_id FROM gateway_refunds WHERE status IN ('requested', 'pending')))
     AND ($5::uuid IS NULL OR p.created_at <= (SELECT created_at FROM payments WHERE payment_id = $5)
          AND (p.created_at < (SELECT created_at FROM payments WHERE payment_id = $5) OR p.payment_id > $5))
   ORDER BY p.created_at DESC, p.payment_id`;

export interface TestMoneyRow {
  client_id: number;
  client: string;
  /** Money from test gateways without what went back to them. Spent money is included. */
  test_money: number;
  balance: number;
  /** The part that orders were paid with. */
  spent: number;
  /** Orders of this client that are paid and still to be shipped. */
  orders_to_ship: number;
}

/**
 * Each entry of test money names its payment, so the sum is what is left. SQL, because it sums tables of
 * three modules.
 */
const TEST_MONEY = {
  name: 'test-money-held',
  text: `
    SELECT client_id, c.name AS client, held.amount::float8 AS test_money, w.balance::float8,
           greatest(held.amount - w.balance, 0)::float8 AS spent,
           (SELECT count(*)::int FROM orders o
             WHERE o.client_id = held.client_id AND o.status = 'pending' AND o.payment_status = 'paid'
           ) AS orders_to_ship
      FROM (SELECT p.client_id, sum(e.amount) AS amount
              FROM payments p JOIN wallet_entries e USING (client_id, payment_id)
             WHERE p.provider = ANY ($1) GROUP BY p.client_id HAVING sum(e.amount) > 0) AS held
      JOIN wallets w USING (client_id)
      JOIN clients c ON c.id = held.client_id
     ORDER BY client_id`,
};

const TEST_MONEY_BY_PAYMENT = {
  name: 'test-money-left',
  text: `
    SELECT payment_id, sum(e.amount) AS amount
      FROM payments p JOIN wallet_entries e USING (client_id, payment_id)
     WHERE p.provider = ANY ($1) AND client_id = $2 GROUP BY payment_id HAVING sum(e.amount) > 0`,
};

@Injectable()
export class PaymentsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    @InjectRepository(GatewayEventRecord) private readonly events: Repository<GatewayEventRecord>,
  ) {}

  list(filter: PaymentFilter, limit?: number): AsyncGenerator<PaymentRow, number> {
    return this.database.stream<PaymentRow>(LIST, valuesOf(filter), limit);
  }

  newest(filter: PaymentFilter, limit: number): Promise<PaymentRow[]> {
    return this.database.query<PaymentRow>({ text: `${LIST} LIMIT $6` }, [...valuesOf(filter), limit]);
  }

  async countConcerning(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>({ text: COUNT_CONCERNING }, []);
    return row!.count;
  }

  /** Payments of other clients are not found. */
  async find({ clientId, paymentId }: PaymentKey): Promise<Payment> {
    const payment = isUuid(paymentId) ? await this.payments.findOneBy({ clientId, paymentId }) : null;
    if (!payment) throw paymentNotFound(paymentId);
    return payment;
  }

  /** For the gateway, a returning browser and the wholesaler. The id cannot be guessed. */
  async findById(paymentId: string): Promise<Payment> {
    const payment = isUuid(paymentId) ? await this.payments.findOneBy({ paymentId }) : null;
    if (!payment) throw paymentNotFound(paymentId);
    return payment;
  }

  /** A recent top-up of this amount that can still be paid, or can be in a moment. */
  findTopUp(
    { manager }: Transaction,
    { clientId, provider, amount }: { clientId: number; provider: string; amount: Minor },
  ): Promise<Payment | null> {
    return manager
      .createQueryBuilder(Payment, 'p')
      .where({ clientId, provider, status: In(UNDERWAY), amount: numericFromMinor(amount) })
      .andWhere(`p.created_at > now() - interval '15 minutes'`)
      .andWhere(
        `NOT EXISTS (SELECT FROM payment_orders m
                      WHERE (m.client_id, m.payment_id) = (p.client_id, p.payment_id))`,
      )
      .orderBy('p.createdAt', 'DESC')
      .getOne();
  }

  /** The caller has locked the wallet, so two requests at once do not both pass the limit. */
  async refuseTooMany({ manager }: Transaction, clientId: number): Promise<void> {
    if ((await manager.countBy(Payment, { clientId, status: In(UNDERWAY) })) >= MAX_OPEN_PAYMENTS)
      throw tooManyPayments(
        `You have ${MAX_OPEN_PAYMENTS} open payments. Finish one, or give one up, before you start another.`,
      );
    const yesterday = new Date(Date.now() - DAY_MS);
    const unpaid = { clientId, status: Not<PaymentStatus>('paid'), createdAt: MoreThan(yesterday) };
    if ((await manager.countBy(Payment, unpaid)) >= MAX_UNPAID_PER_DAY)
      throw tooManyPayments(
        `You started ${MAX_UNPAID_PER_DAY} payments in one day and did not pay them. Try again tomorrow.`,
      );
  }

  async lock({ manager }: Transaction, { clientId, paymentId }: PaymentKey): Promise<Payment> {
    const payment = await manager.findOne(Payment, {
      where: { clientId, paymentId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!payment) throw paymentNotFound(paymentId);
    return payment;
  }

  findWithin({ manager }: Transaction, { clientId, paymentId }: PaymentKey): Promise<Payment> {
    return manager.findOneByOrFail(Payment, { clientId, paymentId });
  }

  /** Limits the checks that a returning browser causes to one in 5 s. */
  async reserveCheck({ clientId, paymentId }: PaymentKey): Promise<boolean> {
    const { affected } = await this.payments
      .createQueryBuilder()
      .update()
      .set({ askedAt: () => 'now()' })
      .where({ clientId, paymentId })
      .andWhere(`(asked_at IS NULL OR asked_at < now() - interval '5 seconds')`)
      .execute();
    return affected === 1;
  }

  ordersOf(
    { manager }: { manager: EntityManager },
    { clientId, paymentId }: PaymentKey,
  ): Promise<OrderKey[]> {
    return manager.find(PaymentOrder, {
      select: { clientId: true, orderNumber: true },
      where: { clientId, paymentId },
    });
  }

  async isTopUp({ clientId, paymentId }: PaymentKey): Promise<boolean> {
    return !(await this.payments.manager.existsBy(PaymentOrder, { clientId, paymentId }));
  }

  /** Whether the payment was meant for orders, and none of them waits for payment any more. */
  async hasNoOrderLeft({ manager }: Transaction, key: PaymentKey): Promise<boolean> {
    const orders = await manager
      .createQueryBuilder(PaymentOrder, 'm')
      .innerJoin(Order, 'o', 'o.clientId = m.clientId AND o.orderNumber = m.orderNumber')
      .select('o.status', 'status')
      .where({ clientId: key.clientId, paymentId: key.paymentId })
      .getRawMany<Pick<Order, 'status'>>();
    return orders.length > 0 && orders.every(({ status }) => status !== 'awaiting_payment');
  }

  /** Events about a payment that no check has answered yet. */
  async waitingEvents(
    { provider, gatewayOrderId }: Payment,
    { manager }: { manager: EntityManager } = this.events,
  ): Promise<string[]> {
    const events = await manager.find(GatewayEventRecord, {
      select: { eventId: true },
      where: { provider, gatewayOrderId: gatewayOrderId!, processedAt: IsNull() },
    });
    return events.map(({ eventId }) => eventId);
  }

  listTestMoney(): Promise<TestMoneyRow[]> {
    return this.database.query<TestMoneyRow>(TEST_MONEY, [TEST_GATEWAYS]);
  }

  /** The remaining test money of each payment of the client. */
  listTestMoneyByPayment(
    transaction: Transaction,
    clientId: number,
  ): Promise<{ payment_id: string; amount: string }[]> {
    return transaction.query(TEST_MONEY_BY_PAYMENT, [TEST_GATEWAYS, clientId]);
  }

  /** Postpones a check that was not made due meanwhile. */
  async postpone({ clientId, paymentId }: PaymentKey, seconds: number | null): Promise<void> {
    await this.payments
      .createQueryBuilder()
      .update()
      .set({ nextCheckAt: seconds === null ? null : inSeconds(seconds) })
      .where({ clientId, paymentId })
      .andWhere('next_check_at > now()')
      .execute();
  }

  /** Changes a payment that still has this status. Returns whether it had. */
  async change(
    key: PaymentKey & { status?: PaymentStatus },
    change: QueryDeepPartialEntity<Payment>,
  ): Promise<boolean> {
    const { clientId, paymentId, status } = key;
    const criteria = { clientId, paymentId, ...(status && { status }) };
    const { affected } = await this.payments.update(criteria, change);
    return affected === 1;
  }
}

function valuesOf(filter: PaymentFilter): unknown[] {
  const { clientId, status, concerning = false, refunding = false, before } = filter;
  return [clientId ?? null, status ?? null, concerning, refunding, before ?? null];
}

/** A form shows the message at the amount. */
function tooManyPayments(message: string): DomainError {
  const code = 'too_many_payments';
  return new DomainError(code, message, { errors: [{ field: 'amount', code, message }] });
}

function paymentNotFound(paymentId: string): DomainError {
  return new DomainError('payment_not_found', `There is no payment ${paymentId}.`);
}

/** This many seconds from now, by the database's clock, which all nodes share. */
export function inSeconds(seconds: number): () => string {
  return () => `now() + make_interval(secs => ${Number(seconds)})`;
}
