import { once } from 'node:events';
import autocannon from 'autocannon';
import type { LoadOrder } from './run-load.js';

/** The generator of load, in a process of its own so that measuring takes nothing from what is measured. */
const [{ url, seconds, load }] = (await once(process, 'message')) as [LoadOrder];
let clients = 0;
const result = await autocannon({
  url,
  duration: seconds,
  connections: load.connections,
  requests: load.requests,
  idReplacement: load.requests.some(({ body }) => body !== undefined),
  ...(load.rate !== undefined && { overallRate: load.rate }),
  // Each connection begins elsewhere in the list, or all would ask for the same at the same time.
  setupClient: (client) => {
    const first = Math.floor((load.requests.length * clients++) / load.connections);
    client.setRequests([...load.requests.slice(first), ...load.requests.slice(0, first)]);
  },
});
process.send?.({
  rate: result.requests.total / result.duration,
  p99: result.latency.p99,
  errors: result.errors + result.timeouts,
  statuses: Object.keys(result.statusCodeStats ?? {}),
});
process.disconnect();
