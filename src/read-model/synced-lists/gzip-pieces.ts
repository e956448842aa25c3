import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';

/** A compressed piece that can follow any other in one gzip stream. */
export interface GzipPiece {
  deflated: Buffer;
  crc: number;
  /** The factor that appending this piece applies to the checksum. */
  shift: number;
  length: number;
}

/** A full flush ends the piece at a byte boundary and clears the dictionary, so pieces are independent. */
const OPTIONS = { finishFlush: constants.Z_FULL_FLUSH };

/** Deflate, no name, no time: the same content gives the same bytes (RFC 1952, 2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** An empty last block, because the pieces have none. */
const LAST_BLOCK = Buffer.from([3, 0]);

const deflateAsync = promisify(deflateRaw);

export function gzipPieceSync(bytes: Buffer): GzipPiece {
  return describe(bytes, deflateRawSync(bytes, OPTIONS));
}

export async function gzipPiece(bytes: Buffer): Promise<GzipPiece> {
  return describe(bytes, await deflateAsync(bytes, OPTIONS));
}

function describe(bytes: Buffer, deflated: Buffer): GzipPiece {
  return { deflated, crc: crc32(bytes), shift: shiftOf(bytes.length), length: bytes.length };
}

/** Joins pieces without compressing them again. */
export function joinPieces(pieces: readonly GzipPiece[]): GzipPiece {
  const length = lengthOf(pieces);
  const deflated = Buffer.concat(pieces.map((piece) => piece.deflated));
  return { deflated, crc: checksumOf(pieces), shift: shiftOf(length), length };
}

/** One gzip stream of pieces. They are not copied. */
export function gzipStream(pieces: readonly GzipPiece[]): Buffer[] {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksumOf(pieces), 0);
  trailer.writeUInt32LE(lengthOf(pieces) % 0x1_0000_0000, 4);
  return [HEADER, ...pieces.map(({ deflated }) => deflated), LAST_BLOCK, trailer];
}

function lengthOf(pieces: readonly GzipPiece[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0);
}

function checksumOf(pieces: readonly GzipPiece[]): number {
  return pieces.reduce((crc, piece) => crc32Combine(crc, piece.crc, piece.shift), 0);
}

/** The reversed polynomial of CRC-32, as gzip uses it (RFC 1952, 8). */
const POLYNOMIAL = 0xedb88320;

/** x to the power of 2^n modulo the polynomial. */
const POWERS = powersOfTwo();

/**
 * Combines the checksums of two pieces without reading them again. Appending n bytes multiplies the first
 * checksum by x^8n. The method is zlib's crc32_combine.
 */
export function crc32Combine(first: number, second: number, secondShift: number): number {
  return (multiply(secondShift, first) ^ second) >>> 0;
}

/** The factor for appending this number of bytes. */
export function shiftOf(count: number): number {
  let power = 0x8000_0000;
  for (let rest = count, exponent = 3; rest > 0; rest = Math.floor(rest / 2), exponent++) {
    if (rest % 2 === 1) power = multiply(POWERS[exponent % 32]!, power);
  }
  return power;
}

/** The product of two polynomials modulo CRC-32's; the highest bit is the lowest power. */
function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 0x8000_0000; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return product >>> 0;
}

function powersOfTwo(): number[] {
  const powers = [0x4000_0000];
  while (powers.length < 32) powers.push(multiply(powers.at(-1)!, powers.at(-1)!));
  return powers;
}
