import { ProductView } from '../read-model/products/product-view.js';
import { matcherOf, type Sought } from './product-matcher.js';

const mug = Object.assign(new ProductView(1), {
  sku: 'MUG-350',
  name: 'Stoneware mug (350 ml)',
  category: 'Kitchen',
  quantity: 12,
});

const finds = (sought: Sought) => matcherOf(sought)(mug);

describe('What is sought in the catalog', () => {
  it.each(['mug', 'MUG-3', 'stone', 'kitch', 'kitchen MUG', '  350   ml ', '(350', ''])(
    'is found by %j',
    (text) => expect(finds({ text })).toBe(true),
  );

  it.each(['plate', 'mug plate', 'M.G', 'mug|plate', '[a-z]', '\\w'])('is not found by %j', (text) =>
    expect(finds({ text })).toBe(false),
  );

  it('is of a category, and there or sold out, as was asked', () => {
    expect([finds({ category: 'Kitchen' }), finds({ category: 'Garden' })]).toEqual([true, false]);
    expect([finds({ inStock: true }), finds({ inStock: false })]).toEqual([true, false]);
    expect(finds({ text: 'mug', category: 'Kitchen', inStock: true })).toBe(true);
  });
});
