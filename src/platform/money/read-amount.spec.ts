import { readAmount } from './read-amount.js';

describe('readAmount', () => {
  it.each([
    ['0.01', 1],
    [' 12.5 ', 1_250],
    ['100000000', 10_000_000_000],
  ])('reads %j', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  const beyond = 'The amount must be more than 0 and at most 100000000.00.';

  it.each([
    ['', 'The amount must be a plain number such as 12.50.'],
    ['1.234', 'The amount must have at most 2 decimals.'],
    ['0', beyond],
    ['-1', beyond],
    ['100000000.01', beyond],
  ])('refuses %j', (text, message) => {
    expect(() => readAmount(text)).toThrow(expect.objectContaining({ code: 'invalid_value', message }));
  });
});
