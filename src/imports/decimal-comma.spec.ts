import { withDecimalPoint } from './decimal-comma.js';

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
