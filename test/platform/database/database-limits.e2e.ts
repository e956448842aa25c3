import type { Pool, PoolClient } from 'pg';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { ProductAdministration } from '../../../src/modules/catalog/product-administration.service.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import { Database } from '../../../src/platform/database/database.js';
import { DedicatedConnections, MAX_DEDICATED } from '../../../src/platform/database/dedicated-connection.js';
import { migrate, retryWhileLocked } from '../../../src/platform/database/migrate.js';
import { contradictions } from '../../support/books.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { type SignedIn, signIn, signInAtDesk, startSession } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp, type TestApp } from '../../support/test-app.js';
import { lockTable } from '../../support/while-locked.js';

const TOO_MUCH = 'The request was too large for the database, or waited too long';

describe('A database that answers, and cannot do its work', () => {
  const test = setUpTestApp({ databaseTimeoutMs: 2_000 });
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;
  let owner: SignedIn;

  beforeAll(async () => {
    ({ sku } = await test.fixtures.product());
    owner = await signIn(test, store.clientId);
  });

  const place = () => test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }]));

  /** Each write of the table fails like this. */
  async function failing(table: string, state: string, work: () => Promise<void>): Promise<void> {
    await test.fixtures.sql(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN RAISE 'could not' USING ERRCODE = '${state}'; END $$;
       GRANT EXECUTE ON FUNCTION fail() TO PUBLIC;
       CREATE TRIGGER fails BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`,
    );
    try {
      await work();
    } finally {
      await test.fixtures.sql(`DROP TRIGGER fails ON ${table}; DROP FUNCTION fail`);
    }
  }

  it.each([
    ['53100', 'The disk of the database is full. Please repeat the request.'],
    ['53200', 'The database has no memory left. Please repeat the request.'],
    ['53300', 'The database has no connection left. Please repeat the request.'],
    ['57014', `${TOO_MUCH}. Ask for less at once, or repeat the request.`],
    ['57P01', 'The service cannot reach its database right now. Please repeat the request.'],
  ])('is reported to a store after %s: %s', async (state, message) => {
    await failing('orders', state, async () => {
      const { body, headers } = await place().expect(503);
      expect(body).toMatchObject({ success: false, code: 'unavailable', message });
      expect(headers['retry-after']).toBe('2');
      await test.get(store, `/api/products/${sku}`).expect(200);
      await test.get(store, '/api/orders').expect(200);
    });
    await place().expect(201);
  });

  it('is shown on a page, which does not say whether the change was saved', async () => {
    await startSession(test, owner.person);
    await failing('sessions', '53100', async () => {
      const refused = await owner.post('/dashboard/security/sessions/end-others').expect(503);
      expect(refused.text).toContain('<h1>The disk of the database is full</h1>');
      expect(refused.text).toContain('We do not know whether it was done.');
    });
  });

  /** Holds what the statements of a page need. */
  async function holding(table: string, work: () => Promise<void>): Promise<void> {
    const release = await lockTable(test.pool, table);
    try {
      await work();
    } finally {
      await release();
    }
  }

  it('says on a page that was too much what to narrow', async () => {
    const staff = await signInAtDesk(test, 'staff');
    await holding('orders', async () => {
      for (const path of ['/desk/reports?by=state', '/desk/reports/sales.csv?by=state']) {
        const { text, headers } = await staff.get(path).expect(503);
        expect(text).toContain('<h1>Too much for one page</h1>');
        expect(text).toContain('Nothing was changed. Choose a shorter period, or search for fewer entries.');
        expect(headers['retry-after']).toBe('2');
      }
      const { body } = await request(test.url).get('/api/orders').set(store.headers).expect(503);
      expect(body).toMatchObject({ code: 'unavailable', message: expect.stringContaining(TOO_MUCH) });
    });
    await staff.get('/desk/reports?by=state').expect(200);
  });

  it('has few connections for many reviews at once, which take turns and install no extension', async () => {
    await test.fixtures.sql(
      `CREATE TABLE installed (tag text);
       CREATE FUNCTION note_extension() RETURNS event_trigger LANGUAGE plpgsql AS $$
         BEGIN INSERT INTO installed VALUES (tg_tag); END $$;
       CREATE EVENT TRIGGER installs ON ddl_command_start WHEN TAG IN ('CREATE EXTENSION')
         EXECUTE FUNCTION note_extension()`,
    );
    const connections = async () => {
      const { rowCount } = await test.pool.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'wholesale-order-api import'`,
      );
      return rowCount!;
    };
    const products = test.app.get(ProductAdministration);
    const reviews = Promise.all(
      Array.from({ length: 28 }, (_, at) => products.preview(sku, { name: `Name ${at}` }, { actor: 'test' })),
    );
    const counts: number[] = [];
    const over = reviews.then(() => true);
    do counts.push(await connections());
    while (!(await Promise.race([over, Promise.resolve(false)])));
    expect(await reviews).toHaveLength(28);
    expect(Math.max(...counts)).toBeGreaterThan(0);
    expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_DEDICATED);
    expect((await test.pool.query('SELECT FROM installed')).rowCount).toBe(0);
  });

  afterAll(endEverything);
});

