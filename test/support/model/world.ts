import { randomUUID } from 'node:crypto';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import type { ReceiveInput } from '../../../src/modules/fulfilment/returns/actions/receive.js';
import { orderReturns } from '../order-returns.js';
import { ReturnsRepository } from '../../../src/modules/fulfilment/returns/returns.repository.js';
import { PaymentDeskService } from '../../../src/modules/payments/payment-desk.service.js';
import { minorFromNumeric, numericFromMinor } from '../../../src/platform/money/money.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { cancelUnits } from '../../../src/modules/orders/actions/cancel.js';
import { deliver } from '../../../src/modules/orders/actions/deliver.js';
import type { OrderChange } from '../../../src/modules/orders/actions/order-action.js';
import { refundPart } from '../../../src/modules/orders/actions/refund.js';
import { send } from '../../../src/modules/orders/actions/ship.js';
import { takeBackRefund } from '../../../src/modules/orders/actions/take-back.js';
import type { LineQuantity } from '../../../src/modules/orders/rules/order-units.js';
import type { TransitionName } from '../../../src/modules/orders/rules/order-transitions.js';
import { Buyer } from '../buyer.js';
import type { Store } from '../fixtures.js';
import { orderBody } from '../order-body.js';
import { all } from '../operator-services.js';
import { changeOf } from '../order-steps.js';
import type { TestApp } from '../test-app.js';
import { eventually } from '../eventually.js';
import type { StubRazorpay } from '../stub-razorpay.js';
import type { Model, ModelOrder, ModelPayment, ModelProduct, ModelUnits, PlanName } from './model.js';

export const COLOURS = { name: 'Color', values: ['Red', 'Blue'] };

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** Counts wrong sums, wrong entry numbers and wrong running balances. */
const BOOKS = `
  SELECT count(*) FILTER (WHERE balance_after <> running OR entry <> number)::int
         + (w.balance <> coalesce(sum(amount), 0))::int + (w.entries <> count(entry))::int AS faults
    FROM wallets w
    LEFT JOIN (
      SELECT *, sum(amount) OVER (ORDER BY entry) AS running, row_number() OVER (ORDER BY entry) AS number
        FROM wallet_entries WHERE client_id = $1) e USING (client_id)
   WHERE w.client_id = $1 GROUP BY w.client_id`;

const REFUSALS = ['illegal_transition', 'conflict', 'insufficient_balance', 'payment_underway'];

function refusedOrThrow(error: unknown): 'refused' {
  if (!REFUSALS.includes((error as { code?: string }).code ?? '')) throw error;
  return 'refused';
}

/** Returns whether the service accepted the action. */
async function done(work: Promise<unknown>): Promise<boolean> {
  const outcome = await work.then(() => 'done', refusedOrThrow);
  return outcome === 'done';
}

/** What the service tells of a return. */
interface Returned {
  number: string;
  state: string;
  refunded: number;
  lines: { line: number; quantity: number; received: number | null; restocked: number }[];
}

/** The real service with one store, two plans and two products, which must agree with the model. */
export class World {
  private constructor(
    private readonly test: TestApp,
    private readonly razorpay: StubRazorpay,
    readonly store: Store,
    private readonly buyer: Buyer,
    private readonly plans: Record<PlanName, number>,
    private readonly skus: string[],
  ) {}

