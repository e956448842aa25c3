import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atSuiteEnd } from './suite-end.js';
import type { Run } from './run-node.js';
import { asRead, onTerminal } from './run-on-terminal.js';

const PROCESS = fileURLToPath(new URL('terminal-process.js', import.meta.url));

/**
 * A real terminal that runs several commands in one process, which is much faster than a process for each.
 */
export class Terminal {
  private output = '';
  private readonly close = atSuiteEnd(() => this.child.kill('SIGKILL'));

  private constructor(private readonly child: ChildProcess) {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    child.once('close', () => void this.close());
  }

  static async open(): Promise<Terminal> {
    const [program, ...args] = onTerminal([PROCESS]);
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const terminal = new Terminal(child);
    await once(child, 'message');
    return terminal;
  }

  /** stdout and stderr both go to the screen. */
  async run(env: Record<string, string>, ...args: string[]): Promise<Run> {
    const mark = randomUUID();
    const end = new RegExp(`${mark}(\\d+);`);
    this.output = '';
    this.child.send({ args, env, mark });
    while (!end.test(this.output)) await once(this.child.stdout!, 'data');
    const [stdout = '', exitCode] = this.output.split(end);
    return { exitCode: Number(exitCode), stdout: asRead(stdout), stderr: '' };
  }
}