/** More rows than are in memory at a time. */
const ROWS = 2_500;

describe('A connection that an administrator terminates', () => {
  const test = setUpTestApp();

  const terminate = async (pid: number) => {
    const { rows } = await test.pool.query('SELECT pg_terminate_backend($1) AS ended', [pid]);
    expect(rows).toEqual([{ ended: true }]);
  };

  const servicePool = () => (test.app.get(DataSource).driver as unknown as { master: Pool }).master;

  /** Watches which connections the pool of the service lends: jobs borrow some too. */
  const watchLent = () => {
    const lent: PoolClient[] = [];
    servicePool().on('acquire', (client) => lent.push(client));
    return (pid: number) => lent.find((client) => pidOf(client) === pid)!;
  };

  const pidOf = (client: PoolClient) => (client as PoolClient & { processID: number }).processID;

  const isBroken = (client: PoolClient) =>
    (client as unknown as { connection: { stream: { destroyed: boolean } } }).connection.stream.destroyed;

  it('between two pages of a long list ends only that list', async () => {
    const rows = test.app
      .get(Database)
      .stream<{ n: number; pid: number }>(
        `SELECT n, pg_backend_pid() AS pid FROM generate_series(1, ${ROWS}) AS n`,
      );
    const lentTo = watchLent();
    const first = (await rows.next()).value as { pid: number };
    const client = lentTo(first.pid);
    const removed: PoolClient[] = [];
    servicePool().on('remove', (gone) => removed.push(gone));
    await terminate(first.pid);
    await eventually(() => isBroken(client));
    const rest = async () => {
      let read = 1;
      for await (const _ of rows) read++;
      return read;
    };
    await expect(rest()).rejects.toMatchObject({ code: 'unavailable' });
    // By the client, not by counts: jobs have connections of the pool meanwhile.
    await eventually(() => removed.includes(client));
    expect(await test.app.get(Database).query({ text: 'SELECT 1 AS one' }, [])).toEqual([{ one: 1 }]);
  });

  it('between two statements rolls the transaction back', async () => {
    const lentTo = watchLent();
    const lost = test.app.get(Database).transaction(async ({ query }) => {
      const [{ pid }] = (await query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' }, [])) as [
        { pid: number },
      ];
      await terminate(pid);
      const client = lentTo(pid);
      await eventually(() => isBroken(client));
      return query({ text: 'SELECT 1' }, []);
    });
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is noticed by the next statement of a long job', async () => {
    const connection = await test.app.get(DedicatedConnections).open('file');
    const { client } = connection;
    await terminate(pidOf(client as PoolClient));
    await eventually(() => isBroken(client));
    await expect(client.query('SELECT 1')).rejects.toThrow(/not queryable|terminated/);
    await connection.close();
  });

  it('a migration does not let requests wait while another session uses its table', async () => {
    const reader = await test.pool.connect();
    await reader.query('BEGIN; SELECT FROM plans LIMIT 1');
    const source = new DataSource(dataSourceOptions({ url: test.database.url, poolSize: 1 }));
    await source.initialize();
    const runner = source.createQueryRunner();
    let tries = 0;
    const migrated = retryWhileLocked(
      runner,
      () => {
        tries++;
        return runner.query(
          'ALTER TABLE plans ADD COLUMN extra integer; ALTER TABLE plans DROP COLUMN extra',
        );
      },
      1,
    );
    await eventually(() => tries > 1);
    expect((await test.pool.query('SELECT FROM plans LIMIT 1')).rowCount).toBeLessThanOrEqual(1);
    await reader.query('ROLLBACK');
    reader.release();
    await migrated;
    expect(await runner.query('SHOW lock_timeout')).toEqual([{ lock_timeout: '0' }]);
    await source.destroy();
  });

  it('during a migration ends the migration and releases its lock', async () => {
    const inTheWay = await test.pool.connect();
    await inTheWay.query('BEGIN; LOCK TABLE migrations');
    const migrating = migrate(test.database.url);
    const refused = expect(migrating).rejects.toThrow(/terminat/);
    const pid = await eventually(async () => {
      const { rows } = await test.pool.query<{ pid: number }>(
        `SELECT turn.pid FROM pg_locks turn JOIN pg_locks waiting USING (pid)
          WHERE turn.locktype = 'advisory' AND turn.objid = 7214001 AND turn.granted AND NOT waiting.granted`,
      );
      return rows[0]?.pid;
    });
    await terminate(pid!);
    await refused;
    await inTheWay.query('ROLLBACK');
    inTheWay.release();
    expect(await migrate(test.database.url)).toEqual([]);
  });

  afterAll(endEverything);
});

