import { orderBody } from '../../test/support/order-body.js';
import { packCopies } from '../../test/support/pack-copies.js';
import { signInAtDesk } from '../../test/support/sign-in.js';
import { milliseconds } from '../figures.js';
import { judge } from '../finding.js';
import { measure } from '../load/compare.js';
import { item, stockChecks } from '../load/polls.js';
import { median } from '../median.js';
import type { Row } from '../row.js';

const PRODUCTS = 2_000;
const ORDERS = 1_500;
const PEOPLE = 4;

/** Stock checks while four people print the slips of 1,500 orders each. */
export const files: Row = {
  id: 'files',
  async measure(bench) {
    const database = await bench.database(PRODUCTS);
    const server = await bench.service(database);
    const answer = await fetch(`${server.url}/api/orders`, {
      method: 'POST',
      headers: { ...database.store.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(orderBody([item(database, 0)])),
    });
    const { order_number: number } = (await answer.json()) as { order_number: string };
    const list = await packCopies(database.pool, number, ORDERS);
    const service = { pool: database.pool, url: server.url };
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => signInAtDesk(service, 'packer')));
    const load = { ...stockChecks(database), connections: 1 };
    const check = () => measure(bench, { server, load }, bench.pace.seconds);
    await check();
    const quiet = [await check(), await check(), await check()].map(({ p99 }) => p99);
    let left = PEOPLE;
    const beganAt = performance.now();
    const printed = people.map(async ({ cookie }) => {
      const file = await fetch(`${server.url}/desk/packing/${list}/slips.pdf`, {
        headers: { Cookie: cookie },
      });
      const text = Buffer.from(await file.arrayBuffer()).toString('latin1');
      left--;
      const pages = text.match(/\/Type \/Page\b(?!s)/g)?.length;
      if (pages !== ORDERS) throw new Error(`${file.status}, ${pages} pages: ${text.slice(0, 500)}`);
    });
    const busy: number[] = [];
    while (left > 0) busy.push((await check()).p99);
    await Promise.all(printed);
    const seconds = Math.round((performance.now() - beganAt) / 1_000);
    const told = (times: number[]) =>
      `${milliseconds(median(times))}, at worst ${milliseconds(Math.max(...times))}`;
    return [
      {
        work: 'stock check, one connection, while 4 people print slips of 1,500 orders each: p99',
        measured: `${told(busy)}; all files whole after ${seconds} s`,
        against: `quiet: ${told(quiet)}`,
        ...judge(median(busy) / median(quiet), '≤', 5),
      },
    ];
  },
};
