import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.js';
import { pinnedNode, type Role } from './pinned.js';
import { processorMs } from './processor-time.js';

interface ServerScript {
  /** Absolute, or relative to the compiled `bench` directory. */
  script: string;
  /** A path that answers when the server is ready. */
  readyAt: string;
  environment?: Record<string, string>;
  nodeOptions?: string[];
  /** Selects the cores. */
  role?: Role;
}

const BENCH = new URL('../', import.meta.url);
const PATIENCE_MS = 120_000;

/** A server in its own process, on the core for measured servers. */
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
      // This folder contains no .env file.
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

  /** Returns the memory of the process in bytes. */
  residentMemory(): number {
    const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(this.child.pid)], { encoding: 'utf8' });
    return Number(stdout.trim()) * 1_024;
  }

  /** Returns the processor time of this process and its workers. */
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
