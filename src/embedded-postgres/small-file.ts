import { readFile, rename, writeFile } from 'node:fs/promises';

/** The text of a small file without the space around it, `undefined` if there is no such file. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file is there with all of its content, on the disk, or not at all, whenever the power fails. */
export async function writeAtomically(file: string, content: string, mode: number): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, content, { mode, flush: true });
  await rename(unfinished, file);
}
