import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.js';
import { finding, type Finding, type Row } from '../finding.js';
import { compare } from '../load/compare.js';
import { orders, stockChecks } from '../load/loads.js';

const WORKERS = '2';

/** Enough clients to keep more than one core busy. */
const CLIENTS = 64;

/** Two workers share both cores with the load. On more cores each worker would have its own. */
export const workers: Row = {
  id: 'workers',
  async measure(bench) {
    const database = await bench.database(10_000);
    const one = await bench.service(database);
    const port = String(await freePort());
    const settings = { WORKERS, METRICS_PORT: port };
    const several = await bench.service(database, settings, undefined, 'workers');
    const isComplete = async () =>
      (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).includes(`\nworkers ${WORKERS}\n`);
    while (!(await isComplete())) await delay(50);
    const findings: Finding[] = [];
    for (const [work, load] of Object.entries({
      'stock check': { ...stockChecks(database), connections: CLIENTS },
      'order of two lines placed': orders(database, CLIENTS),
    })) {
      const comparison = await compare(bench, { server: several, load }, { server: one, load });
      const title = `${work}, ${WORKERS} workers on both cores, ${CLIENTS} clients`;
      findings.push(finding(title, comparison, 'one process on a core of its own', 'rate'));
    }
    return findings;
  },
};
