import { DomainError } from '../../platform/errors/domain-error.js';
import type { ThreadOwner } from '../../platform/worker-threads/thread-owner.js';
import type { WorkerThreads } from '../../platform/worker-threads/worker-threads.js';
import { ThreadDied } from '../../platform/worker-threads/thread.js';
import type { PdfJobData } from './draw.js';

/** A file to draw in a thread. Its parts are read while they are drawn. */
export interface PdfJob<Facts, Part> extends PdfJobData {
  facts: Facts;
  parts: AsyncIterable<Part>;
}

/** One PDF in chunks of about 64 KB. Memory holds one part. */
export async function* streamPdf<Facts, Part>(
  workers: WorkerThreads,
  { account, signal, releaseSlot }: ThreadOwner,
  { parts, ...facts }: PdfJob<Facts, Part>,
): AsyncGenerator<Uint8Array> {
  releaseSlot?.();
  try {
    const module = import.meta.resolve('./draw.js');
    yield* workers.run<Uint8Array>(account, { module, facts, input: parts, signal });
  } catch (error) {
    throw error instanceof ThreadDied ? pdfJobError(error) : error;
  }
}

function pdfJobError(cause: ThreadDied): DomainError {
  return cause.isOutOfMemory
    ? new DomainError('file_too_large', 'This file is too large for a PDF.', { cause })
    : new DomainError('unavailable', 'The file was not finished. Try again.', {
        cause,
        reason: 'The file was not finished',
        retryAfterSeconds: 2,
      });
}
