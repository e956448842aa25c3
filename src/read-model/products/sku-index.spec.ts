import { SkuIndex } from './sku-index.js';

describe('SkuIndex', () => {
  const index = new SkuIndex(['TSHIRT-CLASSIC', 'MUG-350', 'MUG-500', 'LAMP-DESK', 'X1']);

  it.each([
    ['tshirt-classic', 'TSHIRT-CLASSIC'],
    ['TSHIRTCLASSIC', 'TSHIRT-CLASSIC'],
    ['Mug 350', 'MUG-350'],
    ['m-u-g-350', 'MUG-350'],
  ])('finds what is spelt alike but for case and punctuation: %s', (typed, meant) => {
    expect(index.findAlike(typed)).toBe(meant);
  });

  it.each([
    ['TSHRIT-CLASSIC', 'TSHIRT-CLASSIC'],
    ['TSHIRT-CLASIC', 'TSHIRT-CLASSIC'],
    ['MUG-3500', 'MUG-350'],
    ['LAMB-DESKS', 'LAMP-DESK'],
    ['MUG-510', 'MUG-500'],
  ])('finds what is up to two edits away: %s', (typed, meant) => {
    expect(index.findNear(typed)).toBe(meant);
  });

  it.each(['TSHIRT', 'KETTLE-01', 'X2', '-', '', 'LAMP-DESKTOP'])('finds nothing near %j', (typed) => {
    expect(index.findAlike(typed)).toBeUndefined();
    expect(index.findNear(typed)).toBeUndefined();
  });

  it('finds one slip among any number of look-alikes', () => {
    const many = new SkuIndex(Array.from({ length: 20_000 }, (_, n) => `SKU-${String(n).padStart(6, '0')}`));
    expect(many.findNear('SKUU-019999')).toBe('SKU-019999');
    expect(many.findNear('SKV-000017')).toBe('SKU-000017');
    expect(many.findNear('SUK-000017')).toBe('SKU-000017');
  });

  it('prefers one edit to two', () => {
    expect(new SkuIndex(['CHAIR-1234', 'CHAIR-1299']).findNear('CHAIR-129')).toBe('CHAIR-1299');
  });
});
