import { isIndia } from '../../../platform/validation/countries.js';

const INDIAN = /^(?:(?:\+|00)?91)?0?[1-9]\d{9}$/;
const FOREIGN = /^\+?\d{7,15}$/;

export const PHONE_FAULT =
  'must be ten digits in India, with or without +91 or 0; with the code of another country, 7 to 15 digits';

/**
 * Only checks: the number is stored as it was sent. libphonenumber-js accepts the same Indian numbers, so
 * its tables of all countries would gain nothing here.
 */
export function isPhone(text: string, country: string | undefined): boolean {
  const number = text.replace(/[\s().-]/g, '');
  const hasOtherCode = number.startsWith('+') && !number.startsWith('+91');
  return (isIndia(country) && !hasOtherCode ? INDIAN : FOREIGN).test(number);
}
