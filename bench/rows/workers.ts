import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.js';
import type { Bench } from '../bench.js';
import type { BenchDatabase } from '../database/bench-database.js';
import { against, type Finding } from '../finding.js';
import { compare } from '../load/compare.js';
import { orders, stockChecks } from '../load/polls.js';
import type { Row } from '../row.js';
import type { ServerProcess } from '../servers/server-process.js';

const WORKERS = 2;

/** Enough clients to keep more than one core busy. */
const CLIENTS = 64;

/** Two workers share both cores with the load. On more cores each worker would have its own. */
export const workers: Row = {
  id: 'workers',
  async measure(bench) {
    const database = await bench.database(10_000);
    const one = await bench.service(database);
    const several = await startSeveral(bench, database);
    const checks = { ...stockChecks(database), connections: CLIENTS };
    const placed = orders(database, CLIENTS);
    const findings: Finding[] = [];
    const loads = { 'stock check': checks, 'order of two lines placed': placed };
    for (const [work, load] of Object.entries(loads)) {
      const comparison = await compare(bench, { server: several, load }, { server: one, load });
      const title = `${work}, ${WORKERS} workers on both cores, ${CLIENTS} clients`;
      findings.push(...against(title, comparison, [{ name: 'one process on a core of its own' }], 'rate'));
    }
    return findings;
  },
};

/** Starts the workers and waits until each of them listens. */
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
