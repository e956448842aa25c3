import { DomainError } from '../../platform/errors/domain-error.js';
import { type Minor, numericFromMinor, parseHundredths } from '../../platform/money/money.js';

/** The most that comes in at once: 100,000,000.00. */
const MOST: Minor = 10_000_000_000;

/** An amount of money that somebody typed, more than nothing. */
export function readAmount(text: string): Minor {
  const parsed = parseHundredths(text.trim());
  if ('fault' in parsed) throw new DomainError('invalid_value', `The amount ${parsed.fault}.`);
  if (parsed.hundredths > 0 && parsed.hundredths <= MOST) return parsed.hundredths;
  throw new DomainError(
    'invalid_value',
    `The amount must be more than 0 and at most ${numericFromMinor(MOST)}.`,
  );
}
