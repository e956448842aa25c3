import type { Bench } from '../bench.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { filledOrderNumbers } from '../database/fill-orders.js';
import { spreadSkus } from '../database/spread-skus.js';
import { megabytes, perSecond } from '../figures.js';
import type { Finding } from '../finding.js';
import { measure } from '../load/compare.js';
import type { Load, LoadRequest } from '../load/load.js';
import { compressedLists, item, orderOf, PAGE, reads, stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';

const MB = 2 ** 20;
const LOADED_WITHIN_MS = 10_000;

/** Returns the highest figure while the service sends lists in both encodings and answers stock checks. */
async function highestMemory(bench: Bench, service: ServerProcess, database: BenchDatabase): Promise<number> {
  const { headers } = database.store;
  const seen = [service.residentMemory()];
  for (const load of [
    compressedLists(database),
    stockChecks(database, spreadSkus(database.products, 2_000)),
    reads({ ...headers, 'Accept-Encoding': 'identity' }, ['/api/products'], 1),
  ]) {
    await measure(bench, { server: service, load }, bench.pace.seconds);
    seen.push(service.residentMemory());
  }
  return Math.max(...seen);
}

function finding(work: string, bytes: number, aimMb: number): Finding {
  return {
    work,
    measured: megabytes(bytes),
    against: '–',
    aim: `≤ ${aimMb} MB`,
    reached: bytes <= aimMb * MB,
  };
}

export const memory: Row = {
  id: 'memory',
  async measure(bench) {
    const database = await bench.database(10_000);
    const bytes = await highestMemory(bench, await bench.service(database), database);
    return [finding('memory of the process with 10,000 products, under load', bytes, 200)];
  },
};

export const largeCatalog: Row = {
  id: 'large-catalog',
  async measure(bench) {
    const database = await bench.database(100_000);
    const service = await bench.service(database);
    const bytes = await highestMemory(bench, service, database);
    const work = '100,000 products of three variations';
    return [
      finding(`${work}: memory of the process, under load`, bytes, 600),
      {
        work: `${work}: start until ready`,
        measured: `${(service.startedInMs / 1_000).toFixed(1)} s`,
        against: '–',
        aim: 'seconds',
        reached: service.startedInMs <= LOADED_WITHIN_MS,
      },
    ];
  },
};

const CLIENTS = 24;

/** Long enough for the memory to stop growing. */
const MINUTES = 2;

/** The daily work of stores: polls, lists, deltas, orders and mistakes. */
export const mixedLoad: Row = {
  id: 'mixed-load',
  async measure(bench) {
    const database = await bench.database(10_000);
    const server = await bench.service(database);
    const load = await dayOfStores(database, server);
    const turns = bench.options.quick ? 2 : MINUTES * 6;
    const seen = [];
    let answers = 0;
    for (let turn = 0; turn < turns; turn++) {
      const { rate } = await measure(bench, { server, load }, bench.options.quick ? 1 : 10);
      answers += rate * 10;
      seen.push(server.residentMemory());
    }
    return [
      {
        ...finding(
          `memory of the process, mixed load of ${CLIENTS} clients (${perSecond(answers / turns / 10)})`,
          Math.max(...seen),
          400,
        ),
        against: `after the first turn: ${megabytes(seen[0]!)}`,
        ratio: Math.max(...seen) / seen[0]!,
      },
    ];
  },
};

export async function dayOfStores(database: BenchDatabase, { url }: ServerProcess): Promise<Load> {
  const { headers } = database.store;
  const get = (path: string, more: Record<string, string> = {}, status = 200): LoadRequest => ({
    path,
    headers: { ...headers, ...more },
    status,
  });
  const { sync_token: token } = (await (await fetch(`${url}/api/products`, { headers })).json()) as {
    sync_token: string;
  };
  const skus = spreadSkus(database.products, 200);
  const polled = filledOrderNumbers(skus.length);
  const requests = skus.flatMap((sku, index) => [
    get(`/api/products/${sku}/stock`),
    get(`/api/products/${sku}`),
    get(`/api/orders/${polled[index]}/status`),
    get('/api/orders?limit=50'),
    get(PAGE),
    get(`/api/products?since=${encodeURIComponent(token)}`),
    ...(index % 4 === 0 ? [get('/api/products', { 'Accept-Encoding': 'gzip' })] : []),
    orderOf(database, [item(database, index), item(database, index * 7 + 1)]),
    get('/api/products/NO-SUCH-SKU/stock', {}, 404),
    get('/api/products?limit=none', {}, 422),
    { ...orderOf(database, []), status: 422 },
  ]);
  return { requests, connections: CLIENTS };
}
