import { judge } from '../finding.js';
import { perSecond } from '../figures.js';
import { compare } from '../load/compare.js';
import { stockChecks } from '../load/polls.js';
import type { Load } from '../load/load.js';
import type { Row } from '../row.js';

export const listNotModified: Row = {
  id: 'list-304',
  async measure(bench) {
    const database = await bench.database(10_000);
    const service = await bench.service(database);
    const path = '/api/products';
    const asked = { ...database.store.headers, 'Accept-Encoding': 'gzip' };
    const first = await fetch(service.url + path, { headers: asked });
    await first.arrayBuffer();
    const headers = { ...asked, 'If-None-Match': first.headers.get('etag')! };
    const load: Load = { ...stockChecks(database), requests: [{ path, headers }], status: 304 };
    const bare = await bench.replay('bare-http', service, load.requests[0]!);
    const { rate, others } = await compare(bench.pace, { server: service, load }, { server: bare, load });
    return [
      {
        work: 'list answered 304',
        measured: perSecond(rate),
        against: `bare node:http answering 304: ${perSecond(others[0]!.rate)}`,
        ...judge(others[0]!.ratio, '≥', 0.45),
      },
    ];
  },
};
