import { DatabaseError, type Pool } from 'pg';

/** The product columns that tests change. */
const PRODUCT_COLUMNS = {
  sku: 'sku',
  name: 'name',
  description: 'description',
  basePrice: 'base_price',
  active: 'active',
};

type ProductChange = { [Field in keyof typeof PRODUCT_COLUMNS]?: string | number | boolean };

/** The time columns of an order. */
const ORDER_TIMES = ['placed_at', 'payment_due_at', 'paid_at', 'shipped_at', 'delivered_at', 'cancelled_at'];

/**
 * Runs SQL without the triggers that protect recorded facts, which only a superuser can do. Triggers that
 * stamp rows still run.
 */
export const withoutTriggers = (sql: string) => `
  SET LOCAL session_replication_role = replica;
  ${sql};
  SET LOCAL session_replication_role = origin;`;

export const DELETE_EVERYTHING = withoutTriggers(
  'TRUNCATE changes, plans, clients, price_schedules, products, store_order_ids, tombstones RESTART IDENTITY CASCADE',
);

/** Reads and changes the database directly. The service has seen a change when the promise resolves. */
export class DirectChanges {
  constructor(
    protected readonly pool: Pool,
    /** Resolves when the service has seen the direct changes. */
    readonly observed: () => Promise<void>,
  ) {}

  async sql(text: string, values: unknown[] = []): Promise<void> {
    await this.pool.query(text, values);
    await this.observed();
  }

  /** Sets the counted quantity of one variation or of each. */
  count(sku: string, onHand: number, key: string | null = null): Promise<void> {
    return this.alter(`UPDATE stock_items SET on_hand = $2 WHERE ${OF_PRODUCT}`, [sku, onHand, key]);
  }

  /** Sets the held quantity. */
  hold(sku: string, held: number, key: string | null = null): Promise<void> {
    return this.alter(`UPDATE stock_items SET held = $2 WHERE ${OF_PRODUCT}`, [sku, held, key]);
  }

  /** Returns the stock of one variation or of all together. */
  async stockOf(sku: string, key: string | null = null): Promise<{ on_hand: number; held: number }> {
    const { rows } = await this.pool.query<{ on_hand: number; held: number }>(
      `SELECT sum(on_hand)::int AS on_hand, sum(held)::int AS held FROM stock_items
        WHERE product_id = (SELECT id FROM products WHERE sku = $1)
          AND ($2::text IS NULL OR variation_key = $2)`,
      [sku, key],
    );
    return rows[0]!;
  }

  changeProduct(sku: string, change: ProductChange): Promise<void> {
    const fields = Object.keys(change) as (keyof ProductChange)[];
    const columns = fields.map((field, index) => `${PRODUCT_COLUMNS[field]} = $${index + 2}`);
    const values = fields.map((field) => change[field]);
    return this.alter(`UPDATE products SET ${columns.join(', ')} WHERE sku = $1`, [sku, ...values]);
  }

  removeProducts(...skus: string[]): Promise<void> {
    return this.alter('DELETE FROM products WHERE sku = ANY ($1)', [skus]);
  }

  /** Sets the fixed price of a plan for a product; `null` removes it. */
  fixedPrice(planId: number, sku: string, price: string | null): Promise<void> {
    if (price === null)
      return this.alter(`DELETE FROM plan_prices WHERE plan_id = $1 AND product_id = ${PRODUCT_OF_2}`, [
        planId,
        sku,
      ]);
    return this.alter(
      `INSERT INTO plan_prices (plan_id, product_id, price) VALUES ($1, ${PRODUCT_OF_2}, $3)
       ON CONFLICT (plan_id, product_id) DO UPDATE SET price = excluded.price`,
      [planId, sku, price],
    );
  }

  discount(planId: number, percent: string): Promise<void> {
    return this.alter('UPDATE plans SET discount = $2 WHERE id = $1', [planId, percent]);
  }

  revoke(tokenId: number): Promise<void> {
    return this.alter('UPDATE tokens SET revoked_at = now() WHERE id = $1', [tokenId]);
  }

  suspend(clientId: number): Promise<void> {
    return this.alter('UPDATE clients SET suspended_at = now() WHERE id = $1', [clientId]);
  }

  /** Moves all times of these orders, or of all orders, back by some hours. */
  async age(hours: number, ...orderNumbers: string[]): Promise<void> {
    const these = orderNumbers.length > 0 ? 'order_number = ANY ($2)' : '$2::text[] = ARRAY[]::text[]';
    const earlier = ORDER_TIMES.map((column) => `${column} = ${column} - make_interval(secs => $1)`);
    const values = [hours * 3_600, orderNumbers];
    await this.rewrite(`UPDATE orders SET ${earlier.join(', ')} WHERE ${these}`, values);
    await this.rewrite(
      `UPDATE order_timeline SET changed_at = changed_at - make_interval(secs => $1) WHERE ${these}`,
      values,
    );
  }

  placedAt(orderNumber: string, time: string): Promise<void> {
    return this.rewrite('UPDATE orders SET placed_at = $2 WHERE order_number = $1', [orderNumber, time]);
  }

  async removeOrder(orderNumber: string): Promise<void> {
    for (const table of ['order_timeline', 'order_items', 'orders'])
      await this.rewrite(`DELETE FROM ${table} WHERE order_number = $1`, [orderNumber]);
  }

  /** Moves the log of store requests back by some days. */
  async ageRequests(days: number): Promise<void> {
    for (const [table, time] of [
      ['store_requests', 'answered_at'],
      ['store_request_counts', 'hour'],
    ])
      await this.alter(`UPDATE ${table} SET ${time} = ${time} - make_interval(days => $1)`, [days]);
  }

  /** Runs SQL that the triggers would refuse for recorded facts. */
  async rewrite(text: string, values: unknown[] = []): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN; SET LOCAL session_replication_role = replica');
      expectChange(await client.query(text, values), text, values);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
    await this.observed();
  }

  /**
   * Removes all rows, so that the next test starts like the first. TRUNCATE and the polls of the service lock
   * tables in different orders, so PostgreSQL may report a deadlock to either.
   */
  async clear(): Promise<void> {
    for (;;) {
      try {
        return await this.sql(DELETE_EVERYTHING);
      } catch (error) {
        if (!isDeadlock(error)) throw error;
      }
    }
  }

  private async alter(text: string, values: unknown[]): Promise<void> {
    expectChange(await this.pool.query(text, values), text, values);
    await this.observed();
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '40P01';
}

/** A test that changes no row proves nothing. */
function expectChange({ rowCount }: { rowCount: number | null }, text: string, values: unknown[]): void {
  if (rowCount === 0) throw new Error(`There is nothing to change: ${text} ${JSON.stringify(values)}`);
}

const OF_PRODUCT = `product_id = (SELECT id FROM products WHERE sku = $1)
 AND ($3::text IS NULL OR variation_key = $3)`;
const PRODUCT_OF_2 = '(SELECT id FROM products WHERE sku = $2)';
