import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The server under test has a core of its own, whoever it is; the load comes from another. PostgreSQL goes where it likes. Of several workers each has one, and the load shares one with them. */
const CORES = { server: '0', load: '1', workers: '0,1' };

export type Role = keyof typeof CORES;

/** Without `taskset` (it is Linux's), or with a single core, the operating system decides. */
export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** How to start Node on the core of this role. */
export function pinnedNode(role: Role, args: string[]): [command: string, args: string[]] {
  return canPin ? ['taskset', ['-c', CORES[role], process.execPath, ...args]] : [process.execPath, args];
}
