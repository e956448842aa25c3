import type { AccessBook } from '../../read-model/access/access-book.js';

/** One for each store that a node serves, and far less memory than their connections take. */
const MOST_KEPT = 10_000;

/** Twice what a header takes that is written as it should be: blanks, of which there may be any number, fill no memory. */
const LONGEST_KEPT = 128;

/**
 * The hashes of tokens by the `Authorization` headers that named them. Stores send the same header with every request, and to read and hash it again is a
 * twentieth of a stock check. Only headers of tokens that were found are kept, so that nobody fills the memory with invented ones; whether a token is
 * still good is looked up by its hash each time, and when any token changes all headers are forgotten. How long a look-up takes tells nothing of
 * what is kept: a header is found by a hash of all of it, seeded anew in each process, and only one that is right to the last sign is ever
 * compared.
 */
export class TokenHashes {
  private readonly kept = new Map<string, string>();
  private book: AccessBook | undefined;
  private changes = 0;

  /** Undefined for a header that was not seen, or not since tokens changed. */
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
