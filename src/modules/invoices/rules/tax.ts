import type { Minor } from '../../../platform/money/money.js';
import type { GstCategory } from '../../tax/gst-codes.js';

/** Hundredths of a percent: 18 % is 1800. */
export type Rate = number;

/** An amount with tax included, by parts. They add up to the amount. */
export interface TaxParts {
  taxable: Minor;
  cgst: Minor;
  sgst: Minor;
  igst: Minor;
}

const PARTS = ['taxable', 'cgst', 'sgst', 'igst'] as const;

/**
 * The tax that an amount includes: amount × rate / (100 + rate), half up to the paisa. CGST and SGST are
 * equal by law, so each is rounded by itself at half the rate. `before` is the amount of the line that
 * earlier notes credited: the parts of all credits add up to the parts of the line. But a credit of one
 * paisa never has two paise of tax.
 */
export function taxWithin(gross: Minor, rate: Rate, isWithinState: boolean, before: Minor = 0): TaxParts {
  const [from, to] = [before, before + gross].map((amount) => partsOf(amount, rate, isWithinState));
  const parts = partsBy((part) => to![part] - from![part]);
  return parts.taxable < 0 ? partsOf(gross, 0, isWithinState) : parts;
}

/** The parties of a supply, as documents name them. */
interface Parties {
  seller: { state: string };
  client: { gst_category?: GstCategory | null };
}

/** Supplies to a special economic zone are inter-state, even at home (IGST Act, section 7(5)(b)). */
export function isHomeSupply(placeOfSupply: string, { seller, client }: Parties): boolean {
  return placeOfSupply === seller.state && client.gst_category !== 'sez';
}

/** The sum of amounts, by parts. */
export function sumOfParts(all: readonly TaxParts[]): TaxParts {
  return partsBy((part) => all.reduce((sum, one) => sum + one[part], 0));
}

function partsOf(gross: Minor, rate: Rate, isWithinState: boolean): TaxParts {
  const whole = BigInt(10_000 + rate) * (isWithinState ? 2n : 1n);
  const tax = Number((2n * BigInt(gross) * BigInt(rate) + whole) / (2n * whole));
  return isWithinState
    ? { taxable: gross - 2 * tax, cgst: tax, sgst: tax, igst: 0 }
    : { taxable: gross - tax, cgst: 0, sgst: 0, igst: tax };
}

function partsBy(amountOf: (part: keyof TaxParts) => Minor): TaxParts {
  return Object.fromEntries(PARTS.map((part) => [part, amountOf(part)])) as unknown as TaxParts;
}
