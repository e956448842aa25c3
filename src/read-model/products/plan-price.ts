import { type Minor, parsePercent } from '../../platform/money/money.js';

const BASIS_POINTS_PER_WHOLE = 10_000;

/** The caller's price: the plan's fixed price, else the base less the discount, rounded half up. */
export function planPrice(base: Minor, discountBasisPoints: number, fixed: Minor | null): Minor {
  if (fixed !== null) return fixed;
  const scaled = base * (BASIS_POINTS_PER_WHOLE - discountBasisPoints) + BASIS_POINTS_PER_WHOLE / 2;
  // The remainder is exact; a division of large numbers might round up.
  return (scaled - (scaled % BASIS_POINTS_PER_WHOLE)) / BASIS_POINTS_PER_WHOLE;
}

/** Reads a discount that a person typed. Faults finish the sentence "the discount …". */
export function parseDiscount(text: string): { basisPoints: number } | { fault: string } {
  const parsed = parsePercent(text);
  if ('fault' in parsed) return parsed;
  if (parsed.hundredths > BASIS_POINTS_PER_WHOLE) return { fault: 'must be from 0 to 100' };
  return { basisPoints: parsed.hundredths };
}

/** Reads the database's `numeric(5,2)`: "12.50" is 1250 basis points. */
export function basisPointsFromPercent(text: string): number {
  const parsed = parseDiscount(text);
  if ('fault' in parsed) throw new RangeError(`The discount ${JSON.stringify(text)} ${parsed.fault}.`);
  return parsed.basisPoints;
}
