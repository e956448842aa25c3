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

describe('An amount of the database', () => {
  it.each([
    ['12.50', 1250],
    ['12.5', 1250],
    ['12', 1200],
    ['0.07', 7],
    ['-0.05', -5],
    ['-0.00', 0],
    ['0012.50', 1250],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('is read from %s', (text, amount) => expect(minorFromNumeric(text)).toBe(amount));

  it.each(['', '.', '.5', '5.', '12.500', '1e3', '+1', '--1', '1,000.00', '1.2.3', '0x10', '१२', 'NaN'])(
    'is not read from %j',
    (text) => expect(() => minorFromNumeric(text)).toThrow(RangeError),
  );

  it.each([' 12.50', '12.50\n', 'Infinity', '90071992547409.92'])('is not read from %j', (text) => {
    expect(() => minorFromNumeric(text)).toThrow(RangeError);
  });

  it('is named if it cannot be read', () => {
    expect(() => minorFromNumeric('1.234')).toThrow('The amount "1.234" must have at most 2 decimals.');
  });

  it('is read as it was written', () => {
    fc.assert(fc.property(minor, (amount) => minorFromNumeric(numericFromMinor(amount)) === amount));
  });
});

describe('An amount of JSON', () => {
  it('is the inverse of the integer', () => {
    fc.assert(fc.property(minor, (amount) => minorFromAmount(amountFromMinor(amount)) === amount));
    expect(minorFromAmount(0.29)).toBe(29);
    expect(amountFromNumeric('-12.30')).toBe(-12.3);
  });

  it('has exactly the decimals of the amount, over the whole range of amounts', () => {
    const property = fc.property(minor, (amount) => {
      const shortest = numericFromMinor(amount).replace(/\.00$|0$/, '');
      expect(JSON.stringify(amountFromMinor(amount))).toBe(shortest);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});

const NO_NUMBER = 'must be a plain number such as 12.50';

describe('A price that is typed', () => {
  it.each([
    [' 249.90 ', 24_990],
    ['0', 0],
    ['1000000.00', MAX_PRICE],
  ])('is read from %j', (text, amount) => expect(parsePrice(text)).toEqual({ minor: amount }));

  it.each([
    ['', NO_NUMBER],
    ['₹250', NO_NUMBER],
    ['1,250.00', NO_NUMBER],
    ['12.505', 'must have at most 2 decimals'],
    ['12.500', 'must have at most 2 decimals'],
    ['-1', 'must not be negative'],
    ['1000000.01', 'must be at most 1000000.00'],
    ['99999999999999999999', 'is too large'],
  ])('has a fault in %j: %s', (text, fault) => expect(parsePrice(text)).toEqual({ fault }));

  it('is read as people write it, or refused with the words of its reader', () => {
    const read = (text: string) => readTypedPrice(text, (fault) => new Error(`It ${fault}.`));
    expect(read('₹1,250.5')).toBe('1250.50');
    expect(() => read('much')).toThrow('It must be a plain number such as 12.50.');
    expect(() => read('-1')).toThrow('It must not be negative.');
  });
});

it.each([
  ['₹1,00,000.50', { hundredths: 10_000_050 }],
  ['-5', { hundredths: -500 }],
  ['2,50', { fault: NO_NUMBER }],
])('An amount of any size and sign is read as people type it: %s', (text, result) => {
  expect(parseAmount(text)).toEqual(result);
});

describe('A percentage that is typed', () => {
  it.each([
    ['12.5', 1_250],
    [' 12.5% ', 1_250],
    ['12.5 %', 1_250],
    ['0', 0],
    ['0.01', 1],
  ])('%j has %i hundredths', (text, hundredths) => expect(parsePercent(text)).toEqual({ hundredths }));

  it.each(['12.5  %', '%12', '12%%', '12 % x', '', '+4', '\u22124'])('is not %j', (text) => {
    expect(parsePercent(text)).toEqual({ fault: NO_NUMBER });
  });

  it('has at most 2 decimals, and is not negative', () => {
    expect(parsePercent('12.345')).toEqual({ fault: 'must have at most 2 decimals' });
    expect(parsePercent('-0.01')).toEqual({ fault: 'must not be negative' });
  });

  it.each([
    ['4', 400],
    [' +4 % ', 400],
    ['-4.5%', -450],
    ['\u22124 %', -400],
  ])('is a change of %j: %i hundredths', (text, hundredths) => {
    expect(parsePercent(text, true)).toEqual({ hundredths });
  });

  it.each(['+-4', '+\u22124', '\u2212-4', '4+', '4+2', '4\u22122', '4\u2212', '+', '++4', '12.345'])(
    'is no change of %j',
    (text) => expect(parsePercent(text, true)).toEqual({ fault: expect.any(String) }),
  );
});
