import type { Pool } from 'pg';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { setUpDatabase } from '../support/suite-database.js';
import { printFigures } from '../support/print-figures.js';
import { probe } from '../support/probe.js';
import { descriptorsOf, residentMemoryOf } from '../support/process-figures.js';
import { RawConnection } from '../support/raw-connection.js';
import { ServiceProcess } from '../support/service-process.js';

const PROBES = 300;

/** With long descriptions one page of them has 1.3 MB. */
const PRODUCTS = 1_000;

const BIG_FILE = '/docs/swagger-ui-bundle.js';

/** The number of requests that may wait on one connection. More requests close it. */
const AHEAD = 100;

/** The buffer of a client that reads nothing unless the test tells it to. */
const PIECE = 32;

/** Connections to the database and of the probes open and close during the test. */
const COMING_AND_GOING = 10;

/** Twice the time in docs/operations.md, because Node checks connections only from time to time. */
const PATIENCE_MS = 100_000;

describe('Clients that misuse their connections', () => {
  const database = setUpDatabase();
  let service: ServiceProcess;
  let store: Store;
  /** A different client than the one that the test measures, so that both have their own limits. */
  let hostile: Store;
  let path: string;
  let quiet: { p50: number; p99: number; failed: number };
  const connections: RawConnection[] = [];

  beforeAll(async () => {
    store = await database.fixtures.store();
    hostile = await database.fixtures.store();
    path = `/api/products/${(await database.fixtures.product()).sku}/stock`;
    await fillCatalog(database.pool);
    service = await ServiceProcess.start({ DATABASE_URL: database.serviceUrl, RATE_LIMIT_PER_MINUTE: '0' });
    await probe(service.url, store, path, PROBES);
    quiet = await probe(service.url, store, path, PROBES);
  });

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.end();
    await eventually(async () => (await descriptors()) < 100);
  });

  const descriptors = () => descriptorsOf(service.child.pid!);
  const memory = () => residentMemoryOf(service.child.pid!);

  const get = (url: string, headers: Record<string, string> = {}) =>
    `GET ${url} HTTP/1.1\r\nHost: store\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;

  async function openUnread(bytes: string): Promise<void> {
    connections.push(await RawConnection.openUnread(service.url, bytes, PIECE));
  }

  /** Returns the highest value of the figure during the work. */
  async function highest(figure: () => Promise<number>, during: Promise<unknown>): Promise<number> {
    let limit = 0;
    let over = false;
    void during.finally(() => (over = true));
    while (!over) {
      limit = Math.max(limit, await figure());
      await new Promise(setImmediate);
    }
    return limit;
  }

  const others = async () => {
    const { p50, p99, failed } = await probe(service.url, store, path, PROBES);
    expect(failed).toBe(0);
    return { 'p50 (ms)': p50, 'quiet p50': quiet.p50, 'p99 (ms)': p99, 'quiet p99': quiet.p99 };
  };

  it('leave no descriptor behind when they pipeline a hundred files and disconnect', async () => {
    const before = await descriptors();
    const flood = get(BIG_FILE).repeat(AHEAD);
    const opened = Promise.all(Array.from({ length: 30 }, () => openUnread(flood)));
    const limit = await highest(descriptors, opened.then(others));
    for (const connection of connections) connection.end();
    await eventually(async () => (await descriptors()) <= before + COMING_AND_GOING);
    printFigures('descriptors under 3,000 requests for a file', {
      before,
      most: limit,
      after: await descriptors(),
    });
  });

  it('cost one answer per connection when they pipeline a hundred pages and read none', async () => {
    const before = await memory();
    const flood = get(`/api/products?limit=${PRODUCTS}`, hostile.headers).repeat(AHEAD);
    await Promise.all(Array.from({ length: 5 }, () => openUnread(flood)));
    let observed = {};
    const limit = await highest(
      memory,
      others().then((figures) => (observed = figures)),
    );
    printFigures('5 connections with 100 pages each, unread', {
      'before (MB)': before,
      'most (MB)': limit,
      ...observed,
    });
    expect(limit - before).toBeLessThan(200);
  });

  it('do not delay others with a flood of pipelined requests', async () => {
    const connection = await RawConnection.open(service.url);
    connections.push(connection);
    let flooding = true;
    const flood = (async () => {
      for (let sent = 0; flooding; sent += AHEAD) {
        connection.send(get('/api/nowhere').repeat(AHEAD));
        await eventually(
          () => connection.received.split('HTTP/1.1 401').length - 1 >= sent + AHEAD || !flooding,
        );
      }
    })();
    const figures = await others();
    flooding = false;
    await flood;
    printFigures('another client beside a flood on one connection', {
      ...figures,
      answered: connection.received.split('HTTP/1.1 401').length - 1,
    });
  });

  it.each([
    { count: 250, what: 'read nothing of a large answer', bytes: get(BIG_FILE).repeat(5), reads: false },
    {
      // More of them would fill the memory that the kernel has for all connections of the machine.
      count: 1_000,
      what: 'read 32 bytes a second',
      bytes: get('/docs/swagger-ui.css').repeat(3),
      reads: true,
    },
  ])('are disconnected when $count of them $what', async ({ count, what, bytes, reads }) => {
    const before = await descriptors();
    const beganAt = performance.now();
    await Promise.all(Array.from({ length: count }, () => openUnread(bytes)));
    await eventually(async () => (await descriptors()) >= before + count - COMING_AND_GOING);
    const limit = await descriptors();
    const reading = setInterval(() => connections.forEach((one) => one.readOn()), 1_000);
    if (!reads) clearInterval(reading);
    const figures = await others();
    await eventually(async () => (await descriptors()) <= before + COMING_AND_GOING, PATIENCE_MS);
    clearInterval(reading);
    printFigures(`${count} connections that ${what}`, {
      'open at first': limit - before,
      'all cut after (s)': (performance.now() - beganAt) / 1_000,
      ...figures,
    });
  });
});

async function fillCatalog(pool: Pool): Promise<void> {
  await pool.query(
    `WITH made AS (
       INSERT INTO products
         (sku, name, description, category, images, base_price, delivery_charge, active, variations)
       SELECT 'FILL-' || n, 'Product ' || n, repeat('A long description. ', 50), 'Tests', '{}', 100, 0, true,
              '[]'
         FROM generate_series(1, $1) n
       RETURNING id)
     INSERT INTO stock_items (product_id, variation_key, on_hand) SELECT id, '', 10 FROM made`,
    [PRODUCTS],
  );
}
