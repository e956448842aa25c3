import { setTimeout as delay } from 'node:timers/promises';

/**
 * Making 8 KB takes about 2 ms of the event loop, so files use half of it. All files of a node together are
 * made at 4 MB a second at most.
 */
const REST_MS_PER_KB = 1 / 4;

let resting = Promise.resolve();

/** Leaves the event loop to requests, longer after a larger piece. Files rest one after the other. */
export function restAfter(bytes: number): Promise<void> {
  resting = resting.then(() => delay((bytes / 1024) * REST_MS_PER_KB));
  return resting;
}
