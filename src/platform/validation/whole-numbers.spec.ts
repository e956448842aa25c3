import { parseWholeNumber } from './whole-numbers.js';

describe('A typed whole number', () => {
  it.each([
    ['0', 0],
    [' 12 ', 12],
    ['007', 7],
    ['100', 100],
  ])('is read: %j', (text, number) => expect(parseWholeNumber(text, 0, 100)).toBe(number));

  it.each(['', '101', '-1', '+1', '-0', '1.0', '1e1', '0x1', '1,0', '1 0', '१', '12 pcs', '00000000001'])(
    'is refused: %j',
    (text) => expect(parseWholeNumber(text, 0, 100)).toBeUndefined(),
  );

  it.each(
    Object.entries({ '+12': 12, '-12': -12, '−12': -12, '12': 12, '-13': undefined, '--1': undefined }),
  )('may have a sign in a range with negative numbers: %j', (text, number) =>
    expect(parseWholeNumber(text, -12, 12)).toBe(number),
  );
});
