import type { BenchDatabase } from '../database/bench-database.js';
import { spreadSkus } from '../database/spread-skus.js';
import { judge, type Finding } from '../finding.js';
import { milliseconds, perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import type { Load } from '../load/load.js';
import type { Bench } from '../bench.js';
import type { Row } from '../row.js';
import { orderBody } from '../../test/support/order-body.js';

const SIZES = ['S', 'M', 'L'];

/** Orders of two lines of ever other products. */
export function orders({ products, store }: BenchDatabase, connections: number): Load {
  const skus = spreadSkus(products, 1_000);
  const pairs = skus.map((sku, index) => [sku, skus[(index * 7 + 1) % skus.length]!]);
  return loadOf(store.headers, connections, pairs);
}

/** As on the day of a sale: everybody wants the same. */
function hotOrders({ products, store }: BenchDatabase, connections: number): Load {
  return loadOf(store.headers, connections, [[spreadSkus(products, 1)[0]!]]);
}

function loadOf(store: Record<string, string>, connections: number, wanted: string[][]): Load {
  const headers = { ...store, 'Content-Type': 'application/json' };
  const requests = wanted.map((skus, index) => {
    const items = skus.map((sku, line) => ({
      sku,
      quantity: 1,
      variation: `Size:${SIZES[(index + line) % SIZES.length]}`,
    }));
    const body = JSON.stringify(orderBody(items, { store_order_id: '[<id>]' }));
    return { method: 'POST' as const, path: '/api/orders', headers, body };
  });
  return { requests, connections, status: 201 };
}

/** What is measured, and what of the eight statements it should reach. */
interface Measured {
  work: string;
  connections: number;
  aim: number | undefined;
  loadOf: (database: BenchDatabase, connections: number) => Load;
}

const MEASURED: Measured[] = [
  { work: 'order of two lines placed, 1 client', connections: 1, aim: undefined, loadOf: orders },
  { work: 'order of two lines placed, 8 clients', connections: 8, aim: 1, loadOf: orders },
  { work: 'order of two lines placed, 32 clients', connections: 32, aim: 1.5, loadOf: orders },
  { work: 'order of one SKU that all want, 128 clients', connections: 128, aim: 3, loadOf: hotOrders },
];

async function measure(bench: Bench, database: BenchDatabase, what: Measured): Promise<Finding[]> {
  const load = what.loadOf(database, what.connections);
  const environment = { DATABASE_URL: database.url };
  const { rate, p99, others } = await compare(
    bench.pace,
    { server: await bench.service(database), load },
    { server: await bench.reference('order-by-statements', environment), load },
    { server: await bench.reference('order-by-cte', environment), load },
  );
  await bench.stopServers();
  const figures = (requests: number, ms: number) => `${perSecond(requests)}, p99 ${milliseconds(ms)}`;
  const row = { work: what.work, measured: figures(rate, p99) };
  const [statements, cte] = others as [(typeof others)[0], (typeof others)[0]];
  return [
    {
      ...row,
      against: `plain pg behind node:http, eight statements: ${figures(statements.rate, statements.p99)}`,
      ...(what.aim === undefined
        ? { ratio: statements.ratio, aim: 'reported' }
        : judge(statements.ratio, '≥', what.aim)),
    },
    {
      ...row,
      against: `plain pg behind node:http, one CTE: ${figures(cte.rate, cte.p99)}`,
      ratio: cte.ratio,
      aim: 'reported',
    },
  ];
}

export const orderPlaced: Row = {
  id: 'order',
  async measure(bench) {
    const database = await bench.database(10_000);
    const findings: Finding[] = [];
    for (const what of MEASURED) findings.push(...(await measure(bench, database, what)));
    return findings;
  },
};
