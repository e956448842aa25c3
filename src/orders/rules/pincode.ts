const INDIAN = /^[1-9]\d{5}$/;
const FOREIGN = /^[\p{L}\d -]{3,12}$/u;

export const PINCODE_FAULT =
  'must be 6 digits in India, elsewhere 3 to 12 letters, digits, spaces or hyphens';

/** Six digits for India, the default; for other countries the common form of postal codes. */
export function isPincode(text: string, country: string | undefined): boolean {
  return (country !== undefined && !isIndia(country) ? FOREIGN : INDIAN).test(text.trim());
}

function isIndia(country: string): boolean {
  return ['india', 'in', 'ind', 'bharat'].includes(country.trim().toLowerCase());
}
