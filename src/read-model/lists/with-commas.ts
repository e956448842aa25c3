const COMMA = Buffer.from(',');

/** Pieces of a JSON list, as they stand in it one after the other. */
export function withCommas(pieces: readonly Buffer[]): Buffer[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece]));
}
