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
const AHEAD = 64;

/** The total time that work waits for its reader. Then it ends, because others wait for its thread. */
const PATIENCE_MS = 120_000;

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
  /** The reader is not a person's connection, so it has no time limit. */
  isPatient?: boolean;
}

interface Underway {
  pieces: Readable;
  input: AsyncIterator<unknown>;
  patience: Patience | undefined;
  /** Called once, when the thread is free again or gone. */
  over: () => void;
}

/** One worker thread. It does one task at a time, and ends if its reader leaves in the middle. */
export class Thread {
  private readonly worker = new Worker(new URL(import.meta.resolve('./in-thread.js')), {
    name: 'heavy work',
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  private underway: Underway | undefined;
  private idle: NodeJS.Timeout | undefined;
  private failure: Error | undefined;

  constructor(private readonly gone: () => void) {
    this.worker.on('message', (message: FromThread) => this.hear(message));
    this.worker.once('error', (error) => (this.failure = error));
    this.worker.once('exit', () => {
      this.gone();
      this.finish((pieces) => pieces.destroy(new ThreadDied(this.failure)));
    });
  }

  do({ module, facts, input = nothing(), signal, isPatient = false }: Work, over: () => void): Readable {
    clearTimeout(this.idle);
    // While it works, a command waits for it.
    this.worker.ref();
    const patience = isPatient ? undefined : new Patience(() => void this.end());
    const pieces: Readable = new Readable({
      objectMode: true,
      highWaterMark: AHEAD,
      signal,
      read: () => {
        patience?.stop();
        this.send({ wants: 'piece' });
      },
      destroy: (error, done) => {
        if (this.underway?.pieces === pieces) void this.end();
        done(error);
      },
    });
    // First, because facts that cannot be copied throw here.
    this.send({ job: { module, facts } });
    this.underway = { pieces, input: input[Symbol.asyncIterator](), patience, over };
    return pieces;
  }

  async end(): Promise<void> {
    clearTimeout(this.idle);
    // It takes no more work from here on.
    this.gone();
    await this.worker.terminate();
  }

  private hear(message: FromThread): void {
    const { pieces, patience } = this.underway!;
    if ('piece' in message) {
      if (!pieces.push(message.piece)) patience?.start();
    } else if ('wants' in message) void this.feed(this.underway!);
    else {
      this.worker.unref();
      this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
      this.finish(() => {
        if ('isOver' in message) pieces.push(null);
        else if ('refusal' in message)
          pieces.destroy(new DomainError(message.refusal.code, message.refusal.message, message.refusal));
        else pieces.destroy(Object.assign(new Error(), message.failure));
      });
    }
  }

  private finish(close: (pieces: Readable) => void): void {
    const { underway } = this;
    if (!underway) return;
    this.underway = undefined;
    underway.patience?.stop();
    close(underway.pieces);
    underway.over();
    // Its own errors were reported when it was read.
    void underway.input.return?.().catch(() => undefined);
  }

  private async feed({ pieces, input }: Underway): Promise<void> {
    try {
      this.send({ input: await input.next() });
    } catch (error) {
      pieces.destroy(error as Error);
    }
  }

  private send(message: ToThread): void {
    this.worker.postMessage(message, []);
  }
}

/** Counts how long a reader does not read. */
class Patience {
  private left = PATIENCE_MS;
  private since = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly isOver: () => void) {}

  start(): void {
    this.since = performance.now();
    this.timer = setTimeout(this.isOver, this.left).unref();
  }

  stop(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.left -= performance.now() - this.since;
  }
}

async function* nothing(): AsyncGenerator<never> {}
