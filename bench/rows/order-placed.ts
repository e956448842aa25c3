import type { BenchDatabase } from '../database/bench-database.js';
import { spreadSkus } from '../database/spread-skus.js';
import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import type { Load } from '../load/load.js';
import type { Row } from '../row.js';
import { orderBody } from '../../test/support/order-body.js';

const CLIENTS = 8;
const SIZES = ['S', 'M', 'L'];

/** Orders of two lines of ever other products. */
function orders({ products, store }: BenchDatabase): Load {
  const skus = spreadSkus(products, 1_000);
  const headers = { ...store.headers, 'Content-Type': 'application/json' };
  const requests = skus.map((sku, index) => {
    const other = skus[(index * 7 + 1) % skus.length]!;
    const items = [sku, other].map((each, line) => ({
      sku: each,
      quantity: 1,
      variation: `Size:${SIZES[(index + line) % SIZES.length]}`,
    }));
    const body = JSON.stringify(orderBody(items, { store_order_id: '[<id>]' }));
    return { method: 'POST' as const, path: '/api/orders', headers, body };
  });
  return { requests, connections: CLIENTS, status: 201 };
}

export const orderPlaced: Row = {
  id: 'order',
  async measure(bench) {
    const database = await bench.database(10_000);
    const load = orders(database);
    const environment = { DATABASE_URL: database.url };
    const { rate, others } = await compare(
      bench.pace,
      { server: await bench.service(database), load },
      { server: await bench.reference('order-by-statements', environment), load },
      { server: await bench.reference('order-by-cte', environment), load },
    );
    const row = { work: 'order of two lines placed, 8 clients', measured: perSecond(rate) };
    return [
      {
        ...row,
        against: `plain pg behind node:http, eight statements: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.8),
      },
      {
        ...row,
        against: `plain pg behind node:http, one CTE: ${perSecond(others[1]!.rate)}`,
        ratio: others[1]!.ratio,
        aim: 'reported',
      },
    ];
  },
};
