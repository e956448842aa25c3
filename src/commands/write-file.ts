import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../errors/refusal.js';

/** Writes what comes in pieces to a file. What the operating system refuses, the operator is told. */
export async function writeFile(path: string, content: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(content), createWriteStream(path));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw new Refusal('unwritable_file', `The file ${path} cannot be written: ${(cause as Error).message}`, {
      cause,
    });
  }
}
