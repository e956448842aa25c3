import { PlanView } from '../../read-model/products/plan-view.js';
import { ProductView } from '../../read-model/products/product-view.js';
import { catalogForms, pageTail, toProductItem, toProductResponse } from './product.mapper.js';

const ORIGIN = 'https://wholesale.example.com';

const PLAN = new PlanView(1);
PLAN.reprice(1_000, 1);

function product(stock: Record<string, number>): ProductView {
  const view = Object.assign(new ProductView(7), {
    sku: 'SHIRT',
    name: 'Shirt',
    description: 'Of cotton.',
    category: 'Apparel',
    images: ['https://images.example.com/1.jpg'],
    basePrice: 24_990,
    deliveryCharge: 4_550,
    variations: [{ name: 'Size', values: ['S', 'M'] }],
    stock: Object.entries(stock).map(([key, available], id) => ({ id, key, available, changeVersion: 1 })),
  });
  view.settle();
  return view;
}

const SHIRT = product({ 'Size:S': 2, 'Size:M': 3 });
const PRICING = { wholesale_price: 224.91, currency: 'INR' };

const PRODUCT_ITEM = {
  id: 7,
  sku: 'SHIRT',
  name: 'Shirt',
  description: 'Of cotton.',
  category: 'Apparel',
  stock_qty: 5,
  images: ['https://images.example.com/1.jpg'],
  pricing: PRICING,
};

describe('A product in the store API', () => {
  it('has the price of the plan in lists', () => {
    expect(toProductItem(SHIRT, PLAN, 'INR', ORIGIN)).toEqual(PRODUCT_ITEM);
  });

  it('shows its variations and the stock of each', () => {
    expect(toProductResponse(SHIRT, PLAN, 'INR', ORIGIN)).toEqual({
      success: true,
      data: {
        ...PRODUCT_ITEM,
        has_variations: true,
        variations: [{ name: 'Size', values: ['S', 'M'] }],
        variation_stocks: { 'Size:S': 2, 'Size:M': 3 },
        delivery_charge: 45.5,
        in_stock: true,
      },
    });
  });

  it('may have no variations and no stock', () => {
    const mug = Object.assign(product({ '': 0 }), { variations: [] });
    expect(toProductResponse(mug, PLAN, 'INR', ORIGIN).data).toMatchObject({
      stock_qty: 0,
      has_variations: false,
      variation_stocks: {},
      in_stock: false,
    });
  });
});

describe('The whole catalog', () => {
  const form = catalogForms('INR', ORIGIN)();
  const item = form.item(SHIRT, PLAN);
  const written = (tail: string) => JSON.parse(`${form.head(1)}${JSON.stringify(item)}${tail}`) as unknown;

  it('is written between its head and its tail', () => {
    expect(written(form.tail('t"1'))).toEqual({
      status: true,
      total: 1,
      data: [PRODUCT_ITEM],
      sync_token: 't"1',
    });
  });

  it('contains the removed products when it lists changes', () => {
    expect(written(form.changesTail(['OLD'], 't1'))).toEqual({
      status: true,
      total: 1,
      data: [PRODUCT_ITEM],
      removed: ['OLD'],
      sync_token: 't1',
    });
  });

  it('has a name of its own for a currency, an address and for the fields that are asked for', () => {
    const forms = catalogForms('INR', ORIGIN, ORIGIN);
    expect([
      forms().name,
      catalogForms('INR', ORIGIN)().name,
      catalogForms('NPR', ORIGIN, ORIGIN)().name,
      forms(['delivery_charge']).name,
      forms(['variations', 'delivery_charge']).name,
    ]).toEqual([
      `catalog 1 INR ${ORIGIN}`,
      'catalog 1 INR ',
      `catalog 1 NPR ${ORIGIN}`,
      `catalog 1 INR ${ORIGIN} delivery_charge`,
      `catalog 1 INR ${ORIGIN} variations delivery_charge`,
    ]);
  });

  it('is one object for the same fields, because lists are kept by it', () => {
    const forms = catalogForms('INR', ORIGIN);
    expect(forms()).toBe(forms());
    expect(forms(['variations'])).toBe(forms(['variations']));
    expect(new Set([forms(), forms(['variations']), forms(['delivery_charge'])]).size).toBe(3);
  });

  it('has the fields of the single product that are asked for', () => {
    const forms = catalogForms('INR', ORIGIN);
    const variations = {
      has_variations: true,
      variations: [{ name: 'Size', values: ['S', 'M'] }],
      variation_stocks: { 'Size:S': 2, 'Size:M': 3 },
    };
    expect(forms(['variations']).item(SHIRT, PLAN)).toEqual({ ...PRODUCT_ITEM, ...variations });
    expect(forms(['delivery_charge']).item(SHIRT, PLAN)).toEqual({ ...PRODUCT_ITEM, delivery_charge: 45.5 });
    const both = forms(['variations', 'delivery_charge']).item(SHIRT, PLAN);
    expect(both).toEqual({ ...PRODUCT_ITEM, ...variations, delivery_charge: 45.5 });
    const mug = Object.assign(product({ '': 4 }), { variations: [] });
    const details = {
      hsn: '6109',
      gstRate: 5,
      unit: 'NOS',
      barcode: '96385074',
      weightGrams: 190,
      mrp: 49_950,
      countryOfOrigin: 'India',
      manufacturer: 'Knits',
      netQuantity: '1 N',
      detailsUrl: 'u',
    };
    expect(forms(['details']).item(Object.assign(product({}), details), PLAN)).toMatchObject({
      hsn: '6109',
      gst_rate: 5,
      unit: 'NOS',
      barcode: '96385074',
      weight_grams: 190,
      mrp: 499.5,
      country_of_origin: 'India',
      manufacturer: 'Knits',
      net_quantity: '1 N',
      details_url: 'u',
    });
    expect(JSON.stringify(forms(['details']).item(SHIRT, PLAN))).toBe(JSON.stringify(form.item(SHIRT, PLAN)));
    expect(forms(['variations']).item(mug, PLAN)).toMatchObject({
      has_variations: false,
      variations: [],
      variation_stocks: {},
    });
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
