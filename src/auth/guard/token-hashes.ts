import type { AccessBook } from '../../read-model/callers/access-book.js';

/** One for each store of a node; small next to the memory of their connections. */
const MOST_KEPT = 10_000;

/** Twice the length of a valid header, so padded headers cannot fill the memory. */
const LONGEST_KEPT = 128;

/**
 * Keeps the hash of each `Authorization` header that named a known token. Parsing and hashing costs a
 * twentieth of a stock check. Only headers of found tokens are kept, and all are dropped when any token
 * changes; each request still looks its token up. Timing leaks nothing: a header is found by a seeded hash of
 * all its characters.
 */
export class TokenHashes {
  private readonly kept = new Map<string, string>();
  private book: AccessBook | undefined;
  private changes = 0;

  /** Undefined for a new header, or after a change of tokens. */
  find(header: string, book: AccessBook | undefined): string | undefined {
    const changes = book?.tokenChanges ?? 0;
    if (book !== this.book || changes !== this.changes) {
      this.kept.clear();
      this.book = book;
      this.changes = changes;
    }
    return this.kept.get(header);
  }

  keep(header: string, hash: string): void {
    if (header.length > LONGEST_KEPT) return;
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    this.kept.set(header, hash);
  }
}
