import { DomainError } from '../../../platform/errors/domain-error.js';
import {
  amountFromMinor,
  type Minor,
  numericFromMinor,
  parseHundredths,
} from '../../../platform/money/money.js';
import { deliveryCharge } from './delivery-charge.js';
import type { Obstacle } from './obstacle.js';
import type { OrderLine } from './order-lines.js';

export interface OrderTotals {
  subtotal: Minor;
  delivery: Minor;
  deliveryPerProduct: { productId: number; charge: Minor }[];
  total: Minor;
}

/** The sum of price × quantity, plus delivery. */
export function orderTotals(lines: readonly OrderLine[]): OrderTotals {
  const subtotal = lines.reduce((sum, { lineTotal }) => sum + lineTotal, 0);
  const delivery = deliveryCharge(lines.map(({ offer }) => offer));
  return {
    subtotal,
    delivery: delivery.total,
    deliveryPerProduct: delivery.perProduct,
    total: subtotal + delivery.total,
  };
}

/** The total differs from the store's expectation. */
export function priceObstacle(expected: number | undefined, total: Minor): Obstacle | undefined {
  if (!isPriceChanged(expected, total)) return undefined;
  const [message, amount] = [`The total is ${numericFromMinor(total)} now.`, amountFromMinor(total)];
  return {
    error: new DomainError('price_changed', `${message} Nothing was created.`, {
      facts: { total: amount, expected_total: expected },
    }),
    rows: [{ field: 'expected_total', code: 'price_changed', message, total: amount }],
  };
}

/** Compares in minor units, by the printed digits of the number. */
function isPriceChanged(expected: number | undefined, total: Minor): boolean {
  if (expected === undefined) return false;
  const parsed = parseHundredths(String(expected));
  return !('hundredths' in parsed) || parsed.hundredths !== total;
}

/** Takes each thing in order if the rest of the amount pays for it. */
export function affordable<Thing>(
  parts: readonly Thing[],
  costOf: (thing: Thing) => number,
  amount: number,
): Thing[] {
  let left = amount;
  return parts.filter((thing) => {
    const cost = costOf(thing);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}
