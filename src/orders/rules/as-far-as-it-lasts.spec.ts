import { asFarAsItLasts } from './as-far-as-it-lasts.js';

describe('asFarAsItLasts', () => {
  it.each([
    [10, [3, 4, 3], [3, 4, 3]],
    [9, [3, 4, 3], [3, 4]],
    [6, [3, 4, 3], [3, 3]],
    [3, [4, 3, 3], [3]],
    [2, [3, 4, 3], []],
    [0, [0, 1], [0]],
    [-1, [0, 1], []],
  ])('takes, of %i, of %j those that can be had: %j', (amount, costs, taken) => {
    expect(asFarAsItLasts(costs, (cost) => cost, amount)).toEqual(taken);
  });
});
