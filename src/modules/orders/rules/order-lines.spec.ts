import type { SkuHint } from '../../../read-model/products/sku-suggestions.js';
import { itemFaults, type Offer, type OrderedItem, readOrderLines, skusOf } from './order-lines.js';

const offer = (productId: number, sku: string, price: number, variations: Offer['variations']): Offer => ({
  productId,
  sku,
  name: sku,
  price,
  deliveryCharge: 0,
  variations,
});
const numbers = (count: number) => [{ name: 'No', values: Array.from({ length: count }, (_, n) => `${n}`) }];
const MUG = offer(1, 'MUG', 123_45, []);
const SHIRT = offer(2, 'SHIRT', 2_00, [{ name: 'Size', values: ['S', 'M'] }]);
const HUGE = offer(3, 'HUGE', 2_00, numbers(600));
const LARGE = offer(4, 'LARGE', 2_00, numbers(400));
const OFFERS = new Map([MUG, SHIRT, HUGE, LARGE].map((one) => [one.sku, one]));

const HINTS: Record<string, SkuHint> = { MUGG: { suggestion: 'MUG' }, OLD: { inactive: true } };

const NO_HINT = (): SkuHint => ({});

const item = (sku: string, quantity = 1, more: Partial<OrderedItem> = {}) => ({ sku, quantity, ...more });
const read = (...items: OrderedItem[]) => readOrderLines(items, OFFERS, (sku) => HINTS[sku] ?? {});

it('The SKUs of an order are listed once, in the order of the items', () => {
  expect(skusOf(['B', 'A', 'B'].map((sku) => item(sku)))).toEqual(['B', 'A']);
});

describe('The lines of an order', () => {
  it('have product, variation and total', () => {
    const gift = { metadata: { to: 'Asha' } };
    const wrapped = item('MUG', 3, { ...gift, variation: 'gift wrap' });
    const { lines, faults } = read(wrapped, item('MUG'), item('SHIRT', 2, { variation: 's' }));
    const none = { variationKey: '', remark: null, metadata: null };
    expect(faults).toEqual([]);
    expect(lines).toEqual([
      { ...none, ...gift, remark: 'gift wrap', index: 0, offer: MUG, quantity: 3, lineTotal: 370_35 },
      { ...none, index: 1, offer: MUG, quantity: 1, lineTotal: 123_45 },
      { ...none, index: 2, offer: SHIRT, quantity: 2, lineTotal: 4_00, variationKey: 'Size:S' },
    ]);
  });

  it('are kept beside unknown items, each of which is reported at its field', () => {
    const unknown = item('SHIRT', 1, { variation: 'XL' });
    const { lines, faults } = read(
      ...['NONE', 'MUG', 'MUGG', 'OLD', 'SHIRT'].map((sku) => item(sku)),
      unknown,
    );
    const keys = { valid_keys: ['Size:S', 'Size:M'] };
    const suggested = 'is not the SKU of an active product; did you mean MUG?';
    expect(lines.map(({ index }) => index)).toEqual([1]);
    expect(faults.map(({ field, code, message, ...more }) => [field, code, message, more])).toEqual([
      ['items[0].sku', 'unknown_sku', 'is not the SKU of an active product', {}],
      ['items[2].sku', 'unknown_sku', suggested, { suggestion: 'MUG' }],
      ['items[3].sku', 'unknown_sku', 'is the SKU of an inactive product', { inactive: true }],
      ['items[4].variation', 'variation_required', 'is required for this product', keys],
      ['items[5].variation', 'unknown_variation', 'is not a variation of this product', keys],
    ]);
  });

  it('have the readings of a text that fits two variations', () => {
    const variations = ['Waist', 'Length'].map((name) => ({ name, values: ['30', '32'] }));
    const ambiguous = item('JEANS', 1, { variation: '30 / 32' });
    const faults = itemFaults([[0, ambiguous]], () => ({ variations }), NO_HINT);
    expect(faults).toEqual([
      {
        field: 'items[0].variation',
        code: 'ambiguous_variation',
        message: 'may mean Waist:30|Length:32 or Waist:32|Length:30; send one of these',
        valid_keys: ['Waist:30|Length:32', 'Waist:32|Length:30'],
      },
    ]);
  });

  it('list at most a thousand keys in all, and otherwise say where to find them', () => {
    const { faults } = read(item('HUGE'), item('HUGE'), item('SHIRT'));
    expect(faults[0]!.valid_keys).toHaveLength(600);
    expect(faults[1]).toEqual({
      field: 'items[1].variation',
      code: 'variation_required',
      message: 'is required for this product; GET /api/products/{sku} lists its variations',
    });
    expect(faults[2]).not.toHaveProperty('valid_keys');
  });

  it('list exactly a thousand keys', () => {
    const { faults } = read(item('HUGE'), item('LARGE'), item('SHIRT'));
    expect(faults[1]!.valid_keys).toHaveLength(400);
    expect(faults[2]).not.toHaveProperty('valid_keys');
  });
});

it('The faults of the readable items have the index in the request', () => {
  const items = new Map([
    [3, item('MUG')],
    [7, item('NONE')],
  ]);
  const faults = itemFaults(items, (sku) => OFFERS.get(sku), NO_HINT);
  expect(faults).toMatchObject([{ field: 'items[7].sku', code: 'unknown_sku' }]);
});
