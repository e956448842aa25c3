import { rename, writeFile } from 'node:fs/promises';

/** The file is there with all of its content, on the disk, or not at all, whenever the power fails. */
export async function writeAtomically(file: string, content: string, mode: number): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, content, { mode, flush: true });
  await rename(unfinished, file);
}
