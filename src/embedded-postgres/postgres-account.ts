import { lchown, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedDatabaseError } from './embedded-database-error.js';
import { run } from './run.js';

/** The user that PostgreSQL runs as when we are root: it refuses to run as root itself. */
export interface PostgresAccount {
  name: string;
  uid: number;
  gid: number;
}

const CREATE_COMMANDS = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/false', 'postgres'],
  // Alpine has BusyBox's adduser alone.
  ['adduser', '-S', '-D', '-H', '-s', '/bin/false', 'postgres'],
] as const;

async function numericId(flag: '-u' | '-g', name: string): Promise<number | undefined> {
  const { code, output } = await run('id', [flag, name]);
  return code === 0 ? Number(output.trim()) : undefined;
}

async function findAccount(name: string): Promise<PostgresAccount | undefined> {
  const [uid, gid] = await Promise.all([numericId('-u', name), numericId('-g', name)]);
  return uid === undefined || gid === undefined || uid === 0 ? undefined : { name, uid, gid };
}

/** `undefined` where PostgreSQL can run as the user we are. */
export async function postgresAccount(): Promise<PostgresAccount | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await findAccount('postgres');
  if (existing) return existing;
  for (const [command, ...args] of CREATE_COMMANDS) {
    if ((await run(command, args)).code !== 0) continue;
    const created = await findAccount('postgres');
    if (created) return created;
  }
  // The account must be in the password file, or initdb refuses; nobody nearly always is.
  const nobody = await findAccount('nobody');
  if (nobody) return nobody;
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root, and no user named "postgres" could be found or created. ' +
      'Create one, start the service as another user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** Whether the account gets into the directory; the kernel is asked, because modes alone don't tell (ACLs, mounts). */
export async function canEnter(directory: string, account: PostgresAccount | undefined): Promise<boolean> {
  if (!account) return true;
  return (await run('/bin/sh', ['-c', 'cd -- "$0"', directory], account)).code === 0;
}

/** Gives a data directory to the account, if a restore or an earlier start as another user left it to somebody else. */
export async function handOver(directory: string, account: PostgresAccount): Promise<void> {
  if ((await lstat(directory)).uid === account.uid) return;
  for (const entry of await readdir(directory, { recursive: true })) {
    await lchown(path.join(directory, entry), account.uid, account.gid);
  }
  // Last, because it is what the next start looks at, should this one be interrupted.
  await lchown(directory, account.uid, account.gid);
}
