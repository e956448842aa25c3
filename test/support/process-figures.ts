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

/** In hundredths of a second, spent on whatever it did: a machine that is busy with others makes no difference. */
export async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name stands in brackets, and may hold anything.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return Number(user) + Number(system);
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

/** All that run this script with this in their environment, whoever their parent is by now. */
export async function runningWith(script: string, setting: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (!(await isRunning(pid, script))) return false;
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.split('\0').includes(setting);
    }),
  );
  return pids.filter((_, index) => found[index]);
}
