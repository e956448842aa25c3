import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.js';
import { atSuiteEnd } from './suite-end.js';
import { onTerminal } from './run-on-terminal.js';

/** The built service. */
export const ENTRY = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const LISTENS = /listens at (http:\/\/\S+)/;

const running = new Set<ServiceProcess>();

/** A node of the service in its own process, which tests can kill. */
export class ServiceProcess {
  output = '';
  readonly ended: Promise<number | null>;

  private constructor(readonly child: ChildProcess) {
    running.add(this);
    // No process outlives its suite.
    const kill = atSuiteEnd(() => this.end());
    child.stdout!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = once(child, 'close').then(([code]) => {
      running.delete(this);
      void kill();
      return code as number | null;
    });
  }

  /**
   * Starts on a free port, unless the environment names one, in a folder without .env. Does not wait until it
   * listens. Another build has another entry.
   */
  static spawn(environment: Record<string, string>, directory = tmpdir(), entry = ENTRY): ServiceProcess {
    return ServiceProcess.run([process.execPath, entry], environment, directory);
  }

  /** Starts through `npm run`, like an operator, in a process group of its own. Signals go to npm. */
  static spawnByNpm(script: string, environment: Record<string, string>): ServiceProcess {
    return ServiceProcess.run(['npm', 'run', '--silent', script], environment, ROOT, true);
  }

  /** Starts on a terminal. When the terminal closes, the service stops. */
  static spawnOnTerminal(environment: Record<string, string>): ServiceProcess {
    return ServiceProcess.run(onTerminal([ENTRY]), environment, tmpdir());
  }

  private static run(
    [program, ...args]: [string, ...string[]],
    environment: Record<string, string>,
    directory: string,
    detached = false,
  ): ServiceProcess {
    const child = spawn(program, args, {
      cwd: directory,
      detached,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: '0',
        SNAPSHOT_INTERVAL_MS: '50',
        SHUTDOWN_DRAIN_SECONDS: '0',
        ...environment,
      },
    });
    return new ServiceProcess(child);
  }

  static async start(environment: Record<string, string>, entry = ENTRY): Promise<ServiceProcess> {
    const service = ServiceProcess.spawn(environment, tmpdir(), entry);
    await service.listening();
    return service;
  }

  static async killAll(): Promise<void> {
    await Promise.all([...running].map((service) => service.end()));
  }

  get url(): string {
    const url = LISTENS.exec(this.output)?.[1];
    if (!url) throw new Error(`The service does not listen:\n${this.output}`);
    return url.replace('localhost', '127.0.0.1');
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until the service listens, and returns its URL. */
  async listening(): Promise<string> {
    await eventually(() => !this.isRunning || LISTENS.test(this.output));
    return this.url;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends the signal to npm and to the service at once, as a terminal does. */
  signalAll(signal: NodeJS.Signals): void {
    process.kill(-this.child.pid!, signal);
  }

  /** Resolves with the exit code when the process is gone. */
  end(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}