  static async create(
    test: TestApp,
    razorpay: StubRazorpay,
    stock: number,
  ): Promise<{ world: World; model: Model }> {
    const first = await test.fixtures.plan({ discount: '10' });
    const second = await test.fixtures.plan({ discount: '0' });
    const store = await test.fixtures.store({ planId: first.id, state: '29' });
    const plain = await test.fixtures.product({
      basePrice: '99.99',
      deliveryCharge: '40.00',
      stock,
      hsn: '6912',
      gstRate: '18',
    });
    const coloured = await test.fixtures.product({
      basePrice: '10.05',
      deliveryCharge: '0.50',
      stock,
      variations: [COLOURS],
      hsn: '6109',
      gstRate: '5',
    });
    const buyer = await Buyer.of(test, store.clientId);
    const world = new World(test, razorpay, store, buyer, { first: first.id, second: second.id }, [
      plain.sku,
      coloured.sku,
    ]);
    const counts = () => ({ onHand: stock, held: 0 });
    const model: Model = {
      plan: 'first',
      discounts: { first: 1_000, second: 0 },
      orders: [],
      balance: 0,
      payments: [],
      products: [
        {
          sku: plain.sku,
          base: 9_999,
          delivery: 4_000,
          fixed: new Map(),
          active: true,
          stock: new Map([['', counts()]]),
        },
        {
          sku: coloured.sku,
          base: 1_005,
          delivery: 50,
          fixed: new Map(),
          active: true,
          stock: new Map(COLOURS.values.map((value) => [`Color:${value}`, counts()])),
        },
      ],
    };
    return { world, model };
  }

  async place(id: string, lines: { sku: string; key: string; quantity: number }[]): Promise<Answer> {
    const items = lines.map(({ sku, key, quantity }) => ({ sku, quantity, ...(key && { variation: key }) }));
    return this.call('/api/orders', orderBody(items, { store_order_id: id }));
  }

  get(path: string): Promise<Answer> {
    return this.call(path);
  }

  /** Returns whether the service accepted the action. */
  async act(request: TransitionName | OrderChange, { number }: ModelOrder): Promise<boolean> {
    const key = { clientId: this.store.clientId, orderNumber: number };
    const change = typeof request === 'string' ? changeOf(request) : request;
    const isDone = await done(this.service(OrderLifecycleService).applyChange(key, change, 'model'));
    await this.waitForReads();
    return isDone;
  }

  /** A parcel with these units, or with everything that is left. */
  ship(order: ModelOrder, units?: ModelUnits[]): Promise<boolean> {
    const lines = units && this.named(order, units);
    const shipment = { courier: 'Model', trackingNumber: null, trackingUrl: null, shippedAt: null };
    return this.act(send({ ...shipment, lines }), order);
  }

  deliver(order: ModelOrder, parcel?: number): Promise<boolean> {
    return this.act(deliver.change({ parcel }), order);
  }

  cancelPart(order: ModelOrder, units: ModelUnits[], key: string): Promise<boolean> {
    const lines = this.named(order, units);
    return this.act(cancelUnits('model', { lines, key }), order);
  }

  payBack(
    order: ModelOrder,
    part:
      { kind: 'lines'; lines: LineQuantity[] } | { kind: 'delivery' } | { kind: 'amount'; amount: number },
    key: string,
  ): Promise<boolean> {
    return this.act(refundPart({ ...part, reason: 'model', key }), order);
  }

  /** Of the refunded amount with this key. */
  async takeBack(order: ModelOrder, name: string, amount: number): Promise<boolean> {
    const { rows } = await this.test.pool.query<{ refund: number }>(
      `SELECT refund FROM order_refunds WHERE order_number = $1 AND key = $2 AND kind = 'amount'`,
      [order.number, name],
    );
    const takesBack = rows[0]?.refund ?? 99;
    const request = { kind: 'taken_back', takesBack, amount, reason: 'model', key: randomUUID() } as const;
    return this.act(takeBackRefund(request), order);
  }

  /** Returns the number of the return. */
  async askReturn({ number }: ModelOrder, lines: LineQuantity[], key: string): Promise<string> {
    const order = { clientId: this.store.clientId, orderNumber: number };
    const request = { lines, reason: 'model', key };
    const made = await orderReturns(this.test.app).request(order, request, 'model').catch(refusedOrThrow);
    await this.waitForReads();
    return made;
  }

  async receive(number: string, receipt: ReceiveInput): Promise<boolean> {
    const isDone = await done(orderReturns(this.test.app).receive(number, receipt, 'model'));
    await this.waitForReads();
    return isDone;
  }

