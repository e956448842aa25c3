import { readUtr } from './read-utr.js';

describe('readUtr', () => {
  it('takes the spellings in which banks and people write it for one', () => {
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
