import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/database/embedded/free-port.js';
import { eventually } from './eventually.js';

const MAIN = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

const running = new Set<ServiceProcess>();

/** One node of the built service in a process of its own, which can be killed like one. */
export class ServiceProcess {
  readonly ended: Promise<number | null>;
  output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {
    running.add(this);
    child.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = once(child, 'close').then(([code]) => {
      running.delete(this);
      return code as number | null;
    });
  }

  /** Does not wait until it listens. */
  static async spawn(environment: Record<string, string>): Promise<ServiceProcess> {
    const port = environment.PORT === undefined ? await freePort() : Number(environment.PORT);
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', SNAPSHOT_INTERVAL_MS: '50', ...environment, PORT: String(port) },
    });
    return new ServiceProcess(child, port);
  }

  static async start(environment: Record<string, string>): Promise<ServiceProcess> {
    const service = await ServiceProcess.spawn(environment);
    await service.ready();
    return service;
  }

  /** For the end of a suite, whatever came of it. */
  static async killAll(): Promise<void> {
    for (const service of running) await service.kill();
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async ready(patience = 60_000): Promise<void> {
    await eventually(async () => {
      if (!this.isRunning) return true;
      return (await fetch(`${this.url}/health/ready`)).ok;
    }, patience);
    if (!this.isRunning) throw new Error(`The service ended before it was ready:\n${this.output}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}