  async refuse(number: string): Promise<boolean> {
    const isDone = await done(orderReturns(this.test.app).refuse(number, 'model', 'model'));
    await this.waitForReads();
    return isDone;
  }

  async returns(): Promise<Returned[]> {
    const listedReturns = await all(this.service(ReturnsRepository).list({ clientId: this.store.clientId }));
    return listedReturns.map(({ number, state, refunded, lines }) => ({
      number,
      state,
      refunded: Math.round(refunded * 100),
      lines: lines.map(({ line, quantity, received, restocked }) => ({
        line,
        quantity,
        received,
        restocked,
      })),
    }));
  }

  /** What returns changed in the stock. */
  async returnedGoods(): Promise<{ reason: string; sku: string; key: string; delta: number }[]> {
    const { rows } = await this.test.pool.query(
      `SELECT m.reason, p.sku, m.variation_key AS key, m.delta
         FROM stock_movements m JOIN products p ON p.id = m.product_id
        WHERE p.sku = ANY ($1) AND m.reason LIKE '%return %' ORDER BY m.id`,
      [this.skus],
    );
    return rows;
  }

  /** The units by the numbers of their lines. */
  named({ lines }: ModelOrder, units: ModelUnits[]): LineQuantity[] {
    return units.map(({ line, quantity }) => ({ line: lines.indexOf(line) + 1, quantity }));
  }

  async expire({ number }: ModelOrder): Promise<void> {
    const due = (when: string) =>
      this.test.fixtures.rewrite(
        'UPDATE orders SET payment_due_at = now() + $2::interval WHERE order_number = $1',
        [number, when],
      );
    await due('-1 second');
    await this.test.app.get(OrderExpiryService).run();
    await due('3 days');
  }

  async topUp(minor: number): Promise<void> {
    await this.service(WalletService).adjust(this.store.clientId, numericFromMinor(minor), 'model', 'model');
  }

  payFromWallet(orders: ModelOrder[]): Promise<boolean> {
    const keys = orders.map(({ number }) => ({ clientId: this.store.clientId, orderNumber: number }));
    return done(this.service(OrderLifecycleService).payFromWallet(keys, 'model'));
  }

  /** Returns undefined when the wallet has paid everything. */
  async beginPayment(
    orders: ModelOrder[],
  ): Promise<Pick<ModelPayment, 'id' | 'gatewayOrderId' | 'amount'> | undefined | 'refused'> {
    const numbers = orders.map(({ number }) => number);
    try {
      const payment = await this.buyer.pay(...numbers);
      await this.stopChecks();
      if (!payment) return undefined;
      const { paymentId: id, gatewayOrderId, amount } = payment;
      return { id, gatewayOrderId: gatewayOrderId!, amount: minorFromNumeric(amount) };
    } catch (error) {
      return refusedOrThrow(error);
    }
  }

  capture({ gatewayOrderId }: ModelPayment): void {
    this.razorpay.capture(gatewayOrderId);
  }

  async learnOf({ id, gatewayOrderId }: ModelPayment, way: 'return' | 'event' | 'ask'): Promise<void> {
    if (way === 'return') {
      // As if the buyer had taken his time: returns within 5 s of each other make one check.
      await this.test.pool.query('UPDATE payments SET asked_at = NULL WHERE payment_id = $1', [id]);
      const body = new URLSearchParams(this.razorpay.fieldsOfReturn(gatewayOrderId));
      const { status } = await fetch(`${this.test.url}/payments/${id}/return`, {
        method: 'POST',
        body,
        redirect: 'manual',
      });
      expect(status).toBe(303);
    } else if (way === 'event') {
      expect((await this.razorpay.sendEvent(this.test.url, gatewayOrderId)).status).toBe(200);
      await eventually(async () => (await this.eventsWaiting(gatewayOrderId)) === 0);
    } else await this.service(PaymentDeskService).settle(id);
    await this.stopChecks();
  }

