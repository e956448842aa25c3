import { readOrderCursor, writeOrderCursor } from './order-cursor.js';

const CURSOR = { clientId: 7, key: 1_795_166_999_123_457, orderNumber: 'WO-20261120-7K3M9-QXA2B' };

describe('The cursor of the order list', () => {
  it('is read as it was written, to the microsecond', () => {
    expect(readOrderCursor(writeOrderCursor(CURSOR))).toEqual(CURSOR);
  });

  it('is rejected in any other form', () => {
    const cursor = writeOrderCursor(CURSOR);
    const others = [
      '',
      'nonsense',
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      cursor.replace(/^./, 'B'),
      Buffer.from(CURSOR.orderNumber).toString('base64url'),
      writeOrderCursor({ ...CURSOR, orderNumber: 'x' }),
      writeOrderCursor({ ...CURSOR, key: 2 ** 60 }),
    ];
    for (const other of others) expect(readOrderCursor(other)).toBeUndefined();
  });
});
