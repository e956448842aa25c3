import 'reflect-metadata';
import cluster from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { describeError } from '../../cli/explain.js';
import { joinDatabase } from '../startup/prepare-database.js';
import { surviveLostLog } from '../startup/process.js';
import { serveOn } from '../startup/serve.js';
import type { Shutdown } from '../startup/shut-down.js';
import { shareOf } from '../workers/workers.js';
import { readSettings } from '../../platform/settings/read-settings.js';
import type { Settings } from '../../platform/settings/settings.js';
import { forTerminal } from '../../platform/validation/texts.js';

/** One of several processes that serve together. The first passes the settings in the environment. */
async function work(): Promise<void> {
  try {
    // Its answer to a first process that has gone must not end this one.
    cluster.worker!.on('error', () => undefined);
    // It answers the first process from here on; the metrics come later.
    new AggregatorRegistry();
    const settings = { ...shareOf(readSettings(process.env)), worker: Number(process.env.WORKER) };
    await serveOn(await joinDatabase(settings), settings, {
      isFirst: cluster.worker?.id === 1,
      report: () => undefined,
      onSignals: (shutdown) => stopWithFirstProcess(shutdown, settings),
    });
  } catch (error) {
    process.stderr.write(forTerminal(process.stderr, `${describeError(error).message}\n`));
    process.exit(1);
  }
}

/**
 * A terminal and a service manager signal to all processes at once, so only the first process hears Ctrl-C
 * and the end of the terminal.
 * When that process is gone, the worker finishes its requests and ends.
 */
function stopWithFirstProcess(shutdown: Shutdown, { shutdownDrainSeconds }: Settings): void {
  process.on('message', (drainSeconds) => {
    if (typeof drainSeconds !== 'number') return;
    if (shutdown.isUnderWay) shutdown.hurryUp();
    else shutdown.begin(drainSeconds);
  });
  process.once('disconnect', () => shutdown.begin(0));
  // Without it Node ends a worker as soon as its channel closes, in the middle of its requests.
  cluster.worker!.exitedAfterDisconnect = true;
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
  process.on('SIGTERM', () => shutdown.begin(shutdownDrainSeconds));
}

surviveLostLog();
void work();
