import fc from 'fast-check';
import { guardFormula, guardOriginalCell, unguardFormula, withDecimalPoint } from './cells.js';

describe('withDecimalPoint', () => {
  it.each([
    ['1234,50', '1234.50'],
    ['0,5', '0.5'],
    ['-7,25', '-7.25'],
    ['1.234,50', '1234.50'],
    ['1.234.567,5', '1234567.5'],
  ])('reads %s as %s', (text, amount) => {
    expect(withDecimalPoint(text)).toBe(amount);
  });

  it.each(['1,234', '1,2345', '1,234.50', '12.34,5', '1.234', '1,5,0', '1,', ',5', '12.50', '12', 'a,5'])(
    'leaves %s alone, which may mean something else',
    (text) => {
      expect(withDecimalPoint(text)).toBe(text);
    },
  );
});

const SIGNS = [...'=+-@\t\r\n＝＋－＠﹦﹢﹣﹫', ' =', '\u3000＝'];

describe('a cell that a spreadsheet would run', () => {
  it.each(SIGNS)('becomes text where it begins with %j', (sign) => {
    const cell = `${sign}HYPERLINK("https://evil.example.com")`;
    expect(guardFormula(cell)).toBe(`'${cell}`);
  });

  it.each(['\n=1+1', '\t12', '\n+91 98765'])('becomes text as %j, which is no phone number', (cell) => {
    expect(guardFormula(cell)).toBe(`'${cell}`);
  });

  it.each(['+91 98765 43210', '-12', '(080) 1234-5678', 'a = b', 'Straße 5', '1/2', '', "'tis"])(
    'is not %j, which stays as it is',
    (cell) => {
      expect([guardFormula(cell), unguardFormula(cell), guardOriginalCell(cell)]).toEqual([cell, cell, cell]);
    },
  );

  it('comes back as it was, however many apostrophes it began with', () => {
    const cells = fc
      .tuple(fc.constantFrom('', "'", "''"), fc.constantFrom('', ...SIGNS), fc.string())
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(cells, (cell) => {
        expect(unguardFormula(guardFormula(cell))).toBe(cell);
        expect(unguardFormula(guardOriginalCell(cell))).toBe(unguardFormula(cell));
      }),
    );
  });
});
