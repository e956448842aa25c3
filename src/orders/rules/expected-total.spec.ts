import { checkExpectedTotal, isPriceChanged, priceChangedMessage } from './expected-total.js';

describe('What a store reckons with', () => {
  it.each([
    [undefined, false],
    [134.6, false],
    [134.61, true],
    [134.59, true],
    [134.601, true],
    [1e21, true],
    [Number.NaN, true],
  ])('is %s, of a total of 134.60: changed %s', (expected, isChanged) => {
    expect(isPriceChanged(expected, 13_460)).toBe(isChanged);
    const check = () => checkExpectedTotal(expected, 13_460);
    if (!isChanged) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({
          code: 'price_changed',
          message: 'The total is 134.60 now. Nothing was created.',
          facts: { total: 134.6, expected_total: expected },
        }),
      );
  });

  it('is told what the total is', () => {
    expect(priceChangedMessage(5)).toBe('The total is 0.05 now.');
  });
});
