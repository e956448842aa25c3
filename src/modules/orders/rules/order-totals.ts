import { DomainError } from '../../../platform/errors/domain-error.js';
import {
  amountFromMinor,
  type Minor,
  numericFromMinor,
  parseHundredths,
} from '../../../platform/money/money.js';
import { deliveryCharge } from './delivery-charge.js';
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

/** Compares in minor units, by the printed digits of the number. */
export function isPriceChanged(expected: number | undefined, total: Minor): boolean {
  if (expected === undefined) return false;
  const parsed = parseHundredths(String(expected));
  return !('hundredths' in parsed) || parsed.hundredths !== total;
}

export function priceChangedMessage(total: Minor): string {
  return `The total is ${numericFromMinor(total)} now.`;
}

/** Refuses an order whose total differs from the store's expectation. */
export function checkExpectedTotal(expected: number | undefined, total: Minor): void {
  if (!isPriceChanged(expected, total)) return;
  throw new DomainError('price_changed', `${priceChangedMessage(total)} Nothing was created.`, {
    facts: { total: amountFromMinor(total), expected_total: expected },
  });
}

/** Takes each thing in order if the rest of the amount pays for it. */
export function affordable<Thing>(
  things: readonly Thing[],
  costOf: (thing: Thing) => number,
  amount: number,
): Thing[] {
  let left = amount;
  return things.filter((thing) => {
    const cost = costOf(thing);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}