  async giveUp({ id }: ModelPayment): Promise<void> {
    await this.buyer.giveUp(id);
    await this.stopChecks();
  }

  /** Refunds the rest of one payment. */
  refund({ id }: ModelPayment): Promise<boolean> {
    return done(this.service(PaymentDeskService).refund(id, undefined, 'model'));
  }

  /** Returns the shown balance, and the number of contradictions in the passbook. */
  async books(): Promise<{ balance: number; faults: number }> {
    const { rows } = await this.test.pool.query<{ faults: number }>(BOOKS, [this.store.clientId]);
    const { balance } = await this.service(WalletService).show(this.store.clientId);
    return { balance: Math.round(balance * 100), faults: rows[0]!.faults };
  }

  count({ sku }: ModelProduct, key: string, onHand: number): Promise<void> {
    return this.test.fixtures.count(sku, onHand, key);
  }

  price({ sku }: ModelProduct, minor: number): Promise<void> {
    return this.test.fixtures.changeProduct(sku, { basePrice: minor / 100 });
  }

  fixPrice({ sku }: ModelProduct, plan: PlanName, minor: number): Promise<void> {
    return this.test.fixtures.fixedPrice(this.plans[plan], sku, String(minor / 100));
  }

  /** Removes the fixed price, if there is one. */
  freePrice({ sku }: ModelProduct, plan: PlanName): Promise<void> {
    return this.test.fixtures.sql(
      'DELETE FROM plan_prices WHERE plan_id = $1 AND product_id = (SELECT id FROM products WHERE sku = $2)',
      [this.plans[plan], sku],
    );
  }

  discount(plan: PlanName, basisPoints: number): Promise<void> {
    return this.test.fixtures.discount(this.plans[plan], String(basisPoints / 100));
  }

  changePlan(plan: PlanName): Promise<void> {
    return this.test.fixtures.sql('UPDATE subscriptions SET plan_id = $2 WHERE client_id = $1', [
      this.store.clientId,
      this.plans[plan],
    ]);
  }

  activate({ sku }: ModelProduct, active: boolean): Promise<void> {
    return this.test.fixtures.changeProduct(sku, { active });
  }

  async stockRows(): Promise<{ sku: string; key: string; onHand: number; held: number; holds: number }[]> {
    const { rows } = await this.test.pool.query(
      `SELECT p.sku, s.variation_key AS key, s.on_hand AS "onHand", s.held,
              (SELECT coalesce(sum(i.quantity - i.shipped - i.cancelled), 0)::int
                 FROM order_items i JOIN orders o USING (client_id, order_number)
                WHERE i.product_id = p.id AND i.variation_key = s.variation_key
                  AND o.status IN ('awaiting_payment', 'pending')) AS holds
         FROM products p JOIN stock_items s ON s.product_id = p.id WHERE p.sku = ANY ($1) ORDER BY s.id`,
      [this.skus],
    );
    return rows;
  }

  /** Stops regular checks of payments, so that everything happens when the model says so. */
  private async stopChecks(): Promise<void> {
    await this.test.pool.query(
      `UPDATE payments SET next_check_at = now() + interval '1 day'
       WHERE client_id = $1 AND next_check_at IS NOT NULL`,
      [this.store.clientId],
    );
  }

  private async eventsWaiting(gatewayOrderId: string): Promise<number> {
    const { rows } = await this.test.pool.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM gateway_events
       WHERE gateway_order_id = $1 AND processed_at IS NULL`,
      [gatewayOrderId],
    );
    return rows[0]!.waiting;
  }

  private service<Service>(type: new (...args: never[]) => Service): Service {
    return this.test.app.get(type, { strict: false });
  }

  /** Waits until reads show the changes that were made without the API. */
  private waitForReads(): Promise<void> {
    return this.test.fixtures.observed();
  }

  private async call(path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.test.url}${path}`, {
      headers: { ...this.store.headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
}
