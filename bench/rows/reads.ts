import { setTimeout as delay } from 'node:timers/promises';
import { signIn } from '../../test/support/sign-in.js';
import type { Bench } from '../bench.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { filledOrderNumbers } from '../database/fill-orders.js';
import { spreadSkus } from '../database/spread-skus.js';
import { milliseconds } from '../figures.js';
import { against, judge } from '../finding.js';
import { compare, type Contender } from '../load/compare.js';
import { compressedLists, PAGE, reads, stockChecks, unchangedLists } from '../load/polls.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';
import { Fixtures } from '../../test/support/fixtures.js';

/** The difference is smaller than that between two turns of one server, so many turns are needed. */
const TIMES_MORE_ROUNDS = 3;

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

const product: Row = {
  id: 'product',
  async measure(bench) {
    const database = await bench.database(10_000);
    const load = reads(database.store.headers, [`/api/products/${spreadSkus(database.products, 1)[0]}`]);
    const server = await bench.service(database);
    const bare = await bench.replay('bare-http', server, load.requests[0]!);
    return against('product, one of 10,000', await compare(bench, { server, load }, { server: bare, load }), [
      { name: BARE, aim: 0.5 },
    ]);
  },
};

/** Compares the service with itself under another setting. */
function withAndWithout(
  id: string,
  work: string,
  name: string,
  settings: { with?: Record<string, string>; without?: Record<string, string> },
  aim?: number,
): Row {
  return {
    id,
    async measure(bench) {
      const database = await bench.database(10_000);
      const load = stockChecks(database);
      const comparison = await compare(
        bench.often(TIMES_MORE_ROUNDS),
        { server: await bench.service(database, settings.with), load },
        { server: await bench.service(database, settings.without), load },
      );
      return against(work, comparison, [{ name, aim }]);
    },
  };
}

/** A few connections at a time, and enough to keep a core busy. */
const wholeLists = [
  { id: 'list-1000', products: 1_000, connections: 8 },
  { id: 'list-10000', products: 10_000, connections: 8 },
  { id: 'list-10000-at-32', products: 10_000, connections: 32 },
].map(({ id, products, connections }): Row => ({
  id,
  async measure(bench) {
    const database = await bench.database(products);
    const load = compressedLists(database, connections);
    const server = await bench.service(database);
    const bare = await bench.replay('bare-http', server, load.requests[0]!);
    return against(
      `whole list of ${products.toLocaleString('en')} products, gzip, ${connections} at a time`,
      await compare(bench, { server, load }, { server: bare, load }),
      [{ name: BARE, aim: 0.7 }],
    );
  },
}));

const listNotModified: Row = {
  id: 'list-304',
  async measure(bench) {
    const database = await bench.database(10_000);
    const server = await bench.service(database);
    const load = await unchangedLists(database, server);
    const bare = await bench.replay('bare-http', server, load.requests[0]!);
    return against('list answered 304', await compare(bench, { server, load }, { server: bare, load }), [
      { name: 'bare node:http answering 304', aim: 0.45 },
    ]);
  },
};

/** A page of 100 products: the first page, the first page of a category, and all pages in turn. */
const page: Row = {
  id: 'page',
  async measure(bench) {
    const database = await bench.database(10_000);
    const server = await bench.service(database);
    const { category, walk } = await readPages(server, database);
    const works = {
      'page of 100 products': [PAGE],
      'page of 100 products of a category': [`${PAGE}&category=${encodeURIComponent(category)}`],
      'page of 100 products, each of a walk through 10,000': walk,
    };
    const findings = [];
    for (const [work, paths] of Object.entries(works)) {
      const load = reads(database.store.headers, paths);
      const bare = await bench.replay('bare-http', server, load.requests[0]!);
      const comparison = await compare(bench, { server, load }, { server: bare, load });
      findings.push(...against(work, comparison, [{ name: BARE, aim: 0.5 }]));
    }
    return findings;
  },
};

async function readPages({ url }: ServerProcess, { store }: BenchDatabase) {
  const read = async (path: string) =>
    (await (await fetch(url + path, { headers: store.headers })).json()) as {
      data: { category: string }[];
      next_cursor?: string;
    };
  const walk = [PAGE];
  const { data, next_cursor: second } = await read(PAGE);
  for (let cursor = second; cursor !== undefined;) {
    walk.push(`${PAGE}&cursor=${cursor}`);
    cursor = (await read(walk.at(-1)!)).next_cursor;
  }
  return { category: data[0]!.category, walk };
}

