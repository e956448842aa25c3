import { Fault } from '../../platform/validation/fault-decorator.js';

const INDIAN = /^[1-9]\d{5}$/;
const FOREIGN = /^[\p{L}\d -]{3,12}$/u;

/** Six digits for India, which is also meant where no country is named; else what postal codes of the world have in common. */
export function Pincode(): PropertyDecorator {
  return Fault(
    'invalid_pincode',
    'must be 6 digits in India, elsewhere 3 to 12 letters, digits, spaces or hyphens',
    (value, object) => {
      const { country } = object as { country?: unknown };
      const pattern = typeof country === 'string' && !isIndia(country) ? FOREIGN : INDIAN;
      return pattern.test((value as string).trim());
    },
  );
}

function isIndia(country: string): boolean {
  return ['india', 'in', 'ind', 'bharat'].includes(country.trim().toLowerCase());
}
