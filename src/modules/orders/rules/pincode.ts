import { isIndia } from '../../../platform/validation/countries.js';

const INDIAN = /^[1-9]\d{5}$/;
const FOREIGN = /^[\p{L}\d -]{3,12}$/u;

export const PINCODE_FAULT =
  'must be 6 digits in India, elsewhere 3 to 12 letters, digits, spaces or hyphens';

/** Six digits for India, the default; for other countries the common form of postal codes. */
export function isPincode(text: string, country: string | undefined): boolean {
  return (isIndia(country) ? INDIAN : FOREIGN).test(text.trim());
}

/** Many people write `560 038`. */
export function readPincode(text: string, country: string | undefined): string {
  return isIndia(country) ? text.replace(/^\s*(\d{3})[ -](\d{3})\s*$/, '$1$2') : text;
}
