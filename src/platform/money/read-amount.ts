import { DomainError } from '../errors/domain-error.js';
import { type Minor, numericFromMinor, parseAmount } from './money.js';

/** The largest amount of one payment or refund: 100,000,000.00. */
const MAX_AMOUNT: Minor = 10_000_000_000;

/** Reads a typed amount greater than zero. */
export function readAmount(text: string): Minor {
  const parsed = parseAmount(text);
  if ('fault' in parsed) throw new DomainError('invalid_value', `The amount ${parsed.fault}.`);
  if (parsed.hundredths > 0 && parsed.hundredths <= MAX_AMOUNT) return parsed.hundredths;
  throw new DomainError(
    'invalid_value',
    `The amount must be more than 0 and at most ${numericFromMinor(MAX_AMOUNT)}.`,
  );
}
