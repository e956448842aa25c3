import type { FieldError } from '../errors/domain-error.js';
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
