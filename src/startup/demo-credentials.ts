import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadDemo } from '../demo/load-demo.js';

export interface DemoCredentials {
  token: string;
  domain: string;
}

/** Loads the demo into a database without any client, and remembers the credentials: the database keeps only their hash. */
export async function demoCredentials(url: string, dataDir: string): Promise<DemoCredentials | undefined> {
  const file = join(dataDir, 'demo-credentials.json');
  const created = await loadDemo(url);
  if (created) {
    await writeFile(`${file}.new`, `${JSON.stringify(created, null, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
    return created;
  }
  return readCredentials(file);
}

async function readCredentials(file: string): Promise<DemoCredentials | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoCredentials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
