import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unavailable } from '../errors/domain-error.js';

type Piece = string | Uint8Array;

/** The bytes of one file that may wait in memory. More bytes go to the disk. */
const MAX_MEMORY_BYTES = 1024 ** 2;

/** The limit of all spools of this process together. */
const MAX_DISK_BYTES = 2 * 1024 ** 3;

const READ_BYTES = 64 * 1024;

const OWNER_ONLY = 0o600;

export interface SpoolOptions {
  /** Called for each piece that was made, with its bytes. The next piece waits for it. */
  onPiece?: (bytes: number) => void | Promise<void>;
  /** Called once, when the last piece is made or the work failed. */
  onMade?: () => void;
}

/**
 * Makes a file at its own speed, however slow its reader. Pieces that the reader does not take yet wait in
 * memory, then in a temporary file, so a stalled reader holds no connection, no transaction and no thread. A
 * reader that leaves ends the work.
 */
export function spooled(
  pieces: AsyncIterable<Piece>,
  options: SpoolOptions = {},
): AsyncGenerator<Uint8Array> {
  return new Spool(pieces, options).read();
}

/** The sum of all spools of this process. */
let bytesOnDisk = 0;

class Spool {
  private readonly inMemory: Uint8Array[] = [];
  private memoryBytes = 0;
  private file: FileHandle | undefined;
  private fileBytes = 0;
  private readAt = 0;
  private writtenAt = 0;
  private isMade = false;
  private isAbandoned = false;
  private failure: { error: unknown } | undefined;
  private wakeReader: (() => void) | undefined;

  constructor(
    private readonly pieces: AsyncIterable<Piece>,
    private readonly options: SpoolOptions,
  ) {}

  async *read(): AsyncGenerator<Uint8Array> {
    const made = this.make();
    try {
      for (;;) {
        const piece = this.inMemory.shift();
        if (piece) {
          this.memoryBytes -= piece.length;
          yield piece;
        } else if (this.readAt < this.writtenAt) yield await this.readFromDisk(this.file!);
        else if (this.isMade) break;
        else await new Promise<void>((wake) => (this.wakeReader = wake));
      }
      if (this.failure) throw this.failure.error;
    } finally {
      this.isAbandoned = true;
      await made;
      await this.file?.close();
      bytesOnDisk -= this.fileBytes;
    }
  }

  /** Never rejects: the reader gets the error after the pieces before it. */
  private async make(): Promise<void> {
    try {
      for await (const piece of this.pieces) {
        if (this.isAbandoned) break;
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
        await this.keep(bytes);
        await this.options.onPiece?.(bytes.length);
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.isMade = true;
      this.options.onMade?.();
      this.wakeReader?.();
    }
  }

  private async keep(bytes: Uint8Array): Promise<void> {
    const isDiskRead = this.readAt === this.writtenAt;
    if (isDiskRead && this.memoryBytes < MAX_MEMORY_BYTES) {
      this.inMemory.push(bytes);
      this.memoryBytes += bytes.length;
    } else {
      if (isDiskRead) this.readAt = this.writtenAt = 0;
      await this.writeToDisk(bytes);
    }
    this.wakeReader?.();
  }

  private async writeToDisk(bytes: Uint8Array): Promise<void> {
    const grown = Math.max(0, this.writtenAt + bytes.length - this.fileBytes);
    if (bytesOnDisk + grown > MAX_DISK_BYTES)
      throw unavailable(undefined, 'Too many unread files wait on the disk');
    bytesOnDisk += grown;
    this.fileBytes += grown;
    this.file ??= await openNameless();
    for (let at = 0; at < bytes.length;)
      at += (await this.file.write(bytes, at, bytes.length - at, this.writtenAt + at)).bytesWritten;
    this.writtenAt += bytes.length;
  }

  private async readFromDisk(file: FileHandle): Promise<Buffer> {
    const length = Math.min(READ_BYTES, this.writtenAt - this.readAt);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, this.readAt);
    this.readAt += bytesRead;
    return buffer.subarray(0, bytesRead);
  }
}

/** The system removes it with the process, even one that was killed. */
export async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `wholesale-download-${randomUUID()}`);
  const file = await open(path, 'wx+', OWNER_ONLY);
  await rm(path);
  return file;
}
