import { DomainError } from '../../platform/errors/domain-error.js';
import type { Asker } from '../../platform/worker-threads/thread-owner.js';
import type { HeavyWork } from '../../platform/worker-threads/worker-threads.js';
import { ThreadDied } from '../../platform/worker-threads/thread.js';
import type { DrawnInThread } from './draw.js';

/** A file to draw in a thread. Its parts are read while they are drawn. */
export interface Drawing<Facts, Part> extends DrawnInThread {
  facts: Facts;
  parts: AsyncIterable<Part>;
}

/** One PDF in chunks of about 64 KB. Memory holds one part. */
export async function* drawn<Facts, Part>(
  heavy: HeavyWork,
  { account, signal, leavePlace }: Asker,
  { parts, ...facts }: Drawing<Facts, Part>,
): AsyncGenerator<Uint8Array> {
  leavePlace?.();
  try {
    const module = import.meta.resolve('./draw.js');
    yield* heavy.run<Uint8Array>(account, { module, facts, input: parts, signal });
  } catch (error) {
    throw error instanceof ThreadDied ? undrawn(error) : error;
  }
}

function undrawn(cause: ThreadDied): DomainError {
  return cause.isOutOfMemory
    ? new DomainError('file_too_large', 'This file is too large for a PDF.', { cause })
    : new DomainError('unavailable', 'The file was not finished. Try again.', {
        cause,
        reason: 'The file was not finished',
        retryAfterSeconds: 2,
      });
}
