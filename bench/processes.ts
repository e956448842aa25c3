import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/free-port.js';

/** The server under test has a core, and the generator of load another. PostgreSQL uses both. */
const CORES = { server: '0', load: '1' };
const MS_PER_TICK = 10;
const PATIENCE_MS = 120_000;

export type Role = keyof typeof CORES;

/** Starts Node with a script of the bench, or another one, on the cores of its role. */
export function startNode(role: Role, script: string, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const leash = fileURLToPath(new URL('leash.js', import.meta.url));
  return spawn('taskset', ['-c', CORES[role], process.execPath, '--import', leash, script], {
    // This folder contains no .env file.
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, ...env },
  });
}

/** A server in its own process. */
export class ServerProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    readonly startedInMs: number,
  ) {}

  static async start(
    role: Role,
    script: string,
    readyAt: string,
    env: Record<string, string>,
  ): Promise<ServerProcess> {
    const port = await freePort();
    const beganAt = performance.now();
    const url = `http://127.0.0.1:${port}`;
    const settings = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...env };
    const child = startNode(role, script, settings);
    const isReady = () =>
      fetch(url + readyAt, { method: 'HEAD' }).then(
        ({ status }) => status !== 503,
        () => false,
      );
    while (!(await isReady())) {
      if (child.exitCode !== null || performance.now() > beganAt + PATIENCE_MS)
        throw new Error(`Nothing answers at ${url}: ${script}`);
      await delay(20);
    }
    return new ServerProcess(url, child, performance.now() - beganAt);
  }

  /** Returns the memory of the process in MB. */
  residentMb(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1_024;
  }

  /** Returns the processor time of this process. */
  processorMs(): number {
    return processorMs(this.child.pid!);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill();
    await exit;
  }
}

/** Returns the processor time of a process and all its children, as Linux counts it. */
export function processorMs(pid: number): number {
  // Ticks of the process in user and kernel mode, and of its children that have ended.
  const ticks = statOf(pid)
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0);
  const children = ofLiving(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + processorMs(Number(child)), ticks * MS_PER_TICK);
}

export function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** The fields after the name, which stands in brackets and may contain spaces. */
function statOf(pid: number): string[] {
  const stat = ofLiving(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The process may end between two reads. */
function ofLiving(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) return '';
    throw error;
  }
}
