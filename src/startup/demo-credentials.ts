import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoCredentials, loadDemo } from '../demo/load-demo.js';

/** Loads the demo into an empty database, and remembers the credentials: the database keeps only their hash. */
export async function demoCredentials(url: string, dataDir: string): Promise<DemoCredentials | undefined> {
  const file = join(dataDir, 'demo-credentials.json');
  const created = await loadDemo(url, async (credentials) => {
    await writeFile(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  });
  return created ?? readCredentials(file);
}

async function readCredentials(file: string): Promise<DemoCredentials | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoCredentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
