import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Readiness } from '../health/readiness.js';
import type { FastExpressAdapter } from '../../platform/http/express-adapter.js';
import type { Settings } from '../../platform/settings/settings.js';
import type { OpenDatabase } from './open-database.js';
import { say } from './announce.js';

/** The end of the grace period belongs to leaving the database: by then every connection has been cut. */
const LEAVING_SHARE = 0.25;

/**
 * SIGTERM ends the service in order. So does Ctrl-C, without waiting for a balancer; when it is pressed once more, without waiting
 * for anybody. Whatever hangs, the process is gone when the grace period is over.
 */
export function shutDownOnSignals(
  app: NestExpressApplication,
  settings: Settings,
  database: OpenDatabase,
): void {
  const hurry = new AbortController();
  let stopping = false;
  const stop = (drainSeconds: number) => {
    if (stopping) return hurry.abort();
    stopping = true;
    const timing = {
      drainMs: drainSeconds * 1_000,
      graceMs: settings.shutdownGraceSeconds * 1_000,
      hurry: hurry.signal,
    };
    void shutDown(app, database, timing);
  };
  process.on('SIGTERM', () => stop(settings.shutdownDrainSeconds));
  process.on('SIGINT', () => stop(0));
}

interface Timing {
  drainMs: number;
  graceMs: number;
  hurry: AbortSignal;
}

async function shutDown(app: NestExpressApplication, database: OpenDatabase, timing: Timing): Promise<void> {
  setTimeout(() => end(1, 'Stopped, but the database could not be left in order.'), timing.graceMs);
  try {
    await stopServing(app, timing);
    await app.close();
    await database.close();
    end(0, 'Stopped.');
  } catch (error) {
    end(1, `Stopped, but not in order: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

function end(code: number, lastWords: string): void {
  say(lastWords);
  process.exit(code);
}

/** Not ready any more, then everybody is sent elsewhere, then requests in flight are answered, then what is left is cut. */
async function stopServing(app: NestExpressApplication, { drainMs, graceMs, hurry }: Timing): Promise<void> {
  say('Stopping: requests in flight are being answered.');
  const server = app.getHttpServer();
  const cut = () => server.closeAllConnections();
  const cutter = setTimeout(cut, graceMs * (1 - LEAVING_SHARE));
  app.get(Readiness).stop();
  (app.getHttpAdapter() as unknown as FastExpressAdapter).drain();
  await Promise.race([pause(drainMs), aborted(hurry)]);
  if (hurry.aborted) cut();
  else hurry.addEventListener('abort', cut);
  await stopListening(server);
  clearTimeout(cutter);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
