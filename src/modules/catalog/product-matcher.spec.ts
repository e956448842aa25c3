import { ProductView } from '../../read-model/products/product-view.js';
import { createMatcher, type ProductFilter } from './product-matcher.js';

const mug = Object.assign(new ProductView(1), {
  sku: 'MUG-350',
  name: 'Stoneware mug (350 ml)',
  category: 'Kitchen',
  quantity: 12,
});

const finds = (filter: ProductFilter) => createMatcher(filter)(mug);

describe('A search in the catalog', () => {
  it.each(['mug', 'MUG-3', 'stone', 'kitch', 'kitchen MUG', '  350   ml ', '(350', ''])(
    'finds the product by %j',
    (text) => expect(finds({ text })).toBe(true),
  );

  it.each(['plate', 'mug plate', 'M.G', 'mug|plate', '[a-z]', '\\w'])('does not find it by %j', (text) =>
    expect(finds({ text })).toBe(false),
  );

  it('filters by category and by stock', () => {
    expect([finds({ category: 'Kitchen' }), finds({ category: 'Garden' })]).toEqual([true, false]);
    expect([finds({ inStock: true }), finds({ inStock: false })]).toEqual([true, false]);
    expect(finds({ text: 'mug', category: 'Kitchen', inStock: true })).toBe(true);
  });
});
