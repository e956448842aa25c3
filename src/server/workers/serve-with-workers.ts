import cluster from 'node:cluster';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { Settings } from '../../platform/settings/settings.js';
import { LogOutput } from '../observability/log-output.js';
import { forgedAddressWarning, printLine } from '../startup/announce.js';
import { checkAddress, stopOnSignals, type Stoppable } from '../startup/process.js';
import { type OpenDatabase, openDatabase } from '../startup/prepare-database.js';
import { type WorkerEnd, Workers } from './workers.js';

/**
 * Starts one node as several processes. Resolves when the first listens. This process serves no requests and
 * loads none of the app: it keeps the database open, starts the workers and gathers their metrics.
 */
export async function serveWithWorkers(settings: Settings): Promise<void> {
  if (!cluster.isPrimary) throw new DomainError('wrong_settings', NOT_WITHIN);
  await checkAddress(settings);
  const warning = forgedAddressWarning(settings);
  if (warning) printLine(warning);
  const database = await openDatabase(settings);
  const workers = new Workers(settings.workers);
  workers.on('hopeless', (end) => void giveUp(end, database));
  workers.on('died', (end) => logError(`${describeEnd(end)}; another takes its place.`));
  try {
    await openMetrics(workers, settings);
  } catch (error) {
    await database.close();
    throw error;
  }
  const first = new Promise<void>((resolve) => workers.once('listening', resolve));
  stopOnSignals(shutdownOf(workers, database, settings), settings);
  workers.beginFirst();
  await first;
  reportWhenAllServe(workers);
  workers.beginOthers();
}

const NOT_WITHIN =
  'WORKERS starts processes of its own, so it must be 1 if another program, such as pm2, runs the service ' +
  'as a cluster.';

/** The worker has printed the reason, unless it was killed. */
async function giveUp(end: WorkerEnd, database: OpenDatabase): Promise<never> {
  if (end.signal) printLine(`${describeEnd(end)}, and no worker serves.`);
  await database.close();
  process.exit(end.code || 1);
}

function describeEnd({ number, pid, code, signal }: WorkerEnd): string {
  if (pid === undefined) return `Worker ${number} could not be started (${signal})`;
  return `Worker ${number} (process ${pid}) ended with ${signal ?? code}`;
}

function logError(message: string): void {
  new LogOutput().write('error', 'log', { context: 'Workers', message });
}

function reportWhenAllServe(workers: Workers): void {
  const report = () => {
    if (workers.listeningCount < workers.count) return;
    workers.off('listening', report);
    printLine(`${workers.count} workers serve.`);
  };
  workers.on('listening', report);
}

async function openMetrics(workers: Workers, settings: Settings): Promise<void> {
  if (settings.metricsPort === undefined) return;
  // Loaded only if needed, because it takes memory.
  const { AggregatorRegistry, Counter, Gauge, Registry } = await import('prom-client');
  const { openMetricsServer } = await import('../observability/open-metrics-server.js');
  const own = new Registry();
  const registers = [own];
  new Gauge({
    name: 'workers',
    help: 'Workers that serve.',
    registers,
    collect() {
      this.set(workers.listeningCount);
    },
  });
  const configured = new Gauge({
    name: 'workers_configured',
    help: 'Workers that the settings ask for.',
    registers,
  });
  configured.set(workers.count);
  const deaths = new Counter({
    name: 'worker_deaths_total',
    help: 'Workers that ended unexpectedly.',
    registers,
  });
  workers.on('died', () => deaths.inc());
  const all = new AggregatorRegistry();
  await openMetricsServer(
    settings,
    async () => `${await own.metrics()}${await all.clusterMetrics()}`,
    (error) => logError(`The metrics could not be served: ${String(error)}`),
  );
}

/** All end together. Even if one hangs, all are gone after the grace period. */
function shutdownOf(workers: Workers, database: OpenDatabase, settings: Settings): Stoppable {
  let isUnderWay = false;
  return {
    get isUnderWay() {
      return isUnderWay;
    },
    begin(drainSeconds) {
      isUnderWay = true;
      printLine('Stopping: requests in flight are being answered.');
      setTimeout(() => cut(workers), settings.shutdownGraceSeconds * 1_000);
      workers.once('empty', () => void leave(workers, database));
      workers.stop(drainSeconds);
    },
    hurryUp: () => workers.stop(0),
  };
}

async function leave(workers: Workers, database: OpenDatabase): Promise<void> {
  try {
    await database.close();
  } catch (error) {
    printLine(`Stopped, but not in order: ${String(error)}`);
    process.exit(1);
  }
  // A worker that failed has printed the reason.
  if (workers.allInOrder) printLine('Stopped.');
  process.exit(workers.allInOrder ? 0 : 1);
}

function cut(workers: Workers): void {
  workers.kill();
  printLine('Stopped, but the database could not be left in order.');
  process.exit(1);
}
