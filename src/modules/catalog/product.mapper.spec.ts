import { PlanView } from '../../read-model/products/plan-view.js';
import { ProductView } from '../../read-model/products/product-view.js';
import { catalogForms, pageTail, toProductItem, toProductResponse } from './product.mapper.js';

const ORIGIN = 'https://wholesale.example.com';

const PLAN = new PlanView(1);
PLAN.reprice(1_000, 1);

/** The fields that have the same name in the API. */
const SAME = {
  sku: 'SHIRT',
  name: 'Shirt',
  description: 'Of cotton.',
  category: 'Apparel',
  images: ['https://images.example.com/1.jpg'],
};

function product(stock: Record<string, number>): ProductView {
  const view = Object.assign(new ProductView(7), {
    ...SAME,
    basePrice: 24_990,
    deliveryCharge: 4_550,
    variations: [{ name: 'Size', values: ['S', 'M'] }],
    stock: Object.entries(stock).map(([key, available], id) => ({ id, key, available, changeVersion: 1 })),
  });
  view.settle();
  return view;
}

const SHIRT = product({ 'Size:S': 2, 'Size:M': 3 });
const MUG = Object.assign(product({ '': 0 }), { variations: [] });

const SHIRT_ITEM = {
  id: 7,
  ...SAME,
  stock_qty: 5,
  pricing: { wholesale_price: 224.91, currency: 'INR' },
};
const VARIATIONS = {
  has_variations: true,
  variations: [{ name: 'Size', values: ['S', 'M'] }],
  variation_stocks: { 'Size:S': 2, 'Size:M': 3 },
};
const NO_VARIATIONS = { has_variations: false, variations: [], variation_stocks: {} };

describe('A product in the store API', () => {
  it('has the price of the plan in lists', () => {
    expect(toProductItem(SHIRT, PLAN, 'INR', ORIGIN)).toEqual(SHIRT_ITEM);
  });

  it('shows its variations and the stock of each', () => {
    expect(toProductResponse(SHIRT, PLAN, 'INR', ORIGIN)).toEqual({
      success: true,
      data: { ...SHIRT_ITEM, ...VARIATIONS, delivery_charge: 45.5, in_stock: true },
    });
  });

  it('may have no variations and no stock', () => {
    const none = { ...NO_VARIATIONS, stock_qty: 0, in_stock: false };
    expect(toProductResponse(MUG, PLAN, 'INR', ORIGIN).data).toMatchObject(none);
  });
});

describe('The whole catalog', () => {
  const forms = catalogForms('INR', ORIGIN);
  const item = (fields: Parameters<typeof forms>[0], of = SHIRT) => forms(fields).item(of, PLAN);

  it('is written between its head and its tail, with the removed products when it lists changes', () => {
    const written = (tail: string) =>
      JSON.parse(`${forms().head(1)}${JSON.stringify(item([]))}${tail}`) as unknown;
    const all = { status: true, total: 1, data: [SHIRT_ITEM] };
    expect(written(forms().tail('t"1'))).toEqual({ ...all, sync_token: 't"1' });
    const changes = { ...all, removed: ['OLD'], sync_token: 't1' };
    expect(written(forms().changesTail(['OLD'], 't1'))).toEqual(changes);
  });

  const named = catalogForms('INR', ORIGIN, ORIGIN);

  it.each([
    [`catalog 1 INR ${ORIGIN}`, named()],
    ['catalog 1 INR ', forms()],
    [`catalog 1 NPR ${ORIGIN}`, catalogForms('NPR', ORIGIN, ORIGIN)()],
    [`catalog 1 INR ${ORIGIN} delivery_charge`, named(['delivery_charge'])],
    [`catalog 1 INR ${ORIGIN} variations delivery_charge`, named(['variations', 'delivery_charge'])],
  ])('has a name for its currency, its address and its fields: %s', (name, form) => {
    expect(form.name).toBe(name);
  });

  it('is one object for the same fields, because lists are kept by it', () => {
    expect(forms()).toBe(forms());
    expect(forms(['variations'])).toBe(forms(['variations']));
    expect(new Set([forms(), forms(['variations']), forms(['delivery_charge'])]).size).toBe(3);
  });

  it('has the fields of the single product that are asked for', () => {
    const delivery = { delivery_charge: 45.5 };
    expect(item(['variations'])).toEqual({ ...SHIRT_ITEM, ...VARIATIONS });
    expect(item(['delivery_charge'])).toEqual({ ...SHIRT_ITEM, ...delivery });
    expect(item(['variations', 'delivery_charge'])).toEqual({ ...SHIRT_ITEM, ...VARIATIONS, ...delivery });
    expect(item(['variations'], MUG)).toMatchObject(NO_VARIATIONS);
  });

  it('has the details that a product has, if they are asked for', () => {
    const same = { hsn: '6109', unit: 'NOS', barcode: '96385074', manufacturer: 'Knits' };
    const own = { gstRate: 5, weightGrams: 190, mrp: 499_50, netQuantity: '1 N', detailsUrl: 'u' };
    const detailed = Object.assign(product({}), same, own, { countryOfOrigin: 'India' });
    expect(item(['details'], detailed)).toMatchObject({
      ...same,
      gst_rate: 5,
      weight_grams: 190,
      mrp: 499.5,
      net_quantity: '1 N',
      details_url: 'u',
      country_of_origin: 'India',
    });
    expect(JSON.stringify(item(['details']))).toBe(JSON.stringify(item([])));
  });
});

describe('The end of a page', () => {
  it.each([
    [{}, ']}'],
    [{ next_cursor: undefined }, ']}'],
    [{ next_cursor: 'c' }, '],"next_cursor":"c"}'],
    [{ next_cursor: 'c', sync_token: 't' }, '],"next_cursor":"c","sync_token":"t"}'],
  ])('for %j is %s', (end, tail) => {
    expect(pageTail(end)).toBe(tail);
  });
});