const CHANGES = 100;
const CHANGE = `
  UPDATE stock_items SET on_hand = on_hand - 1
   WHERE id IN (SELECT min(id) FROM stock_items GROUP BY product_id ORDER BY product_id LIMIT $1)`;

const deltas = ['products', 'stock'].map((list): Row => ({
  id: `delta-${list}`,
  async measure(bench) {
    const large = await changedCatalog(bench, 100_000, `/api/${list}`);
    const small = await changedCatalog(bench, 1_000, `/api/${list}`);
    return against(
      `delta of ${CHANGES} changes among 100,000 products (/api/${list})`,
      await compare(bench, large, small),
      [{ name: 'among 1,000 products', aim: 0.85 }],
    );
  },
}));

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

/** The same number of paths on both sides, so that only the size of the catalog differs. */
const POLLED = 100;

const catalogSize: Row = {
  id: 'catalog-size',
  async measure(bench) {
    const polled = async (products: number): Promise<Contender> => {
      const database = await bench.database(products);
      const server = await bench.service(database);
      return { server, load: stockChecks(database, spreadSkus(products, POLLED)) };
    };
    return against(
      `stock checks of ${POLLED} among 100,000 products`,
      await compare(bench, await polled(100_000), await polled(100)),
      [{ name: `of all of ${POLLED} products`, aim: 0.9 }],
    );
  },
};

/** Simultaneous polls share a statement across tokens, so one token must not be slower than several. */
const TOKENS = 8;

const statusPoll: Row = {
  id: 'status-poll',
  async measure(bench) {
    const database = await bench.database(10_000);
    const tokens = await moreTokens(database);
    const server = await bench.service(database);
    const plain = await bench.reference('status-by-select', { DATABASE_URL: database.url });
    const works = {
      'order status poll, one token': [database.store.headers],
      [`order status poll, ${TOKENS} tokens`]: tokens,
    };
    const findings = [];
    for (const [work, headers] of Object.entries(works)) {
      const requests = filledOrderNumbers(1_000).map((number, index) => ({
        path: `/api/orders/${number}/status`,
        headers: headers[index % headers.length]!,
      }));
      const load = { requests, connections: 32 };
      const comparison = await compare(bench, { server, load }, { server: plain, load });
      const references = [{ name: 'one prepared SELECT by plain pg behind node:http', aim: 0.7 }];
      findings.push(...against(work, comparison, references, 'rate'));
    }
    return findings;
  },
};

async function moreTokens({ pool, store }: BenchDatabase): Promise<Record<string, string>[]> {
  const fixtures = new Fixtures(pool, () => Promise.resolve());
  const all = [];
  for (let count = 0; count < TOKENS; count++) {
    const { token } = await fixtures.token(store.clientId, store.domain);
    all.push({ ...store.headers, Authorization: `Bearer ${token}` });
  }
  return all;
}

const dashboardPage: Row = {
  id: 'dashboard-page',
  async measure(bench) {
    const database = await bench.database(10_000);
    const { cookie } = await signIn({ pool: database.pool, url: '' }, database.store.clientId);
    const server = await bench.service(database);
    const { speed, others } = await compare(
      bench,
      { server, load: reads({ Cookie: cookie }, ['/dashboard/orders'], 8) },
      { server, load: stockChecks(database) },
    );
    return [
      {
        work: 'page with 50 of 20,000 orders, in processor time of the server',
        measured: milliseconds(speed.cost / 1_000),
        against: `stock check: ${milliseconds(others[0]!.speed.cost / 1_000)}`,
        ...judge(1 / others[0]!.cost, '≤', 10),
      },
    ];
  },
};

/** Answered from memory, or almost. */
export const READS: Row[] = [
  stockCheck,
  product,
  withAndWithout('observability', 'stock check with metrics and access log', 'without metrics', {
    with: { METRICS_PORT: '0', ACCESS_LOG: 'default' },
  }),
  withAndWithout(
    'request-log',
    'stock check, counted for its client',
    'not counted',
    { without: { REQUEST_LOG_DAYS: '0' } },
    0.98,
  ),
  ...wholeLists,
  listNotModified,
  page,
  ...deltas,
  catalogSize,
  statusPoll,
  dashboardPage,
];
