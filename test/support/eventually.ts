import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { lastRead } from './last-read.js';
import { serviceErrors } from './service-log.js';

/**
 * Waits until the condition holds. An error counts as "not yet"; after the timeout the last error is thrown.
 * An error in the log of the service ends the wait.
 */
export async function eventually<T>(condition: () => Promise<T> | T, patience = 120_000): Promise<T> {
  const errorsBefore = serviceErrors.length;
  for (const deadline = Date.now() + patience; ;) {
    let last: unknown;
    try {
      const value = await condition();
      if (value) return value;
      last = new Error(
        `Still ${inspect(value)}: ${condition}\nLast read: ${inspect(lastRead, { depth: 4 })}`,
      );
    } catch (error) {
      last = error;
    }
    if (serviceErrors.length > errorsBefore)
      throw new Error(`The service failed: ${serviceErrors.at(-1)}`, { cause: last });
    if (Date.now() > deadline) throw last;
    await delay(25);
  }
}
