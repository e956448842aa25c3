import { LRUCache } from 'lru-cache';
import { type EncodedBody, encodedAs } from '../../platform/http/representation.js';
import type { DatedPart } from './picked-part.js';

const MAX_BODIES = 16;
const MAX_BYTES = 64 * 2 ** 20;

/** Smaller bodies would push large ones out of the cache. */
const LARGE_BYTES = 64 * 2 ** 10;

/** Caches the last large bodies by tag, so that stores with equal requests share one. */
export class RecentBodies {
  private readonly kept = new LRUCache<string, EncodedBody>({
    max: MAX_BODIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  /** Separate from the cache, so that a body in the making does not push out a finished one. */
  private readonly making = new SharedWork<EncodedBody>();
  /** Searches in progress, by query. Only the end of a search determines the body. */
  readonly picks = new SharedWork<DatedPart>();

  find(etag: string): EncodedBody | undefined {
    return this.kept.get(etag);
  }

  get(etag: string, make: () => Buffer | Promise<Buffer>): EncodedBody | Promise<EncodedBody> {
    return this.find(etag) ?? this.making.do(etag, () => this.make(etag, make));
  }

  private async make(etag: string, make: () => Buffer | Promise<Buffer>): Promise<EncodedBody> {
    const encoded = encodedAs(etag, await make());
    if (encoded.length >= LARGE_BYTES) this.kept.set(etag, encoded);
    return encoded;
  }
}

/** Shares one run of a task among parallel requests. */
export class SharedWork<Result> {
  private readonly underway = new Map<string, Promise<Result>>();

  do(key: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.underway.get(key);
    if (running) return running;
    const result = work().finally(() => this.underway.delete(key));
    this.underway.set(key, result);
    return result;
  }
}
