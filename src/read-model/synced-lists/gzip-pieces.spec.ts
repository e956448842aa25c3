import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { gzipPiece, gzipPieceSync, joinGzip } from './gzip-pieces.js';

describe('joinGzip', () => {
  it('unpacks to exactly the joined pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 12 }), (pieces) => {
        const joined = joinGzip(pieces.map((piece) => gzipPieceSync(Buffer.from(piece))));
        expect(gunzipSync(joined).equals(Buffer.concat(pieces))).toBe(true);
      }),
    );
  });

  it('packs the same bytes synchronously and asynchronously', async () => {
    const bytes = Buffer.from('wholesale '.repeat(5_000));
    expect(await gzipPiece(bytes)).toEqual(gzipPieceSync(bytes));
  });
});
