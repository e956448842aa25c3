import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * The server under test has its own core, and the load generator another. PostgreSQL is not pinned. Each of
 * several workers has a core, and the generator shares one of them.
 */
const CORES = { server: '0', load: '1', workers: '0,1' };

export type Role = keyof typeof CORES;

/** Without `taskset` (Linux only), or with a single core, the operating system decides. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Returns the command that starts Node on the core of this role. */
export function pinnedNode(role: Role, args: string[]): [command: string, args: string[]] {
  return canPin ? ['taskset', ['-c', CORES[role], process.execPath, ...args]] : [process.execPath, args];
}
