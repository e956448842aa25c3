import { forSale, MAX_ON_HAND, onHandAfter, parseOnHand, parseStockChange } from './on-hand.js';

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

describe('Units that are typed', () => {
  it('are a count from 0 to the most that can be on hand', () => {
    const typed = ['0', ' 12 ', String(MAX_ON_HAND), String(MAX_ON_HAND + 1), '-1', '+1', ''];
    expect(typed.map(parseOnHand)).toEqual([0, 12, MAX_ON_HAND, undefined, undefined, undefined, undefined]);
  });

  it('are a change in either direction, and not 0', () => {
    const typed = ['12', '+12', '-3', '0', `-${MAX_ON_HAND}`, `-${MAX_ON_HAND + 1}`, String(MAX_ON_HAND + 1)];
    const none = undefined;
    expect(typed.map(parseStockChange)).toEqual([12, 12, -3, none, -MAX_ON_HAND, none, none]);
  });
});
