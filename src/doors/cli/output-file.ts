import { randomUUID } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  type FileHandle,
  open,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../platform/errors/domain-error.js';

const MISSING = ['ENOENT', 'ENOTDIR'];

interface Place {
  handle: FileHandle;
  /** Where it is written until it is complete; a device or a pipe is written to directly. */
  temporary?: { path: string; target: string };
}

/** The file that a command writes. In the end all of it is there or, if anything failed, what was there before. */
export class OutputFile {
  private constructor(
    private readonly path: string,
    private readonly place: Place,
  ) {}

  /** To be opened before the work: what cannot be written is refused while nothing has happened yet. */
  static async open(path: string, input?: string): Promise<OutputFile> {
    if (input !== undefined && (await isSameFile(path, input)))
      throw new DomainError('unwritable_file', `The file ${path} is the one to be read. Name another one.`);
    return new OutputFile(path, await telling(path, openPlace(path)));
  }

  async write(content: AsyncIterable<string>): Promise<void> {
    const { handle, temporary } = this.place;
    try {
      await telling(this.path, pipeline(Readable.from(content), handle.createWriteStream()));
      if (temporary) await telling(this.path, rename(temporary.path, temporary.target));
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  async discard(): Promise<void> {
    await this.place.handle.close();
    if (this.place.temporary) await rm(this.place.temporary.path, { force: true });
  }
}

async function openPlace(path: string): Promise<Place> {
  const existing = await statOf(path);
  if (existing && !existing.isFile()) return { handle: await open(path, 'w') };
  const target = existing ? await realpath(path) : path;
  if (existing) await access(target, constants.W_OK);
  const temporary = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  const handle = await open(temporary, 'wx');
  // Who could not read the old file must not read the new one.
  if (existing) await chmod(temporary, existing.mode);
  return { handle, temporary: { path: temporary, target } };
}

async function isSameFile(path: string, other: string): Promise<boolean> {
  const [one, two] = [await statOf(path), await statOf(other)];
  return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
}

/** Nothing if there is no such file. */
async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (MISSING.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw unwritable(path, error);
  }
}

/** What the operating system refuses, the operator is told. */
async function telling<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): DomainError {
  return new DomainError(
    'unwritable_file',
    `The file ${path} cannot be written: ${(cause as Error).message}`,
    {
      cause,
    },
  );
}
