import * as fc from 'fast-check';
import {
  amountFromMinor,
  amountFromNumeric,
  MAX_PRICE,
  minorFromAmount,
  minorFromNumeric,
  numericFromMinor,
  parseAmount,
  parsePrice,
  parsePercent,
  readTypedPrice,
} from './money.js';

const LARGEST = 2 ** 46 * 100;
const minor = fc.integer({ min: -LARGEST, max: LARGEST });

describe('minorFromNumeric', () => {
  it.each([
    ['12.50', 1250],
    ['12.5', 1250],
    ['12', 1200],
    ['0', 0],
    ['0.07', 7],
    ['-0.05', -5],
    ['-0.00', 0],
    ['1000000.00', 100_000_000],
    ['0012.50', 1250],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('reads %s', (text, expected) => {
    expect(minorFromNumeric(text)).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '1.234',
    '12.500',
    '1e3',
    '+1',
    '--1',
    '1,000.00',
    '1.2.3',
    '0x10',
    '१२',
    'NaN',
    'Infinity',
    ' 12.50',
    '12.50\n',
    '90071992547409.92',
  ])('refuses %j', (text) => {
    expect(() => minorFromNumeric(text)).toThrow(RangeError);
  });

  it('names the invalid text', () => {
    expect(() => minorFromNumeric('1.234')).toThrow('The amount "1.234" must have at most 2 decimals.');
  });

  it('reads every amount that numericFromMinor wrote', () => {
    fc.assert(fc.property(minor, (amount) => minorFromNumeric(numericFromMinor(amount)) === amount));
  });
});

describe('numericFromMinor', () => {
  it.each([
    [1250, '12.50'],
    [0, '0.00'],
    [7, '0.07'],
    [-5, '-0.05'],
    [-1250, '-12.50'],
    [100_000_000, '1000000.00'],
  ])('writes %d in the form of the database', (amount, expected) => {
    expect(numericFromMinor(amount)).toBe(expected);
  });
});

describe('minorFromAmount', () => {
  it('is the inverse of amountFromMinor', () => {
    fc.assert(
      fc.property(minor, (amount) => {
        expect(minorFromAmount(amountFromMinor(amount))).toBe(amount);
      }),
    );
    expect(minorFromAmount(0.29)).toBe(29);
  });
});

describe('amountFromMinor', () => {
  it('is known of numeric text too', () => {
    expect(amountFromNumeric('-12.30')).toBe(-12.3);
  });

  it.each([
    [1250, '12.5'],
    [1200, '12'],
    [7, '0.07'],
    [29, '0.29'],
    [0, '0'],
    [1_000_000_000_000_001, '10000000000000.01'],
  ])('shows %d as the shortest JSON number', (amount, expected) => {
    expect(JSON.stringify(amountFromMinor(amount))).toBe(expected);
  });

  it('prints exactly the decimals of the amount, over the whole range of amounts', () => {
    fc.assert(
      fc.property(minor, (amount) => {
        const shortest = numericFromMinor(amount).replace(/\.00$|0$/, '');
        expect(JSON.stringify(amountFromMinor(amount))).toBe(shortest);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('parsePrice', () => {
  it('reads typed text with spaces around it', () => {
    expect(parsePrice(' 249.90 ')).toEqual({ minor: 24_990 });
  });

  it('accepts the lowest and the highest price', () => {
    expect(parsePrice('0')).toEqual({ minor: 0 });
    expect(parsePrice('1000000.00')).toEqual({ minor: MAX_PRICE });
  });

  it.each([
    ['', 'must be a plain number such as 12.50'],
    ['₹250', 'must be a plain number such as 12.50'],
    ['1,250.00', 'must be a plain number such as 12.50'],
    ['12.505', 'must have at most 2 decimals'],
    ['12.500', 'must have at most 2 decimals'],
    ['-1', 'must not be negative'],
    ['1000000.01', 'must be at most 1000000.00'],
    ['99999999999999999999', 'is too large'],
  ])('reports the fault of %j', (text, fault) => {
    expect(parsePrice(text)).toEqual({ fault });
  });
});

describe('A price that is typed', () => {
  const read = (text: string) => readTypedPrice(text, (fault) => new Error(`It ${fault}.`));

  it('is read as people write it', () => {
    expect(read('₹1,250.5')).toBe('1250.50');
  });

  it('is refused with the words of its reader', () => {
    expect(() => read('much')).toThrow('It must be a plain number such as 12.50.');
    expect(() => read('-1')).toThrow('It must not be negative.');
  });
});

describe('parseAmount', () => {
  it('reads an amount as people type it, of any size and sign', () => {
    expect(parseAmount('₹1,00,000.50')).toEqual({ hundredths: 10_000_050 });
    expect(parseAmount('-5')).toEqual({ hundredths: -500 });
  });

  it('reports the fault of a decimal comma', () => {
    expect(parseAmount('2,50')).toEqual({ fault: 'must be a plain number such as 12.50' });
  });
});

describe('A percentage that is typed', () => {
  it.each([
    ['12.5', 1_250],
    [' 12.5% ', 1_250],
    ['12.5 %', 1_250],
    ['0', 0],
    ['0.01', 1],
  ])('%j has %i hundredths', (text, hundredths) => expect(parsePercent(text)).toEqual({ hundredths }));

  it.each(['12.5  %', '%12', '12%%', '12 % x', '', '12.345'])('is not %j', (text) => {
    expect(parsePercent(text)).toEqual({ fault: expect.any(String) });
  });

  it('is not negative', () => {
    expect(parsePercent('-0.01')).toEqual({ fault: 'must not be negative' });
  });

  it.each([
    ['4', 400],
    [' +4 % ', 400],
    ['-4.5%', -450],
    ['\u22124 %', -400],
  ])('is a change of %j: %i hundredths', (text, hundredths) =>
    expect(parsePercent(text, true)).toEqual({ hundredths }),
  );

  it.each(['+-4', '+\u22124', '\u2212-4', '4+', '4+2', '4\u22122', '4\u2212', '+', '++4', '12.345'])(
    'is no change of %j',
    (text) => expect(parsePercent(text, true)).toEqual({ fault: expect.any(String) }),
  );

  it('has no sign, unless it is a change', () => {
    for (const text of ['+4', '\u22124'])
      expect(parsePercent(text)).toEqual({ fault: 'must be a plain number such as 12.50' });
  });
});
