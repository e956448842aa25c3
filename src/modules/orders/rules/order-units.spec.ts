import {
  allUnits,
  cancelledUnits,
  checkUnits,
  checkWrittenOff,
  hasUnitsLeft,
  type LineUnits,
  parseLineQuantities,
  refundOfUnits,
  sumOfLine,
  type UnitAction,
} from './order-units.js';

const line = (number: number, quantity: number, done: Partial<LineUnits> = {}): LineUnits => ({
  line: number,
  quantity,
  shipped: 0,
  cancelled: 0,
  refunded: 0,
  returned: 0,
  ...done,
});
const USED = line(1, 20, { shipped: 7, cancelled: 3, refunded: 4, returned: 2 });

describe('units of a line', () => {
  it('are added up over parcels', () => {
    const parcels = [
      [1, 2],
      [2, 4],
      [1, 3],
    ].map(([number, quantity]) => ({
      lines: [{ line: number!, quantity: quantity! }],
    }));
    expect(sumOfLine(parcels, 1, 'quantity')).toBe(5);
    expect(sumOfLine(parcels, 3, 'quantity')).toBe(0);
  });

  it('are cancelled one by one, or with their order if they have not left', () => {
    expect(cancelledUnits(USED, 'pending')).toBe(3);
    expect(cancelledUnits(USED, 'delivered')).toBe(3);
    expect(cancelledUnits(USED, 'cancelled')).toBe(13);
  });

  it.each<[UnitAction, number]>([
    ['shipped', 10],
    ['cancelled', 10],
    ['refunded', 16],
    ['returned', 5],
  ])('can be %s as long as there are some', (action, possible) => {
    expect(allUnits([USED, line(2, 1, { shipped: 1, refunded: 1, returned: 1 })], action)).toEqual([
      { line: 1, quantity: possible },
    ]);
    expect(() => checkUnits([USED], [{ line: 1, quantity: possible }], action)).not.toThrow();
    expect(() => checkUnits([USED], [{ line: 1, quantity: possible + 1 }], action)).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message:
          `Only ${possible} units of line 1 can be ${action}: ` +
          '20 ordered, 7 shipped, 3 cancelled, 2 returned, 4 refunded.',
      }),
    );
  });

  it('are refused by their number', () => {
    const lines = [line(1, 2, { shipped: 1 }), line(2, 3, { cancelled: 3 })];
    expect(() => checkUnits(lines, [{ line: 1, quantity: 2 }], 'shipped')).toThrow(
      'Only 1 unit of line 1 can be shipped: 2 ordered, 1 shipped.',
    );
    expect(() => checkUnits(lines, [{ line: 2, quantity: 1 }], 'cancelled')).toThrow(
      'No unit of line 2 can be cancelled: 3 ordered, 3 cancelled.',
    );
    expect(() => checkUnits([line(1, 2)], [{ line: 1, quantity: 1 }], 'returned')).toThrow(
      /^No unit of line 1 can be returned: 2 ordered, 0 shipped\.$/,
    );
  });

  it('belong to a line of the order', () => {
    expect(() => checkUnits([line(1, 2), line(2, 1)], [{ line: 3, quantity: 1 }], 'shipped')).toThrow(
      expect.objectContaining({
        code: 'invalid_value',
        message: 'The order has no line 3. Its last line is 2.',
        facts: { line: 3 },
      }),
    );
  });

  it('are named once for each line', () => {
    const requested = [1, 2, 1].map((number) => ({ line: number, quantity: 1 }));
    expect(() => checkUnits([line(1, 2), line(2, 1)], requested, 'shipped')).toThrow(
      expect.objectContaining({
        code: 'invalid_value',
        message: 'Line 1 is named twice.',
        facts: { line: 1 },
      }),
    );
  });

  it('are left, unless all of them leave', () => {
    const lines = [line(1, 5, { shipped: 1, cancelled: 1 }), line(2, 1)];
    expect(hasUnitsLeft(lines, [{ line: 1, quantity: 3 }])).toBe(true);
    expect(
      hasUnitsLeft(lines, [
        { line: 1, quantity: 3 },
        { line: 2, quantity: 1 },
      ]),
    ).toBe(false);
  });
});

