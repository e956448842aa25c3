import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { type PostgresAccount } from '../../src/server/embedded-postgres/programs.js';
import { debianPostgres } from '../support/debian-postgres.js';

/** Where get-programs.sh puts them. */
const PROGRAMS = '/var/lib/wholesale-order-api/machines/bin';

/** Says what the suite lacks on this machine, or `undefined`. */
export function missingPrograms(): string | undefined {
  if (!debianPostgres()) return "no PostgreSQL of Debian's: apt-get install postgresql";
  if (!existsSync(path.join(PROGRAMS, 'nginx')))
    return 'no etcd, Patroni, HAProxy, nginx and PgBouncer: test/machines/get-programs.sh as root';
  return undefined;
}

/** A program of the cluster. It can be killed and started again, and ends with the tests. */
export class Daemon {
  output = '';
  private child!: ChildProcess;

  constructor(
    private readonly program: string,
    private readonly args: string[],
    private readonly account: PostgresAccount | undefined,
  ) {
    this.start();
  }

  get pid(): number {
    return this.child.pid!;
  }

  start(): void {
    const { uid, gid } = this.account ?? {};
    const user = this.account ? [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'] : [];
    const command = ['--pdeathsig=KILL', ...user, path.resolve(PROGRAMS, this.program), ...this.args];
    this.child = spawn('setpriv', command, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-5_000)));
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}
