import * as fc from 'fast-check';
import { readCursor, writeCursor } from './page-cursor.js';

describe('A page cursor', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (id) => {
        expect(readCursor(writeCursor(id))).toBe(id);
      }),
    );
  });

  it.each(['', '1', 'AAAAAAAAAAA', 'x'.repeat(11), `${writeCursor(5)}A`])('is never %j', (text) => {
    expect(readCursor(text)).toBeUndefined();
  });
});
