import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Creates a temporary directory that the user of PostgreSQL can enter when root runs the tests. */
export async function makeOpenDirectory(prefix: string): Promise<string> {
  const directory = await mkdtemp(path.join(await realpath(os.tmpdir()), prefix));
  await chmod(directory, 0o755);
  return directory;
}
