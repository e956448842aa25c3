import { readFile } from 'node:fs/promises';

/** The text of a small file without the space around it, `undefined` if there is no such file. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
