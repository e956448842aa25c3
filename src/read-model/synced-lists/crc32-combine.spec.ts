import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { crc32Combine, shiftOf } from './gzip-pieces.js';

describe('crc32Combine', () => {
  it('is the checksum of the two joined pieces', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (first, second) => {
        expect(crc32Combine(crc32(first), crc32(second), shiftOf(second.length))).toBe(
          crc32(Buffer.concat([first, second])),
        );
      }),
    );
  });

  it('works for pieces of many megabytes', () => {
    const piece = Buffer.alloc(9_000_001, 'wholesale');
    expect(crc32Combine(crc32(piece), crc32(piece), shiftOf(piece.length))).toBe(
      crc32(Buffer.concat([piece, piece])),
    );
  });
});
