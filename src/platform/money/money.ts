/** An amount of money in whole minor units (paise). All calculations use it. */
export type Minor = number;

/** The highest price and the highest delivery charge of a product: 1,000,000.00. */
export const MAX_PRICE: Minor = 100_000_000;

type ParsedPrice = { minor: Minor } | { fault: string };

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Reads a decimal of at most 2 places as hundredths, digit by digit, without a float. */
export function parseHundredths(text: string): { hundredths: number } | { fault: string } {
  const match = DECIMAL.exec(text);
  if (!match) return { fault: 'must be a plain number such as 12.50' };
  const [, sign, whole, decimals = ''] = match;
  if (decimals.length > 2) return { fault: 'must have at most 2 decimals' };
  const magnitude = Number(`${whole}${decimals.padEnd(2, '0')}`);
  if (!Number.isSafeInteger(magnitude)) return { fault: 'is too large' };
  return { hundredths: sign && magnitude !== 0 ? -magnitude : magnitude };
}

/** Reads PostgreSQL's `numeric` text. Throws for other text: that is a bug. */
export function minorFromNumeric(text: string): Minor {
  const parsed = parseHundredths(text);
  if ('fault' in parsed) throw new RangeError(`The amount ${JSON.stringify(text)} ${parsed.fault}.`);
  return parsed.hundredths;
}

/** Reads a price or a charge that a person typed. Faults finish the sentence "the price …". */
export function parsePrice(text: string): ParsedPrice {
  const parsed = parseHundredths(text.trim());
  if ('fault' in parsed) return parsed;
  if (parsed.hundredths < 0) return { fault: 'must not be negative' };
  if (parsed.hundredths > MAX_PRICE) return { fault: `must be at most ${numericFromMinor(MAX_PRICE)}` };
  return { minor: parsed.hundredths };
}

/** Reads a price as people type it, as numeric text. */
export function readTypedPrice(text: string, refuse: (fault: string) => Error): string {
  const parsed = parsePrice(plainNumber(text));
  if ('fault' in parsed) throw refuse(parsed.fault);
  return numericFromMinor(parsed.minor);
}

export function numericFromMinor(minor: Minor): string {
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * The JSON number. IEEE division rounds correctly, so this is the double that the decimal text denotes. It
 * prints with at most 2 decimals up to 2^46 (7 × 10^13), far above the largest order (10^13).
 */
export function amountFromMinor(minor: Minor): number {
  return minor / 100;
}

/** The JSON number of PostgreSQL's `numeric` text. */
export function amountFromNumeric(text: string): number {
  return amountFromMinor(minorFromNumeric(text));
}

/** The minor units of an amount that a query gives as a number. A product with 100 may be off by a paisa. */
export function minorFromAmount(amount: number): Minor {
  return minorFromNumeric(amount.toFixed(2));
}

/** Reads an amount as people type it into forms and commands: "1,00,000", "₹250.50" or "Rs. 499/-". */
export function parseAmount(text: string): { hundredths: number } | { fault: string } {
  return parseHundredths(plainNumber(text));
}

/**
 * Reads a percentage as people type it: "12.5", "12.5%" or "12.5 %". A hundredth is a basis point. A change
 * may have a sign: "+4", "-4" or "−4".
 */
export function parsePercent(text: string, isChange = false): { hundredths: number } | { fault: string } {
  const percent = text.trim().replace(/ ?%$/, '');
  if (isChange) return parseHundredths(percent.replace(/^\+(?=\d)/, '').replace('\u2212', '-'));
  const parsed = parseHundredths(percent);
  return 'hundredths' in parsed && parsed.hundredths < 0 ? { fault: 'must not be negative' } : parsed;
}

/**
 * Groups of digits, in Indian or in thousands. A comma elsewhere may be a decimal comma, which the next
 * reader refuses.
 */
const GROUPED = /^-?\d{1,3}(,\d{2,3})*,\d{3}(\.\d+)?$/;

/** The currency signs that people write around an amount. */
const SIGN_BEFORE = /^(?:₹|rs\.?|inr)/i;
const SIGN_AFTER = /(?:\/-|₹|rs\.?|inr)$/i;

/** The plain number of an amount as people write it. */
export function plainNumber(text: string): string {
  const amount = text.trim().replace(SIGN_BEFORE, '').replace(SIGN_AFTER, '').trim();
  return GROUPED.test(amount) ? amount.replaceAll(',', '') : amount;
}