describe('During the restore of a database', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product()));

  const place = () => test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }]));
  const isReady = async () => (await request(test.url).get('/health/ready')).status;
  const becomes = (status: number) => eventually(async () => (await isReady()) === status);
  const expectAway = async () => {
    for (const answer of [
      await place(),
      await test.get(store, '/api/orders'),
      await test.get(store, '/api/orders/X/status'),
    ]) {
      expect([answer.status, (answer.body as { code: string }).code]).toEqual([503, 'unavailable']);
      expect(answer.headers['retry-after']).toBe('2');
    }
    await test.get(store, `/api/products/${sku}`).expect(200);
  };

  it('order routes and readiness answer 503 while tables are missing, but catalog reads work', async () => {
    await test.pool.query('ALTER SCHEMA public RENAME TO saved; CREATE SCHEMA public');
    await expectAway();
    await becomes(503);
    await test.pool.query('DROP SCHEMA public; ALTER SCHEMA saved RENAME TO public');
    await becomes(200);
    await place().expect(201);
  });

  it.each(['orders', 'order_items', 'products'])(
    'placing an order answers 503 while %s is missing',
    async (table) => {
      await test.pool.query(`CREATE SCHEMA saved; ALTER TABLE ${table} SET SCHEMA saved`);
      expect((await place()).status).toBe(503);
      await test.pool.query(`ALTER TABLE saved.${table} SET SCHEMA public; DROP SCHEMA saved`);
      await place().expect(201);
    },
  );

  it('the node is not ready while one migration is missing', async () => {
    await test.pool.query(
      `ALTER TABLE migrations RENAME TO saved;
       CREATE TABLE migrations AS SELECT * FROM saved ORDER BY id DESC OFFSET 1;
       GRANT SELECT ON migrations TO PUBLIC`,
    );
    await becomes(503);
    await test.pool.query('DROP TABLE migrations; ALTER TABLE saved RENAME TO migrations');
    await becomes(200);
  });

  afterAll(endEverything);
});

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

  beforeEach(async () => ({ sku } = await test.fixtures.product({ stock: 10 })));

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
