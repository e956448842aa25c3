import { isIndia } from '../../platform/validation/countries.js';

const INDIAN = /^(?:(?:\+|00)?91)?0?[1-9]\d{9}$/;
const ABROAD = /^\d{7,15}$/;

export const PHONE_FAULT =
  'must be ten digits in India, with or without +91 or 0; elsewhere, or with the code of another country, ' +
  '7 to 15 digits';

/**
 * Only judged: the number is kept as it was sent. libphonenumber-js accepts the same Indian numbers, so
 * its tables of all countries would gain nothing here.
 */
export function isPhone(text: string, country: string | undefined): boolean {
  const number = text.replace(/[\s().-]/g, '');
  const hasOtherCode = /^\+(?!91)/.test(number);
  return isIndia(country) && !hasOtherCode ? INDIAN.test(number) : ABROAD.test(number.replace(/^\+/, ''));
}
