import type { Row } from '../finding.js';
import { measure } from '../load/compare.js';
import { stockChecks, wholeLists } from '../load/loads.js';

const CATALOGS = [
  { id: 'memory', products: 10_000, maxMb: 200 },
  { id: 'large-catalog', products: 100_000, maxMb: 600 },
];

/** The highest figure while the service sends lists in both encodings and answers stock checks. */
export const memory = CATALOGS.map(({ id, products, maxMb }): Row => ({
  id,
  async measure(bench) {
    const database = await bench.database(products);
    const server = await bench.service(database);
    const samples = [server.residentMb()];
    for (const load of [
      wholeLists(database),
      stockChecks(database, 2_000),
      wholeLists(database, 'identity', 1),
    ]) {
      await measure(bench, { server, load }, bench.pace.seconds);
      samples.push(server.residentMb());
    }
    const megabytes = Math.round(Math.max(...samples));
    return [
      {
        work: `memory of the process with ${products.toLocaleString('en')} products, under load`,
        measured: `${megabytes} MB, ready after ${(server.startedInMs / 1_000).toFixed(1)} s`,
        against: '–',
        aim: `≤ ${maxMb} MB`,
        reached: megabytes <= maxMb,
      },
    ];
  },
}));
