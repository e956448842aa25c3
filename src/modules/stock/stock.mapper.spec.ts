import { ProductView } from '../../read-model/products/product-view.js';
import { STOCK_FORM, toStockRecord } from './stock.mapper.js';

const SHIRT = Object.assign(new ProductView(7), {
  sku: 'SHIRT',
  variations: [{ name: 'Size', values: ['S', 'M'] }],
  stock: [{ id: 1, key: 'Size:M', available: 3, changeVersion: 1 }],
});

SHIRT.settle();

const MUG = Object.assign(new ProductView(8), { sku: 'MUG' });

const RECORD = {
  sku: 'SHIRT',
  stock_qty: 3,
  in_stock: true,
  has_variations: true,
  variation_stocks: { 'Size:S': 0, 'Size:M': 3 },
};

describe('The stock of a product', () => {
  it('is the quantity for sale, in total and for each variation', () => {
    expect(toStockRecord(SHIRT)).toEqual(RECORD);
  });

  it('is zero when it was never counted', () => {
    expect(toStockRecord(MUG)).toEqual({
      sku: 'MUG',
      stock_qty: 0,
      in_stock: false,
      has_variations: false,
      variation_stocks: {},
    });
  });
});

describe('The stock of all products', () => {
  const item = STOCK_FORM.item(SHIRT, undefined);
  const written = (tail: string) =>
    JSON.parse(`${STOCK_FORM.head(1)}${JSON.stringify(item)}${tail}`) as unknown;
  const all = { success: true, total: 1, data: [RECORD], unknown: [] };

  it('is written between its head and its tail', () => {
    expect(written(STOCK_FORM.tail('t"1'))).toEqual({ ...all, sync_token: 't"1' });
  });

  it('contains the removed products when it lists changes', () => {
    expect(written(STOCK_FORM.changesTail(['OLD'], 't1'))).toEqual({
      ...all,
      removed: ['OLD'],
      sync_token: 't1',
    });
  });
});
