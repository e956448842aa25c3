import { parseLineQuantities, type PricedLine } from '../../src/modules/orders/rules/order-units.js';

/** Units as people write them: "1=2 2=1" are 2 units of line 1 and 1 unit of line 2. */
export const units = (text: string) => parseLineQuantities([text]);

/** A line of an order at ₹10 a unit, of which nothing was done yet. */
export const orderLine = (line: number, quantity: number, done: Partial<PricedLine> = {}): PricedLine => ({
  line,
  quantity,
  shipped: 0,
  cancelled: 0,
  refunded: 0,
  returned: 0,
  unitPrice: 10_00,
  ...done,
});
