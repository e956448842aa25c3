import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { EmbeddedDatabaseError } from './embedded-database-error.js';

/** Below the ranges that Linux and macOS give to outgoing connections: one of those must not sit on it at a restart. */
const LOWEST = 15_432;
const HIGHEST = 25_432;

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
  });
}

/** The preferred port if nobody has it, else a random free one. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred && (await isPortFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isPortFree(port)) return port;
  }
  throw new EmbeddedDatabaseError(
    `No free TCP port for PostgreSQL was found on 127.0.0.1 (${LOWEST} to ${HIGHEST}).`,
  );
}
