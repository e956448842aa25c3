import { SkuIndex } from './sku-suggestions.js';

describe('SkuIndex', () => {
  const index = new SkuIndex(['TSHIRT-CLASSIC', 'MUG-350', 'SKU-00002', '00417', 'LAMP-1-5', 'LAMP-15', '0']);

  it.each([
    ['tshirt-classic', 'TSHIRT-CLASSIC'],
    ['TSHIRTCLASSIC', 'TSHIRT-CLASSIC'],
    ['Mug 350', 'MUG-350'],
    ['MUG–350', 'MUG-350'],
    ['m-u-g-350', 'MUG-350'],
    ['417', '00417'],
    ['000417', '00417'],
    ['00', '0'],
  ])('finds a SKU that differs only in case, spaces, dashes or leading zeros: %s', (typed, meant) => {
    expect(index.find(typed)).toBe(meant);
  });

  it.each(['SKU-00003', 'SKU-2', 'MUG-35', 'MUG-3500', 'MUG_350', 'TSHRIT-CLASSIC', '4170', '-', ''])(
    'finds nothing for a possibly different product: %j',
    (typed) => {
      expect(index.find(typed)).toBeUndefined();
    },
  );

  it('finds neither of two SKUs with the same spelling', () => {
    expect(index.find('lamp-15')).toBeUndefined();
  });
});
