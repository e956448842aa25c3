import { LRUCache } from 'lru-cache';
import { type Encoded, encodedAs } from '../../platform/http/representation.js';
import type { DatedPart } from './picked-part.js';
import { SharedWork } from './shared-work.js';

const MOST_BODIES = 16;
const MOST_BYTES = 64 * 2 ** 20;

/** Smaller ones are made about as quickly as they are sent, and would only push out the large ones. */
const WORTH_KEEPING_BYTES = 64 * 2 ** 10;

/**
 * The last few large bodies by their tags, so that stores which ask for the same at the same moment, or soon after one another, have
 * it made once.
 */
export class RecentBodies {
  private readonly kept = new LRUCache<string, Encoded>({
    max: MOST_BODIES,
    maxSize: MOST_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  /** Beside the cache, whose `fetch` would give each body in the making one of its few places. */
  private readonly making = new SharedWork<Encoded>();
  /** What is being picked for a body, by what was asked for: only in the end it is known which body that is. */
  readonly picks = new SharedWork<DatedPart>();

  find(etag: string): Encoded | undefined {
    return this.kept.get(etag);
  }

  get(etag: string, make: () => Buffer | Promise<Buffer>): Encoded | Promise<Encoded> {
    return this.find(etag) ?? this.making.do(etag, () => this.make(etag, make));
  }

  private async make(etag: string, make: () => Buffer | Promise<Buffer>): Promise<Encoded> {
    const encoded = encodedAs(etag, await make());
    if (encoded.length >= WORTH_KEEPING_BYTES) this.kept.set(etag, encoded);
    return encoded;
  }
}
