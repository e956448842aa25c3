export interface JsonSize {
  /** How many objects and arrays stand within one another. */
  depth: number;
  /** Objects, arrays, texts, numbers: all that stands for itself, at whatever depth. */
  values: number;
  /** Of the object that has the most. */
  fields: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SPACE = 0x20;

/**
 * Tells in one pass what JSON.parse would make of these bytes. Of what is no JSON it only promises to come to an end. No byte of a
 * character beyond ASCII looks like a sign.
 */
export function measureJson(bytes: Uint8Array): JsonSize {
  const size = { depth: 0, values: 0, fields: 0 };
  /** The fields so far of every object that is open, around which there is nothing. */
  const open = [0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte <= SPACE || byte === COMMA) continue;
    if (byte === COLON) {
      // What was taken for a value was the name of one.
      size.values--;
      size.fields = Math.max(size.fields, ++open[open.length - 1]!);
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (open.length > 1) open.pop();
    } else {
      size.values++;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) size.depth = Math.max(size.depth, open.push(0) - 1);
      else at = byte === QUOTE ? endOfText(bytes, at) : endOfWord(bytes, at);
    }
  }
  return size;
}

function endOfText(bytes: Uint8Array, begin: number): number {
  let at = begin + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** A number, `true`, `false` or `null`. */
function endOfWord(bytes: Uint8Array, begin: number): number {
  let at = begin;
  while (at + 1 < bytes.length && !isSign(bytes[at + 1]!)) at++;
  return at;
}

function isSign(byte: number): boolean {
  return (
    byte <= SPACE ||
    byte === COMMA ||
    byte === COLON ||
    byte === QUOTE ||
    byte === OPEN_BRACE ||
    byte === OPEN_BRACKET ||
    byte === CLOSE_BRACE ||
    byte === CLOSE_BRACKET
  );
}
