import { plainNumber } from './money.js';

describe('A typed amount', () => {
  it.each([
    ['5000', '5000'],
    [' 250.5 ', '250.5'],
    ['₹ 250.50', '250.50'],
    ['1,00,000', '100000'],
    ['100,000.25', '100000.25'],
    ['1,234', '1234'],
    ['₹ 1,240.00', '1240.00'],
    ['Rs. 499/-', '499'],
    [' 499/- ', '499'],
    ['499 Rs', '499'],
    ['rs 499', '499'],
    ['240.50 INR', '240.50'],
    ['INR 5', '5'],
    ['5₹', '5'],
    ['-1,00,000.50', '-100000.50'],
  ])('becomes a plain number: %j', (text, plain) => expect(plainNumber(text)).toBe(plain));

  it.each(['', '-5', '12,50', '1,0000', '1,23,45', '₹₹5', '5₹₹', '5/', 'Rs', '$5', ',500', '1234,567'])(
    'never becomes another number: %j',
    (text) => expect(Number(plainNumber(text) || 'nothing')).toBe(text === '-5' ? -5 : NaN),
  );
});
