import { countSold } from './today-page.js';

describe('countSold', () => {
  it.each([
    [0, 0, '0 orders'],
    [0, -116438, 'only refunds'],
    [1, -116438, '1 order'],
    [2, 82200, '2 orders'],
  ])('has for %d orders and a net amount of %d the words "%s"', (orders, net, words) => {
    expect(countSold(orders, net)).toBe(words);
  });
});
