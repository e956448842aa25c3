import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from './run.js';

export interface Postmaster {
  pid: number;
  ready: boolean;
}

/**
 * PostgreSQL's own note about its running server; the lines are described in src/include/utils/pidfile.h: the first is
 * the process id, the eighth the status.
 */
export async function readPostmaster(directory: string): Promise<Postmaster | undefined> {
  try {
    const lines = (await readFile(path.join(directory, 'postmaster.pid'), 'utf8')).split('\n');
    const pid = Number(lines[0]);
    // A single-user server writes its process id negated.
    return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Whether the process is a server of this very data directory. After a crash, a reboot or a copy of the directory the
 * noted id may be anybody's by now, even that of another directory's server. A zombie has no command line, so it is none.
 */
export async function isPostmasterOf(pid: number, directory: string): Promise<boolean> {
  return (await commandLine(pid)).includes(` -D ${directory} `);
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return raw.replaceAll('\0', ' ');
  }
  return ` ${(await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)])).output.trim()} `;
}
