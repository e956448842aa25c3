import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.js';
import { pinnedNode, type Role } from './pinned.js';

interface ServerScript {
  /** Relative to the compiled `bench` directory. */
  script: string;
  /** A path that is answered once the server is ready. */
  readyAt: string;
  environment?: Record<string, string>;
  nodeOptions?: string[];
  /** On which cores it runs. */
  role?: Role;
}

const BENCH = new URL('../', import.meta.url);
const PATIENCE_MS = 120_000;
const MS_PER_TICK = 10;

/** A server in a process of its own, on the core where servers are measured. */
export class ServerProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    readonly startedInMs: number,
  ) {}

  static async start({
    script,
    readyAt,
    environment,
    nodeOptions = [],
    role = 'server',
  }: ServerScript): Promise<ServerProcess> {
    const port = await freePort();
    const beganAt = performance.now();
    const leash = fileURLToPath(new URL('servers/leash.js', BENCH));
    const [command, args] = pinnedNode(role, [
      ...nodeOptions,
      '--import',
      leash,
      fileURLToPath(new URL(script, BENCH)),
    ]);
    const child = spawn(command, args, {
      // Where no .env of whoever measures lies about.
      cwd: tmpdir(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        ...environment,
      },
    });
    const url = `http://127.0.0.1:${port}`;
    await ready(url + readyAt, child);
    return new ServerProcess(url, child, performance.now() - beganAt);
  }

  /** What the process occupies of the machine's memory at this moment, in bytes. */
  residentMemory(pid = this.child.pid): number {
    const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return Number(stdout.trim()) * 1_024;
  }

  /** The processes that it has started itself. */
  workers(): number[] {
    const { pid } = this.child;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.split(' ').filter(Boolean).map(Number);
  }

  /** What the process has had of the processor so far, as Linux counts it. */
  processorMs(pid = this.child.pid): number {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // What stands before may hold spaces. Then the 12th and the 13th are the ticks in user and in kernel mode.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill();
    await exit;
  }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    if (child.exitCode !== null) throw new Error(`The server that should answer ${url} ended.`);
    if (await answers(url)) return;
    await delay(20);
  }
  throw new Error(`Nothing answers ${url}.`);
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status !== 503;
    },
    () => false,
  );
}
