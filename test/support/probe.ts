import type { Store } from './fixtures.js';
import { percentile } from './print-figures.js';

/** Sends requests one after the other like a normal client, and returns the times of the answers. */
export async function probe(
  url: string,
  store: Store,
  path: string,
  requests: number,
): Promise<{ p50: number; p99: number; failed: number }> {
  const times: number[] = [];
  let failed = 0;
  for (let count = 0; count < requests; count++) {
    const beganAt = performance.now();
    const response = await fetch(`${url}${path}`, { headers: store.headers });
    await response.arrayBuffer();
    times.push(performance.now() - beganAt);
    if (!response.ok) failed++;
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), failed };
}
