import { forSale, MAX_ON_HAND, onHandAfter } from './on-hand.js';

describe('forSale', () => {
  it.each([
    [5, 2, 3],
    [5, 5, 0],
    [5, 6, 0],
  ])('with %i on hand and %i held is %i', (onHand, held, rest) => {
    expect(forSale({ onHand, held })).toBe(rest);
  });
});

describe('onHandAfter', () => {
  it.each([
    [5, 3, 8],
    [5, -5, 0],
    [MAX_ON_HAND - 1, 1, MAX_ON_HAND],
  ])('of %i and %i is %i', (onHand, change, after) => {
    expect(onHandAfter(onHand, change)).toBe(after);
  });

  it.each([
    [5, -6, 'Only 5 are on hand.'],
    [MAX_ON_HAND, 1, 'There would be more than 1000000000 on hand.'],
  ])('of %i and %i is refused', (onHand, change, message) => {
    expect(() => onHandAfter(onHand, change)).toThrow(expect.objectContaining({ code: 'conflict', message }));
  });
});
