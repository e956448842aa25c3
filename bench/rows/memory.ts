import type { BenchDatabase } from '../database/bench-database.js';
import { megabytes } from '../figures.js';
import { runLoad } from '../load/run-load.js';
import { compressedLists, stockChecks } from '../load/polls.js';
import { spreadSkus } from '../database/spread-skus.js';
import type { ServerProcess } from '../servers/server-process.js';
import type { Bench } from '../bench.js';
import type { Row } from '../row.js';

const MB = 2 ** 20;
const LOADED_WITHIN_MS = 10_000;

/** The highest of what was seen while lists in both encodings and checks of many products were answered. */
async function highestMemory(bench: Bench, service: ServerProcess, database: BenchDatabase): Promise<number> {
  const { seconds } = bench.pace;
  const { url } = service;
  const seen = [service.residentMemory()];
  for (const load of [
    compressedLists(database),
    stockChecks(database, spreadSkus(database.products, 2_000)),
  ]) {
    await runLoad({ url, seconds, load });
    seen.push(service.residentMemory());
  }
  const plain = await fetch(`${url}/api/products`, {
    headers: { ...database.store.headers, 'Accept-Encoding': 'identity' },
  });
  await plain.arrayBuffer();
  seen.push(service.residentMemory());
  return Math.max(...seen);
}

export const memory: Row = {
  id: 'memory',
  async measure(bench) {
    const database = await bench.database(10_000);
    const bytes = await highestMemory(bench, await bench.service(database), database);
    return [
      {
        work: 'memory of the process with 10,000 products, under load',
        measured: megabytes(bytes),
        against: '–',
        aim: '≤ 200 MB',
        reached: bytes <= 200 * MB,
      },
    ];
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
      {
        work: `${work}: memory of the process, under load`,
        measured: megabytes(bytes),
        against: '–',
        aim: '≤ 600 MB',
        reached: bytes <= 600 * MB,
      },
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
