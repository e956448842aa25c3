import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, constants, type FileHandle, lstat, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { isatty } from 'node:tty';
import { DomainError } from '../platform/errors/domain-error.js';
import { spooled } from '../platform/files/spool.js';

const MISSING = ['ENOENT', 'ENOTDIR'];

/** Files contain customers' addresses: only the owner may read them, even if the old file was open. */
const OWNER_ONLY = 0o600;

/** Never follows a link: another user may have put it into a shared directory. */
const WRITE_FLAGS = constants.O_WRONLY | constants.O_NOFOLLOW;

type Content = AsyncIterable<string | Uint8Array>;

interface OpenedFile {
  handle: FileHandle;
  /** The temporary file until the content is complete. A device or a pipe has none. */
  temporary?: string;
}

/** The output file of a command: complete, or unchanged if anything failed. */
export class OutputFile {
  private constructor(
    private readonly path: string,
    private readonly target: OpenedFile,
  ) {}

  /** Opens the file. Call it before the work, so that an unwritable file is refused first. */
  static async open(path: string, input?: string): Promise<OutputFile> {
    if (input !== undefined && (await isSameFile(path, input)))
      throw refused(`The file ${path} is the input file. Name another one.`);
    return new OutputFile(path, await withWriteErrors(path, openTarget(path)));
  }

  write(content: Content): Promise<void> {
    return writeTogether([[this, content]]);
  }

  async fill(content: Content): Promise<void> {
    const { handle, temporary } = this.target;
    // The reader of a pipe may stall, and must not keep a transaction open.
    const chunks = temporary === undefined ? spooled(content) : content;
    await withWriteErrors(this.path, pipeline(Readable.from(chunks), handle.createWriteStream()));
  }

  async complete(): Promise<void> {
    const { temporary } = this.target;
    if (temporary !== undefined) await withWriteErrors(this.path, rename(temporary, this.path));
  }

  async discard(): Promise<void> {
    await this.target.handle.close();
    if (this.target.temporary !== undefined) await rm(this.target.temporary, { force: true });
  }
}

/** Replaces the files when the contents of all are complete. */
export async function writeTogether(files: readonly (readonly [OutputFile, Content])[]): Promise<void> {
  try {
    for (const [file, content] of files) await file.fill(content);
    for (const [file] of files) await file.complete();
  } catch (error) {
    await Promise.all(files.map(([file]) => file.discard()));
    throw error;
  }
}

/** The files of a ZIP, in a folder. */
export class Folder {
  private files: (readonly [name: string, content: Uint8Array])[] = [];

  private constructor(private readonly path: string) {}

  static async open(path: string): Promise<Folder> {
    await mkdir(path, { recursive: true }).catch((cause: Error) => {
      throw refused(`The folder ${path} cannot be created: ${cause.message}`, cause);
    });
    return new Folder(path);
  }

  async fill(content: AsyncIterable<Uint8Array>): Promise<void> {
    const { unzipSync } = await import('fflate');
    this.files = Object.entries(unzipSync(await buffer(Readable.from(content))));
  }

  async complete(): Promise<void> {
    const files = this.files.map(async ([name, content]) => {
      return [await OutputFile.open(join(this.path, basename(name))), Readable.from([content])] as const;
    });
    await writeTogether(await Promise.all(files));
  }

  discard(): Promise<void> {
    return Promise.resolve();
  }
}

async function openTarget(path: string): Promise<OpenedFile> {
  const existing = await ignoreMissing(path, lstat(path));
  if (existing?.isSymbolicLink()) throw refused(`The file ${path} is a link. Name its target.`);
  if (existing && !existing.isFile()) return { handle: await openDirectly(path) };
  if (existing) await access(path, constants.W_OK);
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`;
  const handle = await open(temporary, WRITE_FLAGS | constants.O_CREAT | constants.O_EXCL, OWNER_ONLY);
  return { handle, temporary };
}

/** Refuses a terminal, which only `writeText` may use, and another user's pipe, which may leak the data. */
async function openDirectly(path: string): Promise<FileHandle> {
  const handle = await open(path, WRITE_FLAGS);
  const fault = isatty(handle.fd) ? 'a terminal' : pipeFault(await handle.stat());
  if (fault === undefined) return handle;
  await handle.close();
  throw refused(`The file ${path} is ${fault}.`);
}

function pipeFault(opened: Stats): string | undefined {
  return opened.isFIFO() && opened.uid !== process.getuid?.()
    ? 'a pipe that belongs to another user'
    : undefined;
}

async function isSameFile(path: string, other: string): Promise<boolean> {
  const [one, two] = [await ignoreMissing(path, stat(path)), await ignoreMissing(other, stat(other))];
  return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
}

async function ignoreMissing(path: string, look: Promise<Stats>): Promise<Stats | undefined> {
  try {
    return await look;
  } catch (error) {
    if (MISSING.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw unwritable(path, error);
  }
}

/** Turns an error of the system into a message for the operator. */
async function withWriteErrors<Result>(path: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): DomainError {
  return refused(`The file ${path} cannot be written: ${(cause as Error).message}`, cause);
}

function refused(message: string, cause?: unknown): DomainError {
  return new DomainError('unwritable_file', message, { cause });
}
