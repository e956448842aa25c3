import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { filledOrderNumbers } from '../database/fill-orders.js';
import { against } from '../finding.js';
import { compare, type Contender } from '../load/compare.js';
import type { Load } from '../load/load.js';
import { compressedLists, PAGE, reads, stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';

const BARE = 'bare node:http, same bytes';

const stockCheck: Row = {
  id: 'stock-check',
  async measure(bench) {
    const database = await bench.database(10_000);
    const load = stockChecks(database);
    const server = await bench.service(database);
    const bare = await bench.replay('bare-http', server, load.requests[0]!);
    const nest = await bench.replay('plain-nest', server, load.requests[0]!);
    return against(
      'stock check, one product of 10,000',
      await compare(bench, { server, load }, { server: bare, load }, { server: nest, load }),
      [
        { name: BARE, aim: 0.5 },
        { name: 'plain Nest on Express with one guard', aim: 4 },
      ],
    );
  },
};

const wholeList = againstBare('list-10000', 'whole list of 10,000 products, gzip', 0.7, compressedLists);

const page = againstBare('page', 'page of 100 products', 0.5, ({ store }) => reads(store.headers, [PAGE]));

function againstBare(id: string, work: string, aim: number, loadOf: (database: BenchDatabase) => Load): Row {
  return {
    id,
    async measure(bench) {
      const database = await bench.database(10_000);
      const load = loadOf(database);
      const server = await bench.service(database);
      const bare = await bench.replay('bare-http', server, load.requests[0]!);
      return against(work, await compare(bench, { server, load }, { server: bare, load }), [
        { name: BARE, aim },
      ]);
    },
  };
}

const CHANGES = 100;
const CHANGE = `
  UPDATE stock_items SET on_hand = on_hand - 1
   WHERE id IN (SELECT min(id) FROM stock_items GROUP BY product_id ORDER BY product_id LIMIT $1)`;

const delta: Row = {
  id: 'delta',
  async measure(bench) {
    const large = await changedCatalog(bench, 100_000, '/api/stock');
    const small = await changedCatalog(bench, 1_000, '/api/stock');
    return against(
      `delta of ${CHANGES} changes among 100,000 products (/api/stock)`,
      await compare(bench, large, small),
      [{ name: 'among 1,000 products', aim: 0.85 }],
    );
  },
};

async function changedCatalog(bench: Bench, products: number, list: string): Promise<Contender> {
  const database = await bench.database(products);
  const { headers } = database.store;
  const server = await bench.service(database);
  const read = async (path: string) =>
    (await (await fetch(server.url + path, { headers })).json()) as { data: unknown[]; sync_token: string };
  const { sync_token: token } = await read(list);
  const path = `${list}?since=${encodeURIComponent(token)}`;
  await database.pool.query(CHANGE, [CHANGES]);
  while ((await read(path)).data.length < CHANGES) await delay(20);
  return { server, load: reads(headers, [path]) };
}

const statusPoll: Row = {
  id: 'status-poll',
  async measure(bench) {
    const database = await bench.database(10_000);
    const server = await bench.service(database);
    const plain = await bench.reference('status-by-select', { DATABASE_URL: database.url });
    const paths = filledOrderNumbers(1_000).map((number) => `/api/orders/${number}/status`);
    const load = reads(database.store.headers, paths);
    const comparison = await compare(bench, { server, load }, { server: plain, load });
    const references = [{ name: 'one prepared SELECT by plain pg behind node:http', aim: 0.7 }];
    return against('order status poll', comparison, references, 'rate');
  },
};

/** Answered from memory, or almost. */
export const READS: Row[] = [stockCheck, wholeList, page, delta, statusPoll];
