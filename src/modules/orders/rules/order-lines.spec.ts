import type { SkuHint } from '../../../read-model/products/sku-suggestions.js';
import { itemFaults, type Offer, type OrderedItem, readOrderLines, skusOf } from './order-lines.js';

const MUG: Offer = {
  productId: 1,
  sku: 'MUG',
  name: 'Mug',
  price: 12_345,
  deliveryCharge: 0,
  variations: [],
};
const SHIRT: Offer = {
  productId: 2,
  sku: 'SHIRT',
  name: 'Shirt',
  price: 200,
  deliveryCharge: 0,
  variations: [{ name: 'Size', values: ['S', 'M'] }],
};
const HUGE: Offer = {
  ...SHIRT,
  sku: 'HUGE',
  variations: [{ name: 'No', values: Array.from({ length: 600 }, (_, n) => `${n}`) }],
};
const LARGE: Offer = {
  ...HUGE,
  sku: 'LARGE',
  variations: [{ name: 'No', values: Array.from({ length: 400 }, (_, n) => `${n}`) }],
};
const OFFERS = new Map([MUG, SHIRT, HUGE, LARGE].map((offer) => [offer.sku, offer]));

const HINTS: Record<string, SkuHint> = { MUGG: { suggestion: 'MUG' }, OLD: { inactive: true } };

const read = (...items: OrderedItem[]) => readOrderLines(items, OFFERS, (sku) => HINTS[sku] ?? {});

describe('skusOf', () => {
  it('returns each SKU once, in the order of the items', () => {
    expect(skusOf(['B', 'A', 'B'].map((sku) => ({ sku, quantity: 1 })))).toEqual(['B', 'A']);
  });
});

describe('readOrderLines', () => {
  it('finds product, variation and total of each line', () => {
    const { lines, faults } = read(
      { sku: 'MUG', quantity: 3, variation: 'gift wrap', metadata: { to: 'Asha' } },
      { sku: 'MUG', quantity: 1 },
      { sku: 'SHIRT', quantity: 2, variation: 's' },
    );
    expect(faults).toEqual([]);
    const none = { variationKey: '', remark: null, metadata: null };
    const gift = { ...none, remark: 'gift wrap', metadata: { to: 'Asha' } };
    expect(lines).toEqual([
      { ...gift, index: 0, offer: MUG, quantity: 3, lineTotal: 37_035 },
      { ...none, index: 1, offer: MUG, quantity: 1, lineTotal: 12_345 },
      { ...none, index: 2, offer: SHIRT, quantity: 2, lineTotal: 400, variationKey: 'Size:S' },
    ]);
  });

  it('reports each unknown item at its field, and keeps the valid lines', () => {
    const { lines, faults } = read(
      { sku: 'NONE', quantity: 1 },
      { sku: 'MUG', quantity: 1 },
      { sku: 'MUGG', quantity: 1 },
      { sku: 'OLD', quantity: 1 },
      { sku: 'SHIRT', quantity: 1 },
      { sku: 'SHIRT', quantity: 1, variation: 'XL' },
    );
    expect(lines.map(({ index }) => index)).toEqual([1]);
    const validKeys = { valid_keys: ['Size:S', 'Size:M'] };
    expect(faults).toEqual([
      {
        field: 'items[0].sku',
        code: 'unknown_sku',
        message: 'is not the SKU of an active product',
      },
      {
        field: 'items[2].sku',
        code: 'unknown_sku',
        message: 'is not the SKU of an active product; did you mean MUG?',
        suggestion: 'MUG',
      },
      {
        field: 'items[3].sku',
        code: 'unknown_sku',
        message: 'is the SKU of an inactive product',
        inactive: true,
      },
      {
        field: 'items[4].variation',
        code: 'variation_required',
        message: 'is required for this product',
        ...validKeys,
      },
      {
        field: 'items[5].variation',
        code: 'unknown_variation',
        message: 'is not a variation of this product',
        ...validKeys,
      },
    ]);
  });

  it('lists at most a thousand keys in all, and otherwise says where to find them', () => {
    const { faults } = read(
      { sku: 'HUGE', quantity: 1 },
      { sku: 'HUGE', quantity: 1 },
      { sku: 'SHIRT', quantity: 1 },
    );
    expect(faults[0]!.valid_keys).toHaveLength(600);
    expect(faults[1]).toEqual({
      field: 'items[1].variation',
      code: 'variation_required',
      message: 'is required for this product; GET /api/products/{sku} lists its variations',
    });
    expect(faults[2]).not.toHaveProperty('valid_keys');
  });

  it('lists exactly a thousand keys', () => {
    const { faults } = read(
      { sku: 'HUGE', quantity: 1 },
      { sku: 'LARGE', quantity: 1 },
      { sku: 'SHIRT', quantity: 1 },
    );
    expect(faults[1]!.valid_keys).toHaveLength(400);
    expect(faults[2]).not.toHaveProperty('valid_keys');
  });
});

describe('itemFaults', () => {
  it('are the faults of the readable items, each with its index in the request', () => {
    const items = new Map([
      [3, { sku: 'MUG', quantity: 1 }],
      [7, { sku: 'NONE', quantity: 1 }],
    ]);
    const faults = itemFaults(
      items,
      (sku) => OFFERS.get(sku),
      () => ({}),
    );
    expect(faults).toEqual([
      { field: 'items[7].sku', code: 'unknown_sku', message: 'is not the SKU of an active product' },
    ]);
  });
});
