/** Bytes copied in one step. */
const COPIED_AT_ONCE = 2 ** 20;

/** Joins buffers in steps, because copying tens of megabytes at once delays other requests. */
export function* joinBytes(pieces: readonly Buffer[]): Generator<void, Buffer> {
  const whole = Buffer.allocUnsafe(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  let copied = 0;
  for (const piece of pieces) {
    at += piece.copy(whole, at);
    if (at - copied < COPIED_AT_ONCE) continue;
    copied = at;
    yield;
  }
  return whole;
}

const COMMA = Buffer.from(',');

/** Joins pieces of a JSON list. */
export function withCommas(pieces: readonly Buffer[]): Buffer[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece]));
}
