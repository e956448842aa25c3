import type { OrderLine } from './order-lines.js';
import { demandOf, stockById, stockFaults } from './order-stock.js';
import { affordable, orderTotals, priceObstacle } from './order-totals.js';

const line = (
  index: number,
  productId: number,
  quantity: number,
  more: Partial<OrderLine> = {},
): OrderLine => ({
  index,
  offer: { productId, sku: `P${productId}`, name: '', price: 250, deliveryCharge: 4_900, variations: [] },
  variationKey: '',
  remark: null,
  metadata: null,
  quantity,
  lineTotal: 250 * quantity,
  ...more,
});

const LINES = [line(0, 1, 2), line(1, 2, 1, { variationKey: 'Size:S' }), line(2, 1, 3)];

describe('orderTotals', () => {
  it('adds the lines, and the delivery of each product', () => {
    expect(orderTotals(LINES)).toEqual({
      subtotal: 1_500,
      delivery: 9_800,
      deliveryPerProduct: [
        { productId: 1, charge: 4_900 },
        { productId: 2, charge: 4_900 },
      ],
      total: 11_300,
    });
  });

  it('is zero without lines', () => {
    expect(orderTotals([])).toEqual({ subtotal: 0, delivery: 0, deliveryPerProduct: [], total: 0 });
  });
});

describe('demandOf', () => {
  it('adds up the quantity of each variation', () => {
    expect(demandOf([...LINES, line(3, 2, 4, { variationKey: 'Size:M' })])).toEqual([
      { productId: 1, variationKey: '', quantity: 5 },
      { productId: 2, variationKey: 'Size:S', quantity: 1 },
      { productId: 2, variationKey: 'Size:M', quantity: 4 },
    ]);
  });
});

describe('stockFaults', () => {
  const stock = (onHand: number, held: number) =>
    stockById([
      { id: 1, productId: 1, variationKey: '', onHand, held },
      { id: 2, productId: 2, variationKey: 'Size:S', onHand: 1, held: 0 },
    ]);

  it('are none when the stock just covers all lines', () => {
    expect(stockFaults(LINES, stock(7, 2))).toEqual([]);
  });

  it('contain one fault for each line of a short product', () => {
    const fault = { code: 'insufficient_stock', sku: 'P1', requested: 5, available: 4 };
    const message = 'only 4 can be sold now, but the order needs 5';
    expect(stockFaults(LINES, stock(7, 3))).toEqual([
      { ...fault, message, field: 'items[0].quantity' },
      { ...fault, message, field: 'items[2].quantity' },
    ]);
  });

  it('treat missing or overheld stock as zero', () => {
    const available = (faults: ReturnType<typeof stockFaults>) => faults.map((fault) => fault.available);
    expect(available(stockFaults([LINES[0]!], new Map()))).toEqual([0]);
    expect(available(stockFaults([LINES[0]!], stock(3, 5)))).toEqual([0]);
  });
});

describe('The expected total', () => {
  it.each([
    [undefined, false],
    [134.6, false],
    [134.61, true],
    [134.59, true],
    [134.601, true],
    [1e21, true],
    [Number.NaN, true],
  ])('may be %s with a total of 134.60: changed %s', (expected, isChanged) => {
    const obstacle = priceObstacle(expected, 13_460);
    if (!isChanged) expect(obstacle).toBeUndefined();
    else
      expect(obstacle).toMatchObject({
        error: {
          code: 'price_changed',
          message: 'The total is 134.60 now. Nothing was created.',
          facts: { total: 134.6, expected_total: expected },
        },
        rows: [
          {
            field: 'expected_total',
            code: 'price_changed',
            message: 'The total is 134.60 now.',
            total: 134.6,
          },
        ],
      });
  });
});

describe('affordable', () => {
  it.each([
    [10, [3, 4, 3], [3, 4, 3]],
    [9, [3, 4, 3], [3, 4]],
    [6, [3, 4, 3], [3, 3]],
    [3, [4, 3, 3], [3]],
    [2, [3, 4, 3], []],
    [0, [0, 1], [0]],
    [-1, [0, 1], []],
  ])('returns for %i of %j: %j', (amount, costs, taken) => {
    expect(affordable(costs, (cost) => cost, amount)).toEqual(taken);
  });
});
