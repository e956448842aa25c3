import { contradictions } from '../../support/books.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { lockTable } from '../../support/while-locked.js';

/** The number of attempts before the caller gets 503. */
const ATTEMPTS = 5;

/** The gap between a slow statement and one that is too slow leaves time for a busy machine. */
const TIMEOUT_MS = 1_000;

const UNAVAILABLE = expect.objectContaining({ success: false, code: 'unavailable' }) as object;

describe('A transaction', () => {
  let test: TestApp;
  let store: Store;
  let sku: string;

  afterEach(async () => {
    await test.pool.query('DROP FUNCTION IF EXISTS refuse, slow CASCADE; DROP SEQUENCE IF EXISTS attempts');
    expect(await contradictions(test.pool)).toEqual([]);
  });
  async function start(databaseTimeoutMs: number): Promise<void> {
    test = await startTestApp({ databaseTimeoutMs });
    store = await test.fixtures.store();
  }

  beforeEach(async () => {
    ({ sku } = await test.fixtures.product({ stock: 10 }));
  });

  const order = (id: string) =>
    test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }], { store_order_id: id }));

  const cancel = (number: string) => test.post(store, `/api/orders/${number}/cancel`);

  const status = (number: string) => test.get(store, `/api/orders/${number}/status`);

  /**
   * The first statements that insert an order fail with this code. The sequence counts them over rollbacks.
   */
  const refuse = (sqlState: string, times: number) =>
    test.pool.query(`
      CREATE SEQUENCE attempts;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          IF nextval('attempts') <= ${times} THEN
            RAISE EXCEPTION 'a test' USING ERRCODE = '${sqlState}';
          END IF;
          RETURN NEW;
        END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION refuse()`);

  const attempts = async () => {
    const { rows } = await test.pool.query<{ last_value: string }>('SELECT last_value FROM attempts');
    return Number(rows[0]!.last_value);
  };

  /** Delays each statement that changes one of these tables. */
  const slow = async (seconds: number, ...tables: string[]) => {
    await test.pool.query(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END'`,
    );
    for (const table of tables)
      await test.pool.query(
        `CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION slow()`,
      );
  };

  /** Returns the backends of the service that wait for a lock. */
  const waiting = async () => {
    const { rows } = await test.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'wholesale-order-api'
          AND wait_event_type = 'Lock'`,
    );
    return rows.map(({ pid }) => pid);
  };

  const connections = async () => {
    const { rows } = await test.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'wholesale-order-api'`,
    );
    return rows.map(({ pid }) => pid);
  };

  /** Locks the orders until the work is done. */
  async function withOrdersLocked(work: () => Promise<void>): Promise<void> {
    const release = await lockTable(test.pool, 'orders');
    try {
      await work();
    } finally {
      await release();
    }
  }

  describe('in a fast database', () => {
    beforeAll(() => start(20_000));
    afterAll(() => test.close());

    it.each(['40001', '40P01'])(
      'that fails with %s is retried, and the order is placed once',
      async (sqlState) => {
        await refuse(sqlState, 1);
        await order(`LOST-${sqlState}`).expect(201);
        expect(await attempts()).toBe(2);
        expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 10, held: 1 });
      },
    );

    it.each(['40001', '40P01'])(
      'that always fails with %s is given up after five attempts, and holds nothing',
      async (sqlState) => {
        await refuse(sqlState, ATTEMPTS);
        const { body, headers } = await order(`LOSER-${sqlState}`).expect(503);
        expect([body, headers['retry-after']]).toEqual([UNAVAILABLE, '2']);
        expect(await attempts()).toBe(ATTEMPTS);
        expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 10, held: 0 });
        await order(`LOSER-${sqlState}`).expect(201);
      },
    );

    it.each([
      ['query_canceled', '57014'],
      ['admin_shutdown', '57P01'],
      ['read_only_sql_transaction', '25006'],
      ['idle_in_transaction_session_timeout', '25P03'],
      ['transaction_timeout', '25P04'],
      ['connection_failure', '08006'],
      ['too_many_connections', '53300'],
      ['disk_full', '53100'],
      ['io_error', '58030'],
    ])('that fails with %s (%s) answers 503 and is not retried', async (_, sqlState) => {
      await refuse(sqlState, 1);
      const { body, headers } = await order(`AWAY-${sqlState}`).expect(503);
      expect([body, headers['retry-after']]).toEqual([UNAVAILABLE, '2']);
      expect(await attempts()).toBe(1);
      await order(`AWAY-${sqlState}`).expect(201);
    });

    it.each([
      ['division_by_zero', '22012'],
      ['check_violation', '23514'],
      ['insufficient_privilege', '42501'],
    ])('that fails because of a bug (%s, %s) answers 500 and is not retried', async (_, sqlState) => {
      await refuse(sqlState, 1);
      expect((await order(`OURS-${sqlState}`).expect(500)).body.code).toBe('internal_error');
      expect(await attempts()).toBe(1);
    });

    it('that writes while only reading is allowed answers 503, until writing is allowed again', async () => {
      const allow = async (change: string) => {
        const { username } = new URL(test.database.serviceUrl);
        await test.pool.query(
          `DO $$ BEGIN
             EXECUTE format('ALTER ROLE ${username} IN DATABASE %I ${change}', current_database());
           END $$`,
        );
        // The setting applies to new connections.
        for (const pid of await connections())
          await test.pool.query('SELECT pg_terminate_backend($1)', [pid]);
        await eventually(async () => (await test.get(store, '/api/orders')).status === 200);
      };
      await allow('SET default_transaction_read_only = on');
      expect((await order('READ-ONLY').expect(503)).body).toEqual(UNAVAILABLE);
      await allow('RESET default_transaction_read_only');
      await eventually(async () => (await order('READ-ONLY')).status === 201);
    });

    it('that is slow is completed', async () => {
      const { body: placed } = await order('TAKES-ITS-TIME').expect(201);
      await slow(0.7, 'stock_items', 'orders');
      await cancel(placed.order_number as string).expect(200);
    });
  });

  describe('in a database that is too slow', () => {
    beforeAll(() => start(TIMEOUT_MS));
    afterAll(() => test.close());

    it('is rolled back when its statements together take too long', async () => {
      const { body: placed } = await order('SLOW').expect(201);
      const number = placed.order_number as string;
      // The statements run one after the other.
      await slow(0.7, 'stock_items', 'orders');
      expect((await cancel(number).expect(503)).body).toEqual(UNAVAILABLE);
      await test.pool.query('DROP FUNCTION slow CASCADE');
      expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 10, held: 1 });
      expect((await status(number).expect(200)).body).toMatchObject({ status: 'awaiting_payment' });
      await cancel(number).expect(200);
    });

    it('ends its waiting statement in the database when its time is over', async () => {
      await withOrdersLocked(async () => {
        expect((await order('WAITS').expect(503)).body).toEqual(UNAVAILABLE);
        await eventually(async () => (await waiting()).length === 0);
      });
      await order('WAITS').expect(201);
    });

    it('is not needed for ending a read that waits too long', async () => {
      const { body: placed } = await order('READ').expect(201);
      await withOrdersLocked(async () => {
        const answer = status(placed.order_number as string).then((response) => response);
        await eventually(async () => (await waiting()).length > 0);
        expect((await answer).status).toBe(503);
        await eventually(async () => (await waiting()).length === 0);
      });
      await status(placed.order_number as string).expect(200);
    });
  });
});
