import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { canEnter, postgresAccount } from '../../src/embedded-postgres/postgres-account.js';

/** A temporary directory that PostgreSQL's user may enter too, should root run the tests. */
export async function makeOpenDirectory(prefix: string): Promise<string> {
  const account = await postgresAccount();
  const preferred = await realpath(os.tmpdir());
  const place = (await canEnter(preferred, account)) ? preferred : '/var/tmp';
  const directory = await mkdtemp(path.join(place, prefix));
  await chmod(directory, 0o755);
  return directory;
}
