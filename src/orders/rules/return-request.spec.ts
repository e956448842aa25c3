import { lineQuantitiesText, readLineQuantities, receivedUnits } from './order-units.js';
import { readReturn } from './return-request.js';

const LINES = [
  { line: 2, quantity: 1 },
  { line: 1, quantity: 3 },
];

describe('readReturn', () => {
  it('sorts the lines and trims the words', () => {
    expect(readReturn({ lines: LINES, reason: ' r ', note: ' two\nlines ', key: ' k ' })).toEqual({
      lines: [LINES[1], LINES[0]],
      reason: 'r',
      note: 'two\nlines',
      key: 'k',
    });
  });

  it('gives the same words the same key, and other words another one', () => {
    const key = (more: object) => readReturn({ lines: LINES, reason: 'r', ...more }).key;
    expect(key({ lines: LINES.toReversed(), note: ' ' })).toBe(key({}));
    expect(
      new Set([key({}), key({ reason: 's' }), key({ note: 'n' }), key({ lines: [LINES[0]] })]).size,
    ).toBe(4);
  });

  it.each([
    [{ lines: [] }, 'Name at least one unit that comes back.'],
    [{ reason: ' ' }, 'The reason must not be empty.'],
    [{ reason: 'x'.repeat(201) }, 'The reason must have at most 200 characters.'],
    [{ note: 'x'.repeat(501) }, 'The note must have at most 500 characters.'],
    [{ key: 'x'.repeat(101) }, 'The key must have at most 100 characters.'],
  ])('refuses %j', (wrong, message) => {
    expect(() => readReturn({ lines: LINES, reason: 'r', ...wrong })).toThrow(message);
  });
});

const ASKED = [
  { line: 1, quantity: 3 },
  { line: 4, quantity: 1 },
];

describe('receivedUnits', () => {
  it('takes everything as received, and restocks only what is named', () => {
    expect(receivedUnits(ASKED, { restock: [{ line: 1, quantity: 2 }] })).toEqual([
      { line: 1, received: 3, restocked: 2 },
      { line: 4, received: 1, restocked: 0 },
    ]);
  });

  it('takes the named units as received, and none of the others', () => {
    expect(receivedUnits(ASKED, { lines: [{ line: 4, quantity: 1 }], restock: [] })).toEqual([
      { line: 1, received: 0, restocked: 0 },
      { line: 4, received: 1, restocked: 0 },
    ]);
  });

  it.each([
    [{ lines: [], restock: [] }, 'Name the units that came. If none came, refuse the return.'],
    [{ lines: [{ line: 2, quantity: 1 }], restock: [] }, 'The return has no line 2.'],
    [{ restock: [{ line: 2, quantity: 1 }] }, 'The return has no line 2.'],
    [{ restock: [{ line: 4, quantity: 2 }] }, 'Only 1 unit of line 4 can come back with this return.'],
    [
      { lines: [{ line: 1, quantity: 1 }], restock: [{ line: 4, quantity: 1 }] },
      'No unit of line 4 came, so 1 cannot be restocked.',
    ],
  ])('refuses %j', (receipt, message) => {
    expect(() => receivedUnits(ASKED, receipt)).toThrow(message);
  });
});

describe('lineQuantitiesText', () => {
  it('is what is read', () => {
    expect(lineQuantitiesText(ASKED)).toBe('1=3 4=1');
    expect(readLineQuantities([lineQuantitiesText(ASKED)])).toEqual(ASKED);
  });
});