describe('units that are written off', () => {
  const cancelled = [
    { line: 1, quantity: 1 },
    { line: 2, quantity: 2 },
  ];

  it('are cancelled ones: none, some or all', () => {
    for (const writtenOff of [[], [{ line: 2, quantity: 1 }], cancelled])
      expect(() => checkWrittenOff(cancelled, writtenOff)).not.toThrow();
  });

  it.each([
    [1, 2, 'Only 1 unit of line 1'],
    [2, 3, 'Only 2 units of line 2'],
    [3, 1, 'No unit of line 3'],
  ])('of line %d are not %d', (number, quantity, possible) => {
    expect(() => checkWrittenOff(cancelled, [{ line: number, quantity }])).toThrow(
      expect.objectContaining({
        code: 'conflict',
        message: `${possible} can be written off: only cancelled units can.`,
      }),
    );
  });

  it('are named once for each line', () => {
    const twice = [1, 1].map((quantity) => ({ line: 2, quantity }));
    expect(() => checkWrittenOff(cancelled, twice)).toThrow('Line 2 is named twice.');
  });
});

describe('the price of units', () => {
  const lines = [
    { ...line(1, 5, { refunded: 2 }), unitPrice: 1_000 },
    { ...line(2, 2), unitPrice: 300 },
  ];

  it('is that of units that were not refunded yet', () => {
    const units = [
      { line: 2, quantity: 1 },
      { line: 1, quantity: 4 },
    ];
    expect(refundOfUnits(lines, units, Infinity)).toEqual({
      amount: 3_300,
      items: [
        { line: 2, refunded: 1, amount: 300 },
        { line: 1, refunded: 3, amount: 3_000 },
      ],
    });
  });

  it('is at most what is left of the payment', () => {
    const units = [
      { line: 1, quantity: 2 },
      { line: 2, quantity: 2 },
    ];
    expect(refundOfUnits(lines, units, 2_100)).toEqual({
      amount: 2_100,
      items: [
        { line: 1, refunded: 2, amount: 2_000 },
        { line: 2, refunded: 2, amount: 100 },
      ],
    });
    expect(refundOfUnits(lines, [], 2_100)).toEqual({ amount: 0, items: [] });
  });
});

describe('quantities of lines', () => {
  it.each([
    [['1=2']],
    [['1=2 2=10']],
    [['1=2,2=10']],
    [[' 1=2;  2=10 ']],
    [['1=2', '2=10']],
    [['001=000002']],
  ])('are read from %j', (texts) => {
    const [first, second] = parseLineQuantities(texts);
    expect(first).toEqual({ line: 1, quantity: 2 });
    expect(second ?? { line: 2, quantity: 10 }).toEqual({ line: 2, quantity: 10 });
  });

  it('may be none, but a text names some', () => {
    expect(parseLineQuantities([])).toEqual([]);
    expect(() => parseLineQuantities(['1=1', ' ,'])).toThrow('"" is not a quantity');
  });

  it('are in the order of their lines', () => {
    expect(parseLineQuantities(['3=1', '2=1 1=4'])).toEqual(parseLineQuantities(['1=4 2=1 3=1']));
  });

  it.each(['1', '1=', '=1', '0=1', '1=0', '1=2=3', 'x1=2', '1=2x', '1=-1', '1=1.5', '1=0x1', '1=1000000'])(
    'are not read from %j',
    (text) => {
      expect(() => parseLineQuantities([`7=1 ${text}`])).toThrow(
        expect.objectContaining({
          code: 'invalid_value',
          message: `"${text}" is not a quantity of a line. Write 1=2 for 2 units of line 1.`,
        }),
      );
    },
  );

  it('are quoted in part, if they are long', () => {
    expect(() => parseLineQuantities(['x'.repeat(41)])).toThrow(`"${'x'.repeat(40)}" is not a quantity`);
  });

  it.each(['3=2', '03=1'])('name a line only once, also as %s', (repeated) => {
    expect(() => parseLineQuantities(['1=1 3=1', repeated])).toThrow(
      expect.objectContaining({ code: 'invalid_value', message: 'Line 3 is named twice.' }),
    );
  });
});
