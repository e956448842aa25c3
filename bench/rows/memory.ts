import type { Bench } from '../bench.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { spreadSkus } from '../database/spread-skus.js';
import { megabytes } from '../figures.js';
import type { Finding } from '../finding.js';
import { measure } from '../load/compare.js';
import { compressedLists, reads, stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';

const MB = 2 ** 20;
const LOADED_WITHIN_MS = 10_000;

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

function finding(work: string, bytes: number, aimMb: number): Finding {
  return {
    work,
    measured: megabytes(bytes),
    against: '–',
    aim: `≤ ${aimMb} MB`,
    reached: bytes <= aimMb * MB,
  };
}

export const memory: Row = {
  id: 'memory',
  async measure(bench) {
    const database = await bench.database(10_000);
    const bytes = await highestMemory(bench, await bench.service(database), database);
    return [finding('memory of the process with 10,000 products, under load', bytes, 200)];
  },
};

export const largeCatalog: Row = {
  id: 'large-catalog',
  async measure(bench) {
    const database = await bench.database(100_000);
    const service = await bench.service(database);
    const bytes = await highestMemory(bench, service, database);
    const work = '100,000 products of three variations';
    return [
      finding(`${work}: memory of the process, under load`, bytes, 600),
      {
        work: `${work}: start until ready`,
        measured: `${(service.startedInMs / 1_000).toFixed(1)} s`,
        against: '–',
        aim: 'seconds',
        reached: service.startedInMs <= LOADED_WITHIN_MS,
      },
    ];
  },
};
