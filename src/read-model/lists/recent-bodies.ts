import type { Encoded } from '../../platform/http/representation.js';

const MOST_BODIES = 16;
const MOST_BYTES = 64 * 2 ** 20;

/** Smaller ones are made about as quickly as they are sent, and would only push out the large ones. */
const WORTH_KEEPING_BYTES = 64 * 2 ** 10;

/**
 * The last few large bodies by their tags, so that stores which ask for the same at the same moment, or soon after one another, have
 * it made once.
 */
export class RecentBodies {
  private readonly kept = new Map<string, Encoded & { bytes: Buffer }>();
  private readonly making = new Map<string, Promise<Encoded>>();
  private keptBytes = 0;

  get(etag: string, make: () => Buffer | Promise<Buffer>): Encoded | Promise<Encoded> {
    const known = this.kept.get(etag);
    if (known) {
      // A map is in the order in which its keys came: the first is the one that was not asked for the longest.
      this.kept.delete(etag);
      this.kept.set(etag, known);
      return known;
    }
    let making = this.making.get(etag);
    if (!making) {
      making = this.make(etag, make).finally(() => this.making.delete(etag));
      this.making.set(etag, making);
    }
    return making;
  }

  private async make(etag: string, make: () => Buffer | Promise<Buffer>): Promise<Encoded> {
    const encoded = { etag, bytes: await make() };
    this.keep(encoded);
    return encoded;
  }

  private keep(encoded: Encoded & { bytes: Buffer }): void {
    const { length } = encoded.bytes;
    if (length < WORTH_KEEPING_BYTES || length > MOST_BYTES) return;
    this.kept.set(encoded.etag, encoded);
    this.keptBytes += length;
    for (const [etag, { bytes }] of this.kept) {
      if (this.kept.size <= MOST_BODIES && this.keptBytes <= MOST_BYTES) break;
      this.kept.delete(etag);
      this.keptBytes -= bytes.length;
    }
  }
}
