import { parsePastedParcels } from './pasted-parcels.js';

describe('A pasted line', () => {
  it.each([
    ['WO-1 123', 'WO-1', '123'],
    ['WO-1\t123 456, 7', 'WO-1', '123 456, 7'],
    [' ;, WO-1 ,; 123 ;, ', 'WO-1', '123'],
    ['WO-1', 'WO-1', ''],
    ['WO-1 ,', 'WO-1', ''],
    [' , ; ', '', ''],
    ['', '', ''],
  ])('%j has the order, then its tracking number', (line, order, tracking) => {
    expect(parsePastedParcels(line)).toEqual([{ order, tracking }]);
  });

  it.each(['\n', '\r\n', '\r', '\u2028', '\u2029'])('ends with %j', (end) => {
    expect(parsePastedParcels(`A 1${end}${end}B 2`)).toEqual([
      { order: 'A', tracking: '1' },
      { order: '', tracking: '' },
      { order: 'B', tracking: '2' },
    ]);
  });

  it('has at most 500 characters', () => {
    expect(parsePastedParcels(`A${' '.repeat(498)}1`)).toEqual([{ order: 'A', tracking: '1' }]);
    expect(() => parsePastedParcels(`A 1\nB${' '.repeat(499)}1`)).toThrow(
      'Line 2 is too long. Write one order and its tracking number in each line.',
    );
  });
});
