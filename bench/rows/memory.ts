import type { Bench } from '../bench.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { spreadSkus } from '../database/spread-skus.js';
import { megabytes } from '../figures.js';
import { measure } from '../load/compare.js';
import { compressedLists, reads, stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';

const MB = 2 ** 20;

/** Returns the highest figure while the service sends lists in both encodings and answers stock checks. */
async function highestMemory(bench: Bench, service: ServerProcess, database: BenchDatabase): Promise<number> {
  const { headers } = database.store;
  const seen = [service.residentMemory()];
  for (const load of [
    compressedLists(database),
    stockChecks(database, spreadSkus(database.products, 2_000)),
    reads({ ...headers, 'Accept-Encoding': 'identity' }, ['/api/products'], 1),
  ]) {
    await measure(bench, { server: service, load }, bench.pace.seconds);
    seen.push(service.residentMemory());
  }
  return Math.max(...seen);
}

const CATALOGS = [
  { id: 'memory', products: 10_000, mostMb: 200 },
  { id: 'large-catalog', products: 100_000, mostMb: 600 },
];

export const memory = CATALOGS.map(({ id, products, mostMb }): Row => ({
  id,
  async measure(bench) {
    const database = await bench.database(products);
    const service = await bench.service(database);
    const bytes = await highestMemory(bench, service, database);
    return [
      {
        work: `memory of the process with ${products.toLocaleString('en')} products, under load`,
        measured: `${megabytes(bytes)}, ready after ${(service.startedInMs / 1_000).toFixed(1)} s`,
        against: '–',
        aim: `≤ ${mostMb} MB`,
        reached: bytes <= mostMb * MB,
      },
    ];
  },
}));
