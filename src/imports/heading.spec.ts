import { readHeading } from './heading.js';

describe('the heading of a file', () => {
  it('is read in any order and case', () => {
    expect(
      readHeading([' Quantity', 'SKU', 'variation '], ['sku', 'variation', 'quantity'], []).positions,
    ).toEqual([
      ['sku', 1],
      ['variation', 2],
      ['quantity', 0],
    ]);
  });

  it('may lack optional columns, and tells of unknown ones except our own reason', () => {
    const heading = readHeading(['sku', 'colour', 'reason', ''], ['sku'], ['note']);
    expect(heading).toMatchObject({
      positions: [
        ['sku', 0],
        ['note', -1],
      ],
      unknown: ['colour'],
    });
  });

  it('is refused with the missing columns and all that are known', () => {
    expect(() => readHeading(['sku'], ['sku', 'price'], ['note'])).toThrow(
      'lacks price. It must name, in any order, sku, price, and may name note.',
    );
  });

  it('is refused when it names a column twice', () => {
    expect(() => readHeading(['sku', 'SKU'], ['sku'], [])).toThrow('twice');
  });
});
