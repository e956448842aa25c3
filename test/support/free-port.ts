import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the port ranges of outgoing connections in Linux and macOS, which could take the port first. */
const [LOWEST, HIGHEST] = [15_432, 25_432];

/** Servers that start together bind their ports later than they ask for them. */
const given = new Set<number>();

/** A random port that is free on 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    const probe = createServer();
    const free = once(probe.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!(await free)) continue;
    await once(probe.close(), 'close');
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}
