import type { OrderLine } from '../rules/order-lines.js';
import { orderTotals } from '../rules/order-totals.js';
import { toOrderQuote } from './order-quote.mapper.js';

const MUG = { productId: 1, sku: 'MUG', name: 'Mug', price: 3_365, deliveryCharge: 4_950, variations: [] };
const SHIRT = {
  productId: 2,
  sku: 'SHIRT',
  name: 'Shirt',
  price: 200,
  deliveryCharge: 0,
  variations: [{ name: 'Size', values: ['S', 'M'] }],
};

const line = (index: number, offer: OrderLine['offer'], more: Partial<OrderLine>): OrderLine => ({
  index,
  offer,
  variationKey: '',
  remark: null,
  metadata: null,
  quantity: 1,
  lineTotal: offer.price * (more.quantity ?? 1),
  ...more,
});

const LINES = [
  line(0, MUG, { quantity: 2, remark: 'gift wrap' }),
  line(1, SHIRT, { variationKey: 'Size:S' }),
  line(2, MUG, {}),
];

const STOCK = [
  { id: 1, productId: 1, variationKey: '', onHand: 4, held: 1 },
  { id: 2, productId: 2, variationKey: 'Size:M', onHand: 9, held: 0 },
];

const OBSTACLE = { field: 'items[1].quantity', code: 'insufficient_stock', message: 'm' };

const QUOTE = {
  lines: LINES,
  stock: STOCK,
  totals: orderTotals(LINES),
  obstacles: [OBSTACLE],
  currency: 'INR',
};

describe('A quote', () => {
  it('shows the price of each line, the totals and the stock', () => {
    const enough = { requested: 3, available: 3, sufficient: true };
    const mug = { sku: 'MUG', name: 'Mug', unit_price: 33.65, stock: enough };
    const lacking = { requested: 1, available: 0, sufficient: false };
    const shirt = { sku: 'SHIRT', name: 'Shirt', unit_price: 2, stock: lacking };
    expect(toOrderQuote(QUOTE)).toEqual({
      success: true,
      orderable: false,
      errors: [OBSTACLE],
      items: [
        { ...mug, variation: 'gift wrap', quantity: 2, line_total: 67.3 },
        { ...shirt, variation: 'Size:S', quantity: 1, line_total: 2 },
        { ...mug, variation: null, quantity: 1, line_total: 33.65 },
      ],
      subtotal: 102.95,
      delivery: 49.5,
      delivery_breakdown: [
        { sku: 'MUG', charge: 49.5 },
        { sku: 'SHIRT', charge: 0 },
      ],
      total: 152.45,
      currency: 'INR',
    });
  });

  it('is orderable without obstacles', () => {
    expect(toOrderQuote({ ...QUOTE, obstacles: [] })).toMatchObject({ orderable: true, errors: [] });
  });
});
