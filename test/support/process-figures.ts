import { readdir, readFile } from 'node:fs/promises';

/** Figures that Linux keeps of a process. */
export async function descriptorsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/** Returns megabytes. */
export async function residentMemoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

/** Returns the processor time in hundredths of a second. Other processes do not affect it. */
export async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name stands in brackets and may contain any character.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return Number(user) + Number(system);
}

/** Returns the running child processes that were started with this script. */
export async function childrenOf(pid: number, script: string): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const pids = children.split(' ').filter(Boolean).map(Number);
  const started = await Promise.all(pids.map((child) => isRunning(child, script)));
  return pids.filter((_, index) => started[index]);
}

export async function isRunning(pid: number, script: string): Promise<boolean> {
  // The file is missing for a process that has ended, and empty for a zombie.
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return line.includes(script);
}

/** Returns all processes with this script and this setting in their environment, also orphans. */
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
