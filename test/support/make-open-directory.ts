import { chmod, mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A temporary directory that PostgreSQL's user may enter too, should root run the tests. */
export async function makeOpenDirectory(prefix: string): Promise<string> {
  const directory = await mkdtemp(path.join(await realpath(os.tmpdir()), prefix));
  await chmod(directory, 0o755);
  return directory;
}
