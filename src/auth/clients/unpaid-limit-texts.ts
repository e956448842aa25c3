import { DomainError } from '../../platform/errors/domain-error.js';
import { numericFromMinor, parseHundredths } from '../../platform/money/money.js';

const MOST_ORDERS = 999_999_999;

/** Reads a limit: an amount, `none`, or `default` for the settings' value. */
export function readValueLimit(text: string): string | null {
  return readLimit(text, '0.00', (given) => {
    const parsed = parseHundredths(given);
    if ('fault' in parsed || parsed.hundredths <= 0 || parsed.hundredths >= 10 ** 15) {
      throw wrong('The limit of unpaid value', 'an amount of more than 0');
    }
    return numericFromMinor(parsed.hundredths);
  });
}

/** The same for the number of orders. */
export function readOrdersLimit(text: string): number | null {
  return readLimit(text, 0, (given) => {
    const count = /^\d{1,9}$/.test(given) ? Number(given) : 0;
    if (count < 1 || count > MOST_ORDERS)
      throw wrong('The limit of unpaid orders', 'a whole number from 1 on');
    return count;
  });
}

function readLimit<Limit>(text: string, none: Limit, read: (given: string) => Limit): Limit | null {
  const given = text.trim();
  if (given === 'default') return null;
  return given === 'none' ? none : read(given);
}

function wrong(what: string, must: string): DomainError {
  return new DomainError('invalid_value', `${what} must be ${must}, none, or default.`);
}
