import { LRUCache } from 'lru-cache';
import { type EncodedBody, encodedAs } from '../../platform/http/representation.js';
import type { DatedPart } from './picked-part.js';

/** Kept apart, because the many small bodies would push out the large ones. */
const LARGE_BYTES = 64 * 2 ** 10;
const LARGE = { max: 16, maxSize: 64 * 2 ** 20 };
const SMALL = { max: 1_024, maxSize: 8 * 2 ** 20 };

type Bodies = LRUCache<string, EncodedBody>;
type Bytes = EncodedBody['bytes'];
type MadeBytes = Bytes | Promise<Bytes>;

/** Caches the last bodies by tag, so that stores with equal requests share one. */
export class RecentBodies {
  private readonly large = bodiesWithin(LARGE);
  private readonly small = bodiesWithin(SMALL);
  /** Separate from the cache, so that a body in the making does not push out a finished one. */
  private readonly making = new SharedWork<EncodedBody>();
  /** Searches in progress, by query. Only the end of a search determines the body. */
  readonly picks = new SharedWork<DatedPart>();

  find(etag: string): EncodedBody | undefined {
    return this.small.get(etag) ?? this.large.get(etag);
  }

  get(etag: string, make: () => MadeBytes): EncodedBody | Promise<EncodedBody> {
    return this.find(etag) ?? this.making.do(etag, () => this.make(etag, make));
  }

  private async make(etag: string, make: () => MadeBytes): Promise<EncodedBody> {
    const body = encodedAs(etag, await make());
    (body.length < LARGE_BYTES ? this.small : this.large).set(etag, body);
    return body;
  }
}

function bodiesWithin(limits: typeof LARGE): Bodies {
  return new LRUCache({ ...limits, sizeCalculation: ({ length }) => length });
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
