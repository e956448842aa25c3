import { filledOrderNumbers } from '../database/fill-orders.js';
import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import type { Load } from '../load/load.js';
import type { Row } from '../row.js';

export const statusPoll: Row = {
  id: 'status-poll',
  async measure(bench) {
    const database = await bench.database(10_000);
    const { headers } = database.store;
    const requests = filledOrderNumbers(1_000).map((number) => ({
      path: `/api/orders/${number}/status`,
      headers,
    }));
    const load: Load = { requests, connections: 32, status: 200 };
    const service = await bench.service(database);
    const plain = await bench.reference('status-by-select', { DATABASE_URL: database.url });
    const { rate, others } = await compare(bench.pace, { server: service, load }, { server: plain, load });
    return [
      {
        work: 'order status poll',
        measured: perSecond(rate),
        against: `one prepared SELECT by plain pg behind node:http: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.7),
      },
    ];
  },
};
