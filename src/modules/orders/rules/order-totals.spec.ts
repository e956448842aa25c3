import type { OrderLine } from './order-lines.js';
import { demandOf, stockById, stockFaults } from './order-stock.js';
import { affordable, orderTotals, priceObstacle } from './order-totals.js';

const line = (index: number, productId: number, quantity: number, variationKey = ''): OrderLine => ({
  index,
  offer: { productId, sku: `P${productId}`, name: '', price: 2_50, deliveryCharge: 49_00, variations: [] },
  variationKey,
  remark: null,
  metadata: null,
  quantity,
  lineTotal: 2_50 * quantity,
});
const LINES = [line(0, 1, 2), line(1, 2, 1, 'Size:S'), line(2, 1, 3)];

describe('The totals of an order', () => {
  it('add the lines, and the delivery of each product', () => {
    const deliveryPerProduct = [1, 2].map((productId) => ({ productId, charge: 49_00 }));
    expect(orderTotals(LINES)).toEqual({
      subtotal: 15_00,
      delivery: 98_00,
      deliveryPerProduct,
      total: 113_00,
    });
  });

  it('are zero without lines', () => {
    expect(orderTotals([])).toEqual({ subtotal: 0, delivery: 0, deliveryPerProduct: [], total: 0 });
  });
});

describe('The stock for an order', () => {
  const stock = (onHand: number, held: number) =>
    stockById([
      { id: 1, productId: 1, variationKey: '', onHand, held },
      { id: 2, productId: 2, variationKey: 'Size:S', onHand: 1, held: 0 },
    ]);

  it('has the demand of each variation', () => {
    expect(demandOf([...LINES, line(3, 2, 4, 'Size:M')])).toEqual([
      { productId: 1, variationKey: '', quantity: 5 },
      { productId: 2, variationKey: 'Size:S', quantity: 1 },
      { productId: 2, variationKey: 'Size:M', quantity: 4 },
    ]);
  });

  it('has no fault when it just covers all lines', () => {
    expect(stockFaults(LINES, stock(7, 2))).toEqual([]);
  });

  it('has a fault for each line of a short product', () => {
    const counts = { sku: 'P1', requested: 5, available: 4 };
    const message = 'only 4 can be sold now, but the order needs 5';
    const fault = { ...counts, code: 'insufficient_stock', message };
    expect(stockFaults(LINES, stock(7, 3))).toEqual([
      { ...fault, field: 'items[0].quantity' },
      { ...fault, field: 'items[2].quantity' },
    ]);
  });

  it.each([
    ['is missing', new Map()],
    ['is held more than once', stock(3, 5)],
  ])('is zero if it %s', (_, items) => {
    expect(stockFaults([LINES[0]!], items)).toMatchObject([{ available: 0 }]);
  });
});

describe('The expected total', () => {
  it.each([undefined, 134.6])('may be %s with a total of 134.60', (expected) => {
    expect(priceObstacle(expected, 134_60)).toBeUndefined();
  });

  it.each([134.61, 134.59, 134.601, 1e21, Number.NaN])('may not be %s with a total of 134.60', (expected) => {
    const code = 'price_changed';
    const message = 'The total is 134.60 now.';
    const facts = { total: 134.6, expected_total: expected };
    expect(priceObstacle(expected, 134_60)).toMatchObject({
      error: { code, message: `${message} Nothing was created.`, facts },
      rows: [{ field: 'expected_total', code, message, total: 134.6 }],
    });
  });
});

it.each([
  [10, [3, 4, 3], [3, 4, 3]],
  [9, [3, 4, 3], [3, 4]],
  [6, [3, 4, 3], [3, 3]],
  [3, [4, 3, 3], [3]],
  [2, [3, 4, 3], []],
  [0, [0, 1], [0]],
  [-1, [0, 1], []],
])('With an amount of %i and costs of %j, these are affordable: %j', (amount, costs, taken) => {
  expect(affordable(costs, (cost) => cost, amount)).toEqual(taken);
});
