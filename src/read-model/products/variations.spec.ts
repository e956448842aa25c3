import { variationKeys } from './variations.js';

describe('variationKeys', () => {
  it('joins the pairs in the order of the variations, the last changing fastest', () => {
    const variations = [
      { name: 'Color', values: ['Red', 'Blue'] },
      { name: 'Size', values: ['M', 'XL'] },
    ];
    expect(variationKeys(variations)).toEqual([
      'Color:Red|Size:M',
      'Color:Red|Size:XL',
      'Color:Blue|Size:M',
      'Color:Blue|Size:XL',
    ]);
  });

  it('returns one empty key for a product without variations', () => {
    expect(variationKeys([])).toEqual(['']);
  });

  it('returns no keys for a variation without values', () => {
    expect(variationKeys([{ name: 'Color', values: [] }])).toEqual([]);
  });
});
