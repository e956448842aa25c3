import { readFile, rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DemoCredentials, DemoLoad } from '../../demo/demo-load.service.js';

export interface KeptCredentials extends DemoCredentials {
  /** The file that keeps them, readable for its owner only. */
  file: string;
}

/**
 * Loads the demo into an empty database and keeps its credentials in a file: the database has only their
 * hashes.
 */
export async function demoCredentials(demo: DemoLoad, dataDir: string): Promise<KeptCredentials | undefined> {
  const file = resolve(dataDir, 'demo-credentials.json');
  await demo.load((credentials) => keep(file, credentials));
  const credentials = (await demo.isOpen()) ? await readKept(file) : undefined;
  return credentials && { ...credentials, file };
}

/** Atomic, even if the process is killed meanwhile. */
async function keep(file: string, credentials: DemoCredentials): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function readKept(file: string): Promise<DemoCredentials | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoCredentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
