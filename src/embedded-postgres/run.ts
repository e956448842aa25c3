import { spawn } from 'node:child_process';
import { lchown, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** The operator sees the message as it is. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

/** PostgreSQL refuses to run as root, so root runs it as this user. */
export interface PostgresAccount {
  name: string;
  uid: number;
  gid: number;
}

export interface RunOptions {
  account?: PostgresAccount | undefined;
  cwd?: string;
  input?: string;
  /** An open file. A server that goes on would keep a pipe open forever. */
  outputTo?: number;
}

export interface Outcome {
  /** Not 0 if the program failed, was killed or did not start. */
  code: number;
  output: string;
}

/** Runs a program to its end. With an account, it first gives up root and root's groups. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Outcome> {
  const { account, cwd = '/', input = '', outputTo = 'pipe' } = options;
  // PGPORT, PGDATA and the like would change what PostgreSQL does.
  const { PATH, TMPDIR } = process.env;
  const child = spawn(command, args, {
    cwd,
    env: { PATH, TMPDIR, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['pipe', outputTo, outputTo],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  // The exit code reports a program that does not read its input or does not start.
  child.stdin!.on('error', () => undefined).end(input);
  const ended = new Promise<Outcome>((resolve) => {
    child.once('error', (error) => resolve({ code: -1, output: error.message }));
    child.once('exit', (code) => resolve({ code: code ?? -1, output: '' }));
  });
  const read = (stream: typeof child.stdout) => (stream ? text(stream) : '');
  const [outcome, out, err] = await Promise.all([ended, read(child.stdout), read(child.stderr)]);
  return { code: outcome.code, output: `${outcome.output}${out}${err}`.trim() };
}

const CREATE_ACCOUNT = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres'],
  // Alpine only has BusyBox's adduser.
  ['adduser', '-S', '-D', '-H', '-s', '/bin/false', 'postgres'],
] as const;

/** `undefined` if PostgreSQL can run as the current user. */
export async function postgresAccount(): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  let account = await findAccount('postgres');
  for (const [command, ...args] of CREATE_ACCOUNT) {
    if (account) break;
    await run(command, args);
    account = await findAccount('postgres');
  }
  account ??= await findAccount('nobody');
  if (account) return account;
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root, and there is no user named "postgres". ' +
      'Create one, start the service as another user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

async function findAccount(name: string): Promise<PostgresAccount | undefined> {
  const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name])));
  const [uid, gid] = ids.map(({ code, output }) => (code === 0 ? Number(output) : 0));
  return uid && gid ? { name, uid, gid } : undefined;
}

/** After a restore, or a start as another user, files can belong to another user. */
export async function handOver(directory: string, { uid, gid }: PostgresAccount): Promise<void> {
  for (const entry of ['', ...(await readdir(directory, { recursive: true }))]) {
    const file = path.join(directory, entry);
    try {
      if ((await lstat(file)).uid !== uid) await lchown(file, uid, gid);
    } catch (error) {
      // A server that another process just started deletes files.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
