/** So many bytes are copied in one go. */
const GO = 2 ** 20;

/** One piece of many, in pieces: tens of megabytes are more than one wants to copy in one go. */
export function* joinBytes(pieces: readonly Buffer[]): Generator<void, Buffer> {
  const whole = Buffer.allocUnsafe(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  let copied = 0;
  for (const piece of pieces) {
    at += piece.copy(whole, at);
    if (at - copied < GO) continue;
    copied = at;
    yield;
  }
  return whole;
}
