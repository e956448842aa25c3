import { once } from 'node:events';
import autocannon from 'autocannon';
import type { LoadOrder } from './run-load.js';

/** The generator of load, in a process of its own so that measuring takes nothing from what is measured. */
const [{ url, seconds, load }] = (await once(process, 'message')) as [LoadOrder];
// autocannon makes all requests of a connection before it sends the first: were each given all of them, it would make them for seconds while
// the clock runs. So each has a share of them, and all ask for something else at the same time.
const shares = Math.min(load.connections, load.requests.length);
let clients = 0;
const result = await autocannon({
  url,
  duration: seconds,
  connections: load.connections,
  requests: load.requests.slice(0, 1),
  idReplacement: load.requests.some(({ body }) => body !== undefined),
  ...(load.rate !== undefined && { overallRate: load.rate }),
  setupClient: (client) => {
    const mine = clients++ % shares;
    client.setRequests(load.requests.filter((_, index) => index % shares === mine));
  },
});
process.send?.({
  rate: result.requests.total / result.duration,
  p99: result.latency.p99,
  errors: result.errors + result.timeouts,
  statuses: Object.keys(result.statusCodeStats ?? {}),
});
process.disconnect();
