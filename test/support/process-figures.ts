import { readdir, readFile } from 'node:fs/promises';

/** What Linux counts for a process. */
export async function descriptorsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** In megabytes. */
export async function residentMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

/** The processes that it started and that still run, by what they were started with. */
export async function childrenOf(pid: number, script: string): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = children.split(' ').filter(Boolean).map(Number);
  const started = await Promise.all(pids.map((child) => isRunning(child, script)));
  return pids.filter((_, index) => started[index]);
}

export async function isRunning(pid: number, script: string): Promise<boolean> {
  // Of one that has ended there is nothing, and nothing in it of one that nobody has asked about since.
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return line.includes(script);
}
