import cluster from 'node:cluster';
import { DomainError } from '../../platform/errors/domain-error.js';
import { LentAllowances } from '../../platform/rate-limit/lent-allowances.js';
import type { Settings } from '../../platform/settings/settings.js';
import { LogOutput } from '../observability/log-output.js';
import { say } from '../startup/announce.js';
import { checkAddress } from '../startup/check-address.js';
import { obeySignals } from '../startup/obey-signals.js';
import { type OpenDatabase, openDatabase } from '../startup/open-database.js';
import { type End, Workers } from './workers.js';
import { WorkersShutdown } from './workers-shutdown.js';

/**
 * Starts one node of the service as several processes, and returns when the first of them listens. This one serves nobody: it keeps the database
 * open, starts the others, and keeps what is one for all of them. So it loads none of the app.
 */
export async function serveWithWorkers(settings: Settings): Promise<void> {
  if (!cluster.isPrimary) throw new DomainError('wrong_settings', NOT_WITHIN);
  await checkAddress(settings);
  const database = await openDatabase(settings);
  const workers = new Workers(settings.workers);
  workers.on('hopeless', (end) => void giveUp(end, database));
  tellOfDeaths(workers);
  lendLimits(workers, settings);
  try {
    await openMetrics(workers, settings);
  } catch (error) {
    await database.close();
    throw error;
  }
  const first = new Promise((resolve) => workers.once('listening', resolve));
  workers.beginFirst();
  await first;
  obeySignals(new WorkersShutdown(workers, database, settings), settings);
  tellWhenAllServe(workers);
  workers.beginOthers();
}

const NOT_WITHIN =
  'WORKERS starts processes of its own, so it must be 1 where another program (pm2, say) runs the service as a cluster.';

/** What is wrong the worker has said. */
async function giveUp(end: End, database: OpenDatabase): Promise<never> {
  if (end.signal) say(`${fateOf(end)}, and none listens.`);
  await database.close();
  process.exit(end.code || 1);
}

function tellOfDeaths(workers: Workers): void {
  const output = new LogOutput();
  workers.on('died', (end) => {
    const message = `${fateOf(end)}; another takes its place.`;
    output.write('error', 'log', { context: 'Workers', message });
  });
}

function fateOf({ number, pid, code, signal }: End): string {
  if (pid === undefined) return `Worker ${number} could not be started (${signal})`;
  return `Worker ${number} (process ${pid}) ended with ${signal ?? code}`;
}

function tellWhenAllServe(workers: Workers): void {
  const tell = () => {
    if (workers.listening.length < workers.count) return;
    workers.off('listening', tell);
    say(`${workers.count} workers serve.`);
  };
  workers.on('listening', tell);
}

/** One limit for each client, whichever worker it comes to. */
function lendLimits(workers: Workers, { rateLimitPerMinute }: Settings): void {
  const allowances = new LentAllowances(rateLimitPerMinute);
  workers.on('spent', (id, spent) =>
    workers.tell(id, 'lend', allowances.settle(id, spent, performance.now())),
  );
  workers.on('gone', (id) => allowances.forget(id));
}

async function openMetrics(workers: Workers, settings: Settings): Promise<void> {
  if (settings.metricsPort === undefined) return;
  // Only here: it takes memory that is not needed otherwise.
  const { WorkersMetrics } = await import('./workers-metrics.js');
  const { openMetricsServer } = await import('../observability/open-metrics-server.js');
  const metrics = new WorkersMetrics(workers);
  const output = new LogOutput();
  await openMetricsServer(
    settings,
    () => metrics.text(),
    (error) =>
      output.write('error', 'log', {
        context: 'WorkersMetrics',
        message: `The metrics could not be told: ${String(error)}`,
      }),
  );
}
