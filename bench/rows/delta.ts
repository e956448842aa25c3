import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { judge } from '../finding.js';
import { milliseconds } from '../figures.js';
import { compare, type Contender } from '../load/compare.js';
import type { Row } from '../row.js';

const CHANGES = 100;

/** One caller after the other: the time of a call is what is asked for, not how many there can be. */
const CONNECTIONS = 1;

const CHANGE = `
  UPDATE stock_items SET on_hand = on_hand - 1
   WHERE id IN (SELECT min(id) FROM stock_items GROUP BY product_id ORDER BY product_id LIMIT $1)`;

interface Delta {
  data: unknown[];
  sync_token: string;
}

async function changedCatalog(bench: Bench, products: number, list: string): Promise<Contender> {
  const database = await bench.database(products);
  const { headers } = database.store;
  const server = await bench.service(database);
  const read = async (path: string): Promise<Delta> =>
    (await (await fetch(server.url + path, { headers })).json()) as Delta;
  const { sync_token: token } = await read(list);
  const path = `${list}?since=${encodeURIComponent(token)}`;
  await database.pool.query(CHANGE, [CHANGES]);
  while ((await read(path)).data.length < CHANGES) await delay(20);
  return { server, load: { requests: [{ path, headers }], connections: CONNECTIONS, status: 200 } };
}

export const deltas: Row[] = ['products', 'stock'].map((list) => ({
  id: `delta-${list}`,
  async measure(bench) {
    const large = await changedCatalog(bench, 100_000, `/api/${list}`);
    const small = await changedCatalog(bench, 1_000, `/api/${list}`);
    const { rate, others } = await compare(bench.pace, large, small);
    return [
      {
        work: `delta of 100 changes among 100,000 products (/api/${list})`,
        measured: milliseconds(1_000 / rate),
        against: `among 1,000 products: ${milliseconds(1_000 / others[0]!.rate)}`,
        ...judge(1 / others[0]!.ratio, '≤', 1.2),
      },
    ];
  },
}));
