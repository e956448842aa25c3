import { setTimeout as delay } from 'node:timers/promises';
import { spreadSkus } from '../database/spread-skus.js';
import { milliseconds } from '../figures.js';
import { judge } from '../finding.js';
import { readWhole, type WholeAnswer } from '../load/read-whole.js';
import { median } from '../median.js';
import type { Row } from '../row.js';

const CHANGE = `
  UPDATE stock_items SET on_hand = on_hand - 1
   WHERE id = (SELECT min(s.id) FROM stock_items s JOIN products p ON p.id = s.product_id WHERE p.sku = $1)`;

/**
 * The time until the answer begins counts, because its body is complete by then. JSON.stringify has no
 * transfer.
 */
export const listAfterChange: Row = {
  id: 'list-after-change',
  async measure(bench) {
    const { store, url, products, pool } = await bench.database(10_000);
    const service = await bench.service({ url });
    const headers = { ...store.headers, 'Accept-Encoding': 'identity' };
    const read = (path: string): Promise<WholeAnswer> => readWhole(service.url + path, headers);
    await read('/api/products');
    const lists: WholeAnswer[] = [];
    const stringified: number[] = [];
    for (const sku of spreadSkus(products, bench.options.quick ? 5 : 40)) {
      const { body: before } = await read(`/api/products/${sku}/stock`);
      await pool.query(CHANGE, [sku]);
      while (before.equals((await read(`/api/products/${sku}/stock`)).body)) await delay(5);
      const list = await read('/api/products');
      lists.push(list);
      stringified.push(timeOfStringify(JSON.parse(list.body.toString())));
    }
    const begun = median(lists.map((list) => list.begun));
    const ended = median(lists.map((list) => list.ended));
    const plain = median(stringified);
    return [
      {
        work: 'list right after one stock change, 10,000 products',
        measured: `${milliseconds(begun)} (${milliseconds(ended)} until the last byte)`,
        against: `JSON.stringify of the same list: ${milliseconds(plain)}`,
        ...judge(begun / plain, '≤', 0.3),
      },
    ];
  },
};

function timeOfStringify(value: unknown): number {
  const beganAt = performance.now();
  JSON.stringify(value);
  return performance.now() - beganAt;
}
