import { OrderExpiry } from '../../../src/orders/lifecycle/order-expiry.js';
import { OrderLifecycle } from '../../../src/orders/lifecycle/order-lifecycle.js';
import type { OrderAction } from '../../../src/orders/rules/order-transitions.js';
import type { Store } from '../fixtures.js';
import { orderBody } from '../order-body.js';
import { changeOf } from '../order-steps.js';
import type { TestApp } from '../test-app.js';
import type { Model, ModelOrder, ModelProduct, PlanName } from './model.js';

export const COLOURS = { name: 'Color', values: ['Red', 'Blue'] };

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** The real service with a store, two plans and two products of its own, made to agree with a model. */
export class World {
  private constructor(
    private readonly test: TestApp,
    readonly store: Store,
    private readonly plans: Record<PlanName, number>,
    private readonly skus: string[],
  ) {}

  static async create(test: TestApp, stock: number): Promise<{ world: World; model: Model }> {
    const first = await test.fixtures.plan({ discount: '10' });
    const second = await test.fixtures.plan({ discount: '0' });
    const store = await test.fixtures.store({ planId: first.id });
    const plain = await test.fixtures.product({ basePrice: '99.99', deliveryCharge: '40.00', stock });
    const coloured = await test.fixtures.product({
      basePrice: '10.05',
      deliveryCharge: '0.50',
      stock,
      variations: [COLOURS],
    });
    const world = new World(test, store, { first: first.id, second: second.id }, [plain.sku, coloured.sku]);
    const counts = () => ({ onHand: stock, held: 0 });
    const model: Model = {
      plan: 'first',
      discounts: { first: 1_000, second: 0 },
      orders: [],
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

  /** Says whether the service did it. */
  async act(action: OrderAction, { number }: ModelOrder): Promise<boolean> {
    const lifecycle = this.test.app.get(OrderLifecycle);
    const key = { clientId: this.store.clientId, orderNumber: number };
    try {
      await lifecycle.act(key, changeOf(action), 'model');
      return true;
    } catch (error) {
      if (!['illegal_transition', 'conflict'].includes((error as { code?: string }).code ?? '')) throw error;
      return false;
    } finally {
      await this.seen();
    }
  }

  async expire({ number }: ModelOrder): Promise<void> {
    await this.test.fixtures.rewrite(
      `UPDATE orders SET payment_due_at = now() - interval '1 second' WHERE order_number = $1`,
      [number],
    );
    await this.test.app.get(OrderExpiry).run();
    await this.test.fixtures.rewrite(
      `UPDATE orders SET payment_due_at = now() + interval '3 days' WHERE order_number = $1`,
      [number],
    );
    await this.seen();
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

  /** Whether it had a price of its own or not. */
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
              (SELECT coalesce(sum(i.quantity), 0)::int FROM order_items i JOIN orders o USING (client_id, order_number)
                WHERE i.product_id = p.id AND i.variation_key = s.variation_key AND o.status IN ('awaiting_payment', 'pending')) AS holds
         FROM products p JOIN stock_items s ON s.product_id = p.id WHERE p.sku = ANY ($1) ORDER BY s.id`,
      [this.skus],
    );
    return rows;
  }

  /** What was done past the API is seen by reads a moment later; this is the moment. */
  private seen(): Promise<void> {
    return this.test.fixtures.seen();
  }

  private async call(path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.test.url}${path}`, {
      headers: { ...this.store.headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
}
