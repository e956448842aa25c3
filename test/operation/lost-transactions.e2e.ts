import { contradictions } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** As often as a transaction is begun before its caller is told to come again. */
const ATTEMPTS = 5;

/** Between a statement that takes its time and one that takes too long there is room for a busy machine. */
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

  /** The first so many statements that write an order fail like that; the sequence counts them, whatever is taken back. */
  const refuse = (sqlState: string, times: number) =>
    test.pool.query(`
      CREATE SEQUENCE attempts;
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN
          IF nextval('attempts') <= ${times} THEN RAISE EXCEPTION 'a test' USING ERRCODE = '${sqlState}'; END IF;
          RETURN NEW;
        END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION refuse()`);

  const attempts = async () => {
    const { rows } = await test.pool.query<{ last_value: string }>('SELECT last_value FROM attempts');
    return Number(rows[0]!.last_value);
  };

  /** Each statement that changes one of these takes so long. */
  const slow = async (seconds: number, ...tables: string[]) => {
    await test.pool.query(
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END'`,
    );
    for (const table of tables)
      await test.pool.query(
        `CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION slow()`,
      );
  };

  /** What the service waits for in the database. */
  const waiting = async () => {
    const { rows } = await test.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'wholesale-order-api' AND wait_event_type = 'Lock'`,
    );
    return rows.map(({ pid }) => pid);
  };

  const connections = async () => {
    const { rows } = await test.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'wholesale-order-api'`,
    );
    return rows.map(({ pid }) => pid);
  };

  /** Nobody gets at the orders until the work is done. */
  async function withOrdersLocked(work: () => Promise<void>): Promise<void> {
    const locker = await test.pool.connect();
    try {
      await locker.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE');
      await work();
    } finally {
      await locker.query('ROLLBACK');
      locker.release();
    }
  }

  describe('of a database that has time', () => {
    beforeAll(() => start(20_000));
    afterAll(() => test.close());

    it.each(['40001', '40P01'])(
      'that loses to another (%s) is made once more, and the order is placed once',
      async (sqlState) => {
        await refuse(sqlState, 1);
        await order(`LOST-${sqlState}`).expect(201);
        expect(await attempts()).toBe(2);
        expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 10, held: 1 });
      },
    );

    it.each(['40001', '40P01'])(
      'that always loses (%s) is given up after a few times, and holds nothing',
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
    ])(
      'that cannot be made now (%s, %s) is a 503 that can be repeated, and is not tried again by itself',
      async (_, sqlState) => {
        await refuse(sqlState, 1);
        const { body, headers } = await order(`AWAY-${sqlState}`).expect(503);
        expect([body, headers['retry-after']]).toEqual([UNAVAILABLE, '2']);
        expect(await attempts()).toBe(1);
        await order(`AWAY-${sqlState}`).expect(201);
      },
    );

    it.each([
      ['division_by_zero', '22012'],
      ['check_violation', '23514'],
      ['insufficient_privilege', '42501'],
    ])('that fails for a fault of ours (%s, %s) is a 500, and is made once', async (_, sqlState) => {
      await refuse(sqlState, 1);
      expect((await order(`OURS-${sqlState}`).expect(500)).body.code).toBe('internal_error');
      expect(await attempts()).toBe(1);
    });

    it('that writes where only reading is allowed is a 503, until writing is allowed again', async () => {
      const allow = async (change: string) => {
        const { username } = new URL(test.database.serviceUrl);
        await test.pool.query(
          `DO $$ BEGIN EXECUTE format('ALTER ROLE ${username} IN DATABASE %I ${change}', current_database()); END $$`,
        );
        // It holds for connections that are made from now on.
        for (const pid of await connections())
          await test.pool.query('SELECT pg_terminate_backend($1)', [pid]);
        await eventually(async () => (await test.get(store, '/api/orders')).status === 200);
      };
      await allow('SET default_transaction_read_only = on');
      expect((await order('READ-ONLY').expect(503)).body).toEqual(UNAVAILABLE);
      await allow('RESET default_transaction_read_only');
      await eventually(async () => (await order('READ-ONLY')).status === 201);
    });

    it('that takes its time is waited for', async () => {
      const { body: placed } = await order('TAKES-ITS-TIME').expect(201);
      await slow(0.7, 'stock_items', 'orders');
      await cancel(placed.order_number as string).expect(200);
    });
  });

  describe('of a database that is too slow', () => {
    beforeAll(() => start(TIMEOUT_MS));
    afterAll(() => test.close());

    it('whose statements take too long together, none of them by itself, is cut off and leaves nothing behind', async () => {
      const { body: placed } = await order('SLOW').expect(201);
      const number = placed.order_number as string;
      // One is sent when the other is done.
      await slow(0.7, 'stock_items', 'orders');
      expect((await cancel(number).expect(503)).body).toEqual(UNAVAILABLE);
      await test.pool.query('DROP FUNCTION slow CASCADE');
      expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 10, held: 1 });
      expect((await status(number).expect(200)).body).toMatchObject({ status: 'awaiting_payment' });
      await cancel(number).expect(200);
    });

    it('with a statement that waits too long is ended there too: nothing waits on behind the answer', async () => {
      await withOrdersLocked(async () => {
        expect((await order('WAITS').expect(503)).body).toEqual(UNAVAILABLE);
        await eventually(async () => (await waiting()).length === 0);
      });
      await order('WAITS').expect(201);
    });

    it('is not needed to have a read ended there that waits too long', async () => {
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
