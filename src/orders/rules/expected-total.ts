import { DomainError } from '../../platform/errors/domain-error.js';
import {
  amountFromMinor,
  type Minor,
  numericFromMinor,
  parseHundredths,
} from '../../platform/money/money.js';

/** Compared in minor units: the request's number is read by the digits it prints with. */
export function isPriceChanged(expected: number | undefined, total: Minor): boolean {
  if (expected === undefined) return false;
  const parsed = parseHundredths(String(expected));
  return !('hundredths' in parsed) || parsed.hundredths !== total;
}

export function priceChangedMessage(total: Minor): string {
  return `The total is ${numericFromMinor(total)} now.`;
}

/** Refuses an order that costs other than its store reckons with. */
export function checkExpectedTotal(expected: number | undefined, total: Minor): void {
  if (!isPriceChanged(expected, total)) return;
  throw new DomainError('price_changed', `${priceChangedMessage(total)} Nothing was created.`, {
    facts: { total: amountFromMinor(total), expected_total: expected },
  });
}
