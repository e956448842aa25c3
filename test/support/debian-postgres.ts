import { chown } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SUPERUSER } from '../../src/server/embedded-postgres/cluster.js';
import { postgresAccount, run } from '../../src/server/embedded-postgres/programs.js';
import { makeOpenDirectory } from './make-open-directory.js';
import { startLeashed, type ThrowAwayPostgres } from './throw-away-postgres.js';

/** The directory in which Debian installs PostgreSQL versions. */
const ROOT = '/usr/lib/postgresql';

/**
 * Returns the programs of the PostgreSQL of Debian, if installed. Unlike the embedded one it has pg_dump and
 * pg_restore.
 */
export function debianPostgres(): string | undefined {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions
    .map((version) => path.join(ROOT, version, 'bin'))
    .find((bin) => existsSync(path.join(bin, 'pg_dump')));
}

/** Starts a temporary server of that PostgreSQL. */
export async function startDebianPostgres(bin: string): Promise<ThrowAwayPostgres> {
  const account = await postgresAccount();
  const directory = await makeOpenDirectory('wholesale-debian-');
  if (account) await chown(directory, account.uid, account.gid);
  const data = path.join(directory, 'postgres');
  const options = [`--username=${SUPERUSER}`, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await runOrFail(path.join(bin, 'initdb'), [`--pgdata=${data}`, ...options], { account });
  const { port, stop } = await startLeashed(account, path.join(bin, 'postgres'), directory);
  return { url: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`, stop };
}

/** Starts a copy of a running server that follows it until it is promoted. */
export async function startStandby(bin: string, primaryUrl: string): Promise<ThrowAwayPostgres> {
  const account = await postgresAccount();
  const directory = await makeOpenDirectory('wholesale-standby-');
  if (account) await chown(directory, account.uid, account.gid);
  const data = path.join(directory, 'postgres');
  const options = ['--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  await runOrFail(
    path.join(bin, 'pg_basebackup'),
    [`--dbname=${primaryUrl}`, `--pgdata=${data}`, ...options],
    { account },
  );
  const { port, stop } = await startLeashed(account, path.join(bin, 'postgres'), directory);
  return { url: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`, stop };
}

export async function runOrFail(...call: Parameters<typeof run>): Promise<void> {
  const { code, output } = await run(...call);
  if (code !== 0) throw new Error(`${call[0]} ended with ${code}: ${output}`);
}
