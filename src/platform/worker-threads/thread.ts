import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { type FieldError, DomainError } from '../errors/domain-error.js';
import type { ErrorCode } from '../errors/error-codes.js';

export interface Job {
  /** The URL of a module whose default export is a `Task`: `import.meta.resolve('./draw.js')`. */
  module: string;
  /** Copied to the thread, as all input and results. */
  facts?: unknown;
}

/** The work in the thread. It has no database and no settings. A piece has about 64 KB. */
export type Task<Facts = unknown, Input = unknown, Piece = unknown> = (
  facts: Facts,
  input: AsyncIterable<Input>,
) => AsyncIterable<Piece>;

export type ToThread = { job: Job } | { input: IteratorResult<unknown> } | { wants: 'piece' };

export type FromThread =
  | { piece: unknown }
  | { wants: 'input' }
  | { isOver: true }
  | { refusal: Refusal }
  | { failure: { message: string; stack: string | undefined } };

/** A `DomainError` on its way between threads. */
interface Refusal {
  code: ErrorCode;
  message: string;
  facts: Record<string, unknown>;
  errors: FieldError[] | undefined;
  retryAfterSeconds: number | undefined;
}

const MEMORY_MB = 256;

/** Pieces that are made in advance, so most work ends before a slow reader has read all of it. */
const BUFFERED_PIECES = 64;

/** Without work a thread keeps its libraries this long. */
const IDLE_MS = 30_000;

/** A thread ended before its work did. */
export class ThreadDied extends Error {
  readonly isOutOfMemory: boolean;

  constructor(cause?: NodeJS.ErrnoException) {
    super(cause?.message ?? 'The thread was ended.', { cause });
    this.isOutOfMemory = cause?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  }
}

export interface Work extends Job {
  /** Read only when the thread requests more. */
  input?: AsyncIterable<unknown>;
  /** Ends the work at once, even if the thread computes. */
  signal?: AbortSignal;
}

interface CurrentWork {
  slices: Readable;
  input: AsyncIterator<unknown>;
  /** Called once, when the thread is free again or gone. */
  onDone: () => void;
}

/** One worker thread. It does one task at a time, and ends if its reader leaves in the middle. */
export class Thread {
  private readonly worker = new Worker(new URL(import.meta.resolve('./in-thread.js')), {
    name: 'worker thread',
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  private current: CurrentWork | undefined;
  private idle: NodeJS.Timeout | undefined;
  private failure: Error | undefined;

  constructor(private readonly onGone: () => void) {
    this.worker.on('message', (message: FromThread) => this.onMessage(message));
    this.worker.once('error', (error) => (this.failure = error));
    this.worker.once('exit', () => {
      this.onGone();
      this.finish((slices) => slices.destroy(new ThreadDied(this.failure)));
    });
  }

  do({ module, facts, input = noInput(), signal }: Work, onDone: () => void): Readable {
    clearTimeout(this.idle);
    // While it works, a command waits for it.
    this.worker.ref();
    const slices: Readable = new Readable({
      objectMode: true,
      highWaterMark: BUFFERED_PIECES,
      signal,
      read: () => this.send({ wants: 'piece' }),
      destroy: (error, done) => {
        if (this.current?.slices === slices) void this.end();
        done(error);
      },
    });
    // First, because facts that cannot be copied throw here.
    this.send({ job: { module, facts } });
    this.current = { slices, input: input[Symbol.asyncIterator](), onDone };
    return slices;
  }

  async end(): Promise<void> {
    clearTimeout(this.idle);
    // It takes no more work from here on.
    this.onGone();
    await this.worker.terminate();
  }

  private onMessage(message: FromThread): void {
    const { slices } = this.current!;
    if ('piece' in message) slices.push(message.piece);
    else if ('wants' in message) void this.feed(this.current!);
    else {
      this.worker.unref();
      this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
      this.finish(() => {
        if ('isOver' in message) slices.push(null);
        else if ('refusal' in message)
          slices.destroy(new DomainError(message.refusal.code, message.refusal.message, message.refusal));
        else slices.destroy(Object.assign(new Error(), message.failure));
      });
    }
  }

  private finish(close: (slices: Readable) => void): void {
    const { current } = this;
    if (!current) return;
    this.current = undefined;
    close(current.slices);
    current.onDone();
    // Its own errors were reported when it was read.
    void current.input.return?.().catch(() => undefined);
  }

  private async feed({ slices, input }: CurrentWork): Promise<void> {
    try {
      this.send({ input: await input.next() });
    } catch (error) {
      slices.destroy(error as Error);
    }
  }

  private send(message: ToThread): void {
    this.worker.postMessage(message, []);
  }
}

async function* noInput(): AsyncGenerator<never> {}
