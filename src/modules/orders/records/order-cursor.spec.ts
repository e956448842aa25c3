import { readOrderCursor, writeOrderCursor } from './order-cursor.js';

const PLACE = { clientId: 7, key: 1_795_166_999_123_457, orderNumber: 'WO-20261120-7K3M9-QXA2B' };

describe('The cursor of the order list', () => {
  it('is read as it was written, to the microsecond', () => {
    expect(readOrderCursor(writeOrderCursor(PLACE))).toEqual(PLACE);
  });

  it('is rejected in any other form', () => {
    const cursor = writeOrderCursor(PLACE);
    const others = [
      '',
      'nonsense',
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      cursor.replace(/^./, 'B'),
      Buffer.from(PLACE.orderNumber).toString('base64url'),
      writeOrderCursor({ ...PLACE, orderNumber: 'x' }),
      writeOrderCursor({ ...PLACE, key: 2 ** 60 }),
    ];
    for (const other of others) expect(readOrderCursor(other)).toBeUndefined();
  });
});
