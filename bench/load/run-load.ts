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

export interface Speed {
  /** Answers a second. */
  rate: number;
  /** Of a hundred answers ninety-nine took no more milliseconds. */
  p99: number;
}

interface LoadResult extends Speed {
  errors: number;
  statuses: string[];
}

/** All answers must be the one that is expected. */
export async function runLoad(order: LoadOrder): Promise<Speed> {
  const [command, args] = pinnedNode('load', [fileURLToPath(new URL('load-process.js', import.meta.url))]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(order);
  const [result] = (await once(child, 'message')) as [LoadResult];
  const expected = String(order.load.status);
  if (result.errors > 0 || result.statuses.some((status) => status !== expected)) {
    throw new Error(`Not only ${expected} came from ${order.url}: ${JSON.stringify(result)}`);
  }
  return { rate: result.rate, p99: result.p99 };
}
