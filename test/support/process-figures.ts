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

export async function isRunning(pid: number, script: string): Promise<boolean> {
  // The file is missing for a process that has ended, and empty for a zombie.
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return line.includes(script);
}
