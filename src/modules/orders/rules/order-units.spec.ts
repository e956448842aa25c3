import { orderLine, units } from '../../../../test/support/line-units.js';
import {
  allUnits,
  cancelledUnits,
  checkUnits,
  checkWrittenOff,
  hasUnitsLeft,
  parseLineQuantities,
  refundOfUnits,
  sumOfLine,
  type UnitAction,
} from './order-units.js';

const USED = orderLine(1, 20, { shipped: 7, cancelled: 3, refunded: 4, returned: 2 });

describe('units of a line', () => {
  it('are added up over parcels', () => {
    const parcels = ['1=2', '2=4', '1=3'].map((text) => ({ lines: units(text) }));
    expect([sumOfLine(parcels, 1, 'quantity'), sumOfLine(parcels, 3, 'quantity')]).toEqual([5, 0]);
  });

  it.each([
    ['pending', 3],
    ['delivered', 3],
    ['cancelled', 13],
  ] as const)('of a %s order: %d will never leave', (status, count) => {
    expect(cancelledUnits(USED, status)).toBe(count);
  });

  it.each(
    Object.entries({ shipped: 10, cancelled: 10, refunded: 16, returned: 5 }) as [UnitAction, number][],
  )('can be %s as long as there are some', (action, possible) => {
    const used = orderLine(2, 1, { shipped: 1, refunded: 1, returned: 1 });
    const message =
      `Only ${possible} units of line 1 can be ${action}: ` +
      '20 ordered, 7 shipped, 3 cancelled, 2 returned, 4 refunded.';
    expect(allUnits([USED, used], action)).toEqual(units(`1=${possible}`));
    expect(() => checkUnits([USED], units(`1=${possible}`), action)).not.toThrow();
    expect(() => checkUnits([USED], units(`1=${possible + 1}`), action)).toThrow(
      expect.objectContaining({ code: 'conflict', message }),
    );
  });

  it.each<[string, UnitAction, string]>([
    ['Only 1 unit of line 1 can be shipped: 2 ordered, 1 shipped.', 'shipped', '1=2'],
    ['No unit of line 2 can be cancelled: 3 ordered, 3 cancelled.', 'cancelled', '2=1'],
    ['No unit of line 3 can be returned: 2 ordered, 0 shipped.', 'returned', '3=1'],
  ])('are refused by their number: %s', (message, action, requested) => {
    const lines = [orderLine(1, 2, { shipped: 1 }), orderLine(2, 3, { cancelled: 3 }), orderLine(3, 2)];
    expect(() => checkUnits(lines, units(requested), action)).toThrow(expect.objectContaining({ message }));
  });

  it.each([
    ['The order has no line 3. Its last line is 2.', 3, units('3=1')],
    ['Line 1 is named twice.', 1, [...units('1=1 2=1'), ...units('1=1')]],
  ])('belong to one line of the order: %s', (message, line, requested) => {
    expect(() => checkUnits([orderLine(1, 2), orderLine(2, 1)], requested, 'shipped')).toThrow(
      expect.objectContaining({ code: 'invalid_value', message, facts: { line } }),
    );
  });

  it('are left, unless all of them leave', () => {
    const lines = [orderLine(1, 5, { shipped: 1, cancelled: 1 }), orderLine(2, 1)];
    expect(hasUnitsLeft(lines, units('1=3'))).toBe(true);
    expect(hasUnitsLeft(lines, units('1=3 2=1'))).toBe(false);
  });
});

describe('units that are written off', () => {
  const cancelled = units('1=1 2=2');

  it('are cancelled ones: none, some or all', () => {
    for (const writtenOff of [[], units('2=1'), cancelled])
      expect(() => checkWrittenOff(cancelled, writtenOff)).not.toThrow();
  });

  it.each([
    [1, 2, 'Only 1 unit of line 1'],
    [2, 3, 'Only 2 units of line 2'],
    [3, 1, 'No unit of line 3'],
  ])('of line %d are not %d', (line, quantity, possible) => {
    const message = `${possible} can be written off: only cancelled units can.`;
    expect(() => checkWrittenOff(cancelled, units(`${line}=${quantity}`))).toThrow(
      expect.objectContaining({ code: 'conflict', message }),
    );
  });
});

describe('the price of units', () => {
  const lines = [orderLine(1, 5, { refunded: 2 }), orderLine(2, 2, { unitPrice: 3_00 })];

  it('is that of units that were not refunded yet', () => {
    expect(refundOfUnits(lines, units('2=1 1=4').toReversed(), Infinity)).toEqual({
      amount: 33_00,
      items: [
        { line: 2, refunded: 1, amount: 3_00 },
        { line: 1, refunded: 3, amount: 30_00 },
      ],
    });
  });

  it('is at most what is left of the payment', () => {
    expect(refundOfUnits(lines, units('1=2 2=2'), 21_00)).toEqual({
      amount: 21_00,
      items: [
        { line: 1, refunded: 2, amount: 20_00 },
        { line: 2, refunded: 2, amount: 1_00 },
      ],
    });
  });
});

describe('quantities of lines', () => {
  it.each([
    [[], ''],
    [['001=000002'], '1=2'],
    [['1=2 2=10'], '1=2 2=10'],
    [['1=2,2=10'], '1=2 2=10'],
    [[' 1=2;  2=10 '], '1=2 2=10'],
    [['3=1', '2=1 1=4'], '1=4 2=1 3=1'],
  ])('are read from %j, in the order of their lines', (texts, quantities) => {
    const read = parseLineQuantities(texts).map(({ line, quantity }) => `${line}=${quantity}`);
    expect(read.join(' ')).toBe(quantities);
  });

  it.each(['1', '1=', '=1', '0=1', '1=0', '1=2=3', 'x1=2', '1=2x', '1=-1', '1=1.5', '1=0x1', '1=1000000'])(
    'are not read from %j',
    (text) => {
      const message = `"${text}" is not a quantity of a line. Write 1=2 for 2 units of line 1.`;
      expect(() => parseLineQuantities([`7=1 ${text}`])).toThrow(
        expect.objectContaining({ code: 'invalid_value', message }),
      );
    },
  );

  it.each([
    ['names none', ' ,', '""'],
    ['is long', 'x'.repeat(41), `"${'x'.repeat(40)}"`],
  ])('are not read from a text that %s', (_, text, quoted) => {
    expect(() => parseLineQuantities(['1=1', text])).toThrow(`${quoted} is not a quantity`);
  });
});
