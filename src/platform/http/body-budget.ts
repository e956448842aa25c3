/** Hundreds of bodies of the largest kind, and no more memory than any node has to spare. */
const MOST_BYTES = 16 * 1_024 * 1_024;

/** What a piece takes besides its bytes, be it a single one. */
const PIECE_BYTES = 512;

/**
 * What a node holds of bodies that are not complete yet. For those who bring no token: each body is small, but a stranger can begin any number of
 * them.
 */
export class BodyBudget {
  private left = MOST_BYTES;

  /** Says how much was taken for a piece, which is nothing at all if there is no room for it. */
  take(piece: Buffer): number {
    const bytes = piece.length + PIECE_BYTES;
    if (bytes > this.left) return 0;
    this.left -= bytes;
    return bytes;
  }

  giveBack(bytes: number): void {
    this.left += bytes;
  }
}
