import { LRUCache } from 'lru-cache';
import { type Encoded, encodedAs } from '../../platform/http/representation.js';
import type { DatedPart } from './picked-part.js';
import { SharedWork } from './shared-work.js';

const MOST_BODIES = 16;
const MOST_BYTES = 64 * 2 ** 20;

/** What is smaller would only push out the large ones. */
const LARGE_BYTES = 64 * 2 ** 10;

const MOST_PARTS = 2_000;
const MOST_BYTES_OF_PARTS = 32 * 2 ** 20;

/** A small part of a list, and what it costs whoever asks for it: the same, whether somebody else has asked before or not. */
interface KeptPart {
  encoded: Encoded;
  made: number;
}

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
  /** Pages, above all. A store that reads a list page by page has each of them read by its next neighbour. */
  private readonly parts = new LRUCache<string, KeptPart>({
    max: MOST_PARTS,
    maxSize: MOST_BYTES_OF_PARTS,
    sizeCalculation: ({ encoded }) => encoded.length,
  });
  /** Beside the cache, whose `fetch` would give each body in the making one of its few places. */
  private readonly making = new SharedWork<Encoded>();
  /** What is being picked for a body, by what was asked for: only in the end it is known which body that is. */
  readonly picks = new SharedWork<DatedPart>();

  find(etag: string): Encoded | undefined {
    return this.kept.get(etag);
  }

  findPart(etag: string): KeptPart | undefined {
    return this.parts.get(etag);
  }

  /** The large ones are kept already, and then cost nothing but their sending. */
  keepPart(encoded: Encoded, made: number): void {
    if (!isLarge(encoded)) this.parts.set(encoded.etag, { encoded, made });
  }

  get(etag: string, make: () => Buffer | Promise<Buffer>): Encoded | Promise<Encoded> {
    return this.find(etag) ?? this.making.do(etag, () => this.make(etag, make));
  }

  private async make(etag: string, make: () => Buffer | Promise<Buffer>): Promise<Encoded> {
    const encoded = encodedAs(etag, await make());
    if (isLarge(encoded)) this.kept.set(etag, encoded);
    return encoded;
  }
}

function isLarge({ length }: Encoded): boolean {
  return length >= LARGE_BYTES;
}
