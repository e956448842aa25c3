import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.js';
import type { Bench } from '../bench.js';
import type { BenchDatabase } from '../database/bench-database.js';
import type { Finding } from '../finding.js';
import { megabytes, milliseconds, perSecond } from '../figures.js';
import { type Comparison, compare } from '../load/compare.js';
import type { Load } from '../load/load.js';
import { stockChecks } from '../load/polls.js';
import { runLoad } from '../load/run-load.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';
import { orders } from './order-placed.js';

const WORKERS = 2;

/** As many clients as keep more than one core busy. */
const CLIENTS = 64;

/** Two workers share both cores with what asks them: with more cores each of them would have its own. */
export const workers: Row = {
  id: 'workers',
  async measure(bench) {
    const database = await bench.database(10_000);
    const one = await bench.service(database);
    const several = await startSeveral(bench, database);
    const checks = { ...stockChecks(database), connections: CLIENTS };
    const placed = orders(database, CLIENTS);
    const pair = (load: Load) => compare(bench.pace, { server: several, load }, { server: one, load });
    return [
      finding('stock check', await pair(checks)),
      await processorTime(bench, several, one, checks),
      finding('order of two lines placed', await pair(placed)),
      memoryOf(several, one),
    ];
  },
};

/** Once each of them listens. */
async function startSeveral(bench: Bench, database: BenchDatabase): Promise<ServerProcess> {
  const port = await freePort();
  const environment = { WORKERS: String(WORKERS), METRICS_PORT: String(port) };
  const server = await bench.service(database, environment, undefined, 'workers');
  for (;;) {
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    if (metrics.includes(`\nworkers ${WORKERS}\n`)) return server;
    await delay(50);
  }
}

function finding(work: string, { rate, p99, others }: Comparison): Finding {
  const [one] = others as [Comparison['others'][0]];
  return {
    work: `${work}, ${WORKERS} workers on both cores, ${CLIENTS} clients`,
    measured: `${perSecond(rate)}, p99 ${milliseconds(p99)}`,
    against: `one process on a core of its own: ${perSecond(one.rate)}, p99 ${milliseconds(one.p99)}`,
    ratio: one.ratio,
    aim: 'reported',
  };
}

/** What a request costs by itself, which does not depend on who else wants the cores. */
async function processorTime(
  bench: Bench,
  several: ServerProcess,
  one: ServerProcess,
  load: Load,
): Promise<Finding> {
  const { seconds } = bench.pace;
  const micros = async (server: ServerProcess, pids: (number | undefined)[]) => {
    const spent = () => pids.reduce((sum: number, pid) => sum + server.processorMs(pid), 0);
    const before = spent();
    const { rate } = await runLoad({ url: server.url, seconds, load });
    return ((spent() - before) * 1_000) / (rate * seconds);
  };
  const together = await micros(several, [undefined, ...several.workers()]);
  const alone = await micros(one, [undefined]);
  return {
    work: 'stock check: processor time of all processes of the service',
    measured: `${together.toFixed(1)} µs`,
    against: `one process: ${alone.toFixed(1)} µs`,
    ratio: together / alone,
    aim: 'reported',
  };
}

function memoryOf(several: ServerProcess, one: ServerProcess): Finding {
  const each = several.workers().map((pid) => megabytes(several.residentMemory(pid)));
  return {
    work: 'memory after that, of the process that starts the workers and of each of them',
    measured: `${megabytes(several.residentMemory())}; ${each.join(', ')}`,
    against: `one process: ${megabytes(one.residentMemory())}`,
    aim: 'reported',
  };
}
