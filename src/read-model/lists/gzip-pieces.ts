import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import { crc32Combine, shiftOf } from './crc32-combine.js';

/** A compressed piece that can stand behind any other in one gzip stream. */
export interface GzipPiece {
  deflated: Buffer;
  crc: number;
  /** What appending it does to the checksum of what came before. */
  shift: number;
  length: number;
}

/** A full flush ends the piece at a byte and forgets what came before, so that no piece needs another. */
const OPTIONS = { finishFlush: constants.Z_FULL_FLUSH };

/** Deflate, no name, no time, so that the same content is the same bytes at any time; unknown system (RFC 1952, 2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/** An empty last block: the pieces themselves have none. */
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

/** One gzip stream of the pieces in a row, without compressing or reading any of them again. */
export function joinGzip(pieces: readonly GzipPiece[]): Buffer {
  let crc = 0;
  let length = 0;
  for (const piece of pieces) {
    crc = crc32Combine(crc, piece.crc, piece.shift);
    length += piece.length;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length % 0x1_0000_0000, 4);
  return Buffer.concat([HEADER, ...pieces.map(({ deflated }) => deflated), LAST_BLOCK, trailer]);
}
