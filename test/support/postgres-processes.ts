import { readFileSync } from 'node:fs';

/** PostgreSQL's main process and all that it started. Linux tells who they are. */
export function postgresProcesses(postmaster: number): number[] {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.trim().split(/\s+/).filter(Boolean).map(Number)];
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) process.kill(pid, signal);
}
