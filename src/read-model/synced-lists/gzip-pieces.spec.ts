import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { gzipPiece, gzipPieceSync, gzipStream, joinPieces } from './gzip-pieces.js';

describe('gzipStream', () => {
  it('unpacks to exactly the joined pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 12 }), (pieces) => {
        const packed = pieces.map((piece) => gzipPieceSync(Buffer.from(piece)));
        const unpacked = (stream: Buffer[]) => gunzipSync(Buffer.concat(stream));
        const whole = Buffer.concat(pieces);
        expect(unpacked(gzipStream(packed))).toEqual(whole);
        const groups = [joinPieces(packed.slice(0, 5)), joinPieces(packed.slice(5))];
        expect(unpacked(gzipStream(groups))).toEqual(whole);
      }),
    );
  });

  it('packs the same bytes synchronously and asynchronously', async () => {
    const bytes = Buffer.from('wholesale '.repeat(5_000));
    expect(await gzipPiece(bytes)).toEqual(gzipPieceSync(bytes));
  });
});
