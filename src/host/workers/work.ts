import cluster from 'node:cluster';
import type { Settings } from '../../platform/settings/settings.js';
import type { PrimaryLine } from '../../platform/workers/primary-line.js';
import { joinDatabase } from '../startup/open-database.js';
import { serveOn } from '../startup/serve-on.js';
import type { Shutdown } from '../startup/shut-down.js';

/** So that no client has all connections of a worker: it has four places there. */
const LEAST_CONNECTIONS = 5;

/** Serves as one of several processes, and returns when it listens. */
export async function work(settings: Settings, line: PrimaryLine): Promise<void> {
  // Until there is something to be left in order.
  line.once('stop', () => process.exit(0));
  const { isFirst } = await line.begun();
  const database = await joinDatabase(settings);
  await serveOn(database, shareOf(settings), {
    isFirst,
    line,
    tell: () => undefined,
    obey: (shutdown) => obeyPrimary(line, shutdown, settings),
  });
  line.tell('listening', true);
}

/** All of a node's workers together have as many connections as one would have, or a few more. */
function shareOf(settings: Settings): Settings {
  const { databasePoolSize: all, workers } = settings;
  const share = Math.max(Math.ceil(all / workers), LEAST_CONNECTIONS);
  return { ...settings, databasePoolSize: Math.min(all, share) };
}

/**
 * A terminal and a service manager signal to all processes at once, so what Ctrl-C means is left to the one that is told it twice. When that one is
 * gone, so is whoever would take over: what is under way is finished, and that is the end.
 */
function obeyPrimary(line: PrimaryLine, shutdown: Shutdown, { shutdownDrainSeconds }: Settings): void {
  line.removeAllListeners('stop');
  line.on('stop', ({ drainSeconds }) => shutdown.begin(drainSeconds));
  line.on('hurry', () => shutdown.hurryUp());
  line.on('closed', () => shutdown.begin(0));
  // Without it Node ends a worker together with its line, whatever is under way.
  cluster.worker!.exitedAfterDisconnect = true;
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => shutdown.begin(shutdownDrainSeconds));
}
