import { setTimeout as delay } from 'node:timers/promises';
import { spreadSkus } from '../database/spread-skus.js';
import { judge } from '../finding.js';
import { milliseconds } from '../figures.js';
import { readWhole } from '../load/read-whole.js';
import { median } from '../median.js';
import type { Row } from '../row.js';

const CHANGE = `
  UPDATE stock_items SET on_hand = on_hand - 1
   WHERE id = (SELECT min(s.id) FROM stock_items s JOIN products p ON p.id = s.product_id WHERE p.sku = $1)`;

/** The whole answer counts, its way through the socket included, while JSON.stringify has nothing to send. */
export const listAfterChange: Row = {
  id: 'list-after-change',
  async measure(bench) {
    const { store, url, products, pool } = await bench.database(10_000);
    const service = await bench.service({ url });
    const headers = { ...store.headers, 'Accept-Encoding': 'identity' };
    const read = (path: string): Promise<Buffer> => readWhole(service.url + path, headers);
    let list = await read('/api/products');
    const lists: number[] = [];
    const stringified: number[] = [];
    for (const sku of spreadSkus(products, bench.options.quick ? 5 : 40)) {
      const before = await read(`/api/products/${sku}/stock`);
      await pool.query(CHANGE, [sku]);
      while (before.equals(await read(`/api/products/${sku}/stock`))) await delay(5);
      lists.push(await timed(async () => (list = await read('/api/products'))));
      const value: unknown = JSON.parse(list.toString());
      stringified.push(await timed(() => Promise.resolve(JSON.stringify(value))));
    }
    const [ours, plain] = [median(lists), median(stringified)];
    return [
      {
        work: 'list right after one stock change, 10,000 products, until the last byte',
        measured: milliseconds(ours),
        against: `JSON.stringify of the same list: ${milliseconds(plain)}`,
        ...judge(ours / plain, '≤', 0.3),
      },
    ];
  },
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganAt = performance.now();
  await work();
  return performance.now() - beganAt;
}
