import { rm } from 'node:fs/promises';
import { Pool } from 'pg';
import {
  attachEmbeddedDatabase,
  type EmbeddedDatabase,
} from '../../src/server/embedded-postgres/embedded-postgres.js';
import { runningServer } from '../../src/server/embedded-postgres/server.js';
import { contradictions, lostOrders } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import { Fixtures, type Store } from '../support/fixtures.js';
import { makeOpenDirectory } from '../support/make-open-directory.js';
import { OrderLoad } from '../support/order-load.js';
import { postgresProcesses, signalAll } from '../support/postgres-processes.js';
import { percentile, printFigures } from '../support/print-figures.js';
import { ServiceProcess } from '../support/service-process.js';

const KILLS_OF_THE_SERVER = 10;
const KILLS_OF_A_BACKEND = 10;

describe('While the PostgreSQL of the service is killed under a load of orders, the service', () => {
  let dataDir: string;
  let service: ServiceProcess;
  let embedded: EmbeddedDatabase;
  let pool: Pool;
  let store: Store;
  let sku: string;
  let load: OrderLoad;
  let epoch: object[];

  beforeAll(async () => {
    dataDir = await makeOpenDirectory('faults-');
    service = await ServiceProcess.start({ DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '0' });
    embedded = await attachEmbeddedDatabase(dataDir);
    pool = new Pool({ connectionString: embedded.url, max: 2 });
    // Connections of the test break too; the next query gets a new one.
    pool.on('error', () => undefined);
    epoch = (await pool.query<object>('SELECT epoch FROM history')).rows;
    const fixtures = new Fixtures(pool, () => Promise.resolve());
    store = await fixtures.store();
    ({ sku } = await fixtures.product({ stock: 1_000_000 }));
    load = new OrderLoad({ url: () => service.url, store, items: (n) => [{ sku, quantity: 1 + (n % 3) }] });
  });

  afterAll(async () => {
    await load.stop();
    await pool.end();
    await service.end('SIGTERM');
    await ServiceProcess.killAll();
    await embedded.detach();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Returns the seconds from a fault to the next confirmed order, without a restart of the service. */
  async function secondsToNextOrder(fault: () => Promise<void> | void): Promise<number> {
    const before = load.acknowledged.size;
    await eventually(() => load.acknowledged.size > before + 20);
    await fault();
    const killedAt = performance.now();
    const known = load.acknowledged.size;
    // Up to eight orders may have been confirmed before the database was killed.
    await eventually(() => load.acknowledged.size > known + 8);
    return (performance.now() - killedAt) / 1_000;
  }

  async function expectBooksInOrder(): Promise<void> {
    expect(await eventually(async () => JSON.stringify(await contradictions(pool)))).toBe('[]');
    const acknowledged = new Map(load.acknowledged);
    expect(await lostOrders(pool, store.clientId, acknowledged)).toEqual([]);
    expect(service.isRunning).toBe(true);
    // A crash loses nothing that a store knows, so no sync token ends.
    expect((await pool.query('SELECT epoch FROM history')).rows).toEqual(epoch);
  }

  const readStock = async (): Promise<number> =>
    (await fetch(`${service.url}/api/products/${sku}/stock`, { headers: store.headers })).status;

  it('answers again without lost orders when the server is killed', async () => {
    const seconds: number[] = [];
    const reads: number[] = [];
    for (let kill = 0; kill < KILLS_OF_THE_SERVER; kill++) {
      seconds.push(
        await secondsToNextOrder(async () => {
          signalAll([(await runningServer(embedded.directory))!], 'SIGKILL');
          reads.push(await readStock());
        }),
      );
    }
    await expectBooksInOrder();
    expect(new Set(reads)).toEqual(new Set([200]));
    printFigures('PostgreSQL killed', {
      times: seconds.length,
      orders: load.acknowledged.size,
      'seconds to the next order, median': percentile(seconds, 0.5),
      'at most': Math.max(...seconds),
    });
  });

  it('answers again without lost orders when one backend is killed', async () => {
    const seconds: number[] = [];
    for (let kill = 0; kill < KILLS_OF_A_BACKEND; kill++) {
      seconds.push(
        await secondsToNextOrder(async () => {
          const { rows } = await pool.query<{ pid: number }>(
            `SELECT pid FROM pg_stat_activity WHERE application_name = 'wholesale-order-api'
             ORDER BY random() LIMIT 1`,
          );
          signalAll([rows[0]!.pid], 'SIGKILL');
        }),
      );
    }
    await expectBooksInOrder();
    printFigures('one backend killed', {
      times: seconds.length,
      orders: load.acknowledged.size,
      'seconds to the next order, median': percentile(seconds, 0.5),
      'at most': Math.max(...seconds),
    });
  });

  it('answers reads, and everything else with 503 within 5 s, while the server is stopped', async () => {
    await load.stop();
    const stopped = postgresProcesses((await runningServer(embedded.directory))!);
    signalAll(stopped, 'SIGSTOP');
    const beganAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const response = await fetch(`${service.url}/api/orders/ANY/status`, { headers: store.headers });
        return { status: response.status, seconds: (performance.now() - beganAt) / 1_000 };
      }),
    );
    const read = await readStock();
    signalAll(stopped, 'SIGCONT');
    const continuedAt = performance.now();
    await eventually(async () => (await fetch(`${service.url}/health/ready`)).ok);

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(5);
    expect(read).toBe(200);
    await expectBooksInOrder();
    printFigures('PostgreSQL stopped', {
      'slowest 503 (s)': Math.max(...answers.map(({ seconds }) => seconds)),
      'ready again after (s)': (performance.now() - continuedAt) / 1_000,
    });
  });
});
