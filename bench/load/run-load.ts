import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pinnedNode } from '../servers/pinned.js';
import type { Load } from './load.js';

export interface LoadOrder {
  url: string;
  seconds: number;
  load: Load;
}

/** The figures of a load generator. */
export interface Seen {
  answers: number;
  /** The duration in seconds. */
  seconds: number;
  /** In milliseconds: 99 of 100 answers were faster. */
  p99: number;
  /** The share of a core that the generator used. */
  busy: number;
  /** The number of answers of each unexpected status. */
  statuses: Record<string, number>;
}

export async function runLoad(order: LoadOrder): Promise<Seen> {
  const [command, args] = pinnedNode('load', [fileURLToPath(new URL('load-process.js', import.meta.url))]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(order);
  const seen = await Promise.race([
    once(child, 'message').then(([message]) => message as Seen),
    once(child, 'exit').then(() => undefined),
  ]);
  if (!seen) throw new Error(`The generator of load for ${order.url} failed.`);
  const { 503: refused, ...wrong } = seen.statuses;
  if (Object.keys(wrong).length > 0 || (refused && !order.load.mayRefuse))
    throw new Error(`Unexpected statuses came from ${order.url}: ${JSON.stringify(seen.statuses)}`);
  return seen;
}
