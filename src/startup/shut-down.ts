import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Readiness } from '../health/readiness.js';
import type { Settings } from '../settings/settings.js';
import type { OpenDatabase } from './open-database.js';
import { log } from './log.js';

/** SIGTERM and Ctrl-C end the service in order; a second one while it does so changes nothing. */
export function shutDownOnSignals(app: NestExpressApplication, settings: Settings, database: OpenDatabase): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      void shutDown(app, settings, database).finally(() => process.exit());
    });
  }
}

/** Not ready any more, then requests in flight are answered, then the rest of the sockets is cut, then the database is left. */
async function shutDown(app: NestExpressApplication, settings: Settings, database: OpenDatabase): Promise<void> {
  log('Stopping: requests in flight are being answered.');
  app.get(Readiness).stop();
  const server = app.getHttpServer();
  const cut = setTimeout(() => server.closeAllConnections(), settings.shutdownGraceSeconds * 1_000);
  await stopListening(server);
  clearTimeout(cut);
  await app.close();
  await database.close();
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
