import { readAmount, readUtr } from './read-inputs.js';

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

describe('readUtr', () => {
  it('accepts the spellings of banks and people', () => {
    expect(['N123456789012345', 'n123 4567 8901 2345', ' N-1234-5678-9012-345 '].map(readUtr)).toEqual(
      Array.from({ length: 3 }, () => 'N123456789012345'),
    );
  });

  it.each(['', '12345', 'N12345678901234567890123', '1.23457E+11', 'N1234567890=2345'])(
    'refuses %j',
    (text) => {
      expect(() => readUtr(text)).toThrow(
        expect.objectContaining({
          code: 'invalid_value',
          message: expect.stringContaining('UTR must be') as string,
        }),
      );
    },
  );
});
