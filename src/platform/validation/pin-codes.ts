import { isIndia } from './countries.js';

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
  return isIndia(country) ? text.trim().replace(/^(\d{3})[ -](\d{3})$/, '$1$2') : text;
}

/**
 * The first two digits of the PIN codes of a state, as India Post assigns them to its circles
 * (www.indiapost.gov.in, "PIN code"; 9 is the army's). Where a border runs through a circle, both states have
 * it.
 */
const DIGITS: Readonly<Record<string, string>> = {
  'Jammu and Kashmir': '18 19',
  'Himachal Pradesh': '17',
  Punjab: '14 15 16',
  Chandigarh: '14 16',
  Uttarakhand: '24 26',
  Haryana: '12 13',
  Delhi: '11',
  Rajasthan: '30 31 32 33 34',
  'Uttar Pradesh': '20 21 22 23 24 25 26 27 28',
  Bihar: '80 81 82 84 85',
  Sikkim: '73',
  'Arunachal Pradesh': '78 79',
  Nagaland: '79',
  Manipur: '79',
  Mizoram: '79',
  Tripura: '79',
  Meghalaya: '78 79',
  Assam: '78',
  'West Bengal': '70 71 72 73 74',
  Jharkhand: '81 82 83',
  Odisha: '75 76 77',
  Chhattisgarh: '49',
  'Madhya Pradesh': '45 46 47 48',
  Gujarat: '36 37 38 39',
  'Dadra and Nagar Haveli and Daman and Diu': '36 39',
  Maharashtra: '40 41 42 43 44',
  Karnataka: '56 57 58 59',
  Goa: '40',
  Lakshadweep: '68',
  Kerala: '67 68 69',
  'Tamil Nadu': '60 61 62 63 64',
  Puducherry: '53 60 67',
  'Andaman and Nicobar Islands': '74',
  Telangana: '50',
  'Andhra Pradesh': '50 51 52 53',
  Ladakh: '19',
};

/** The names of the states that may have the PIN code. None has the army's. */
export const statesOfPin = (pincode: string) =>
  Object.keys(DIGITS).filter((state) => DIGITS[state]!.split(' ').includes(pincode.slice(0, 2)));

/** By the name of the state. Every state may have a PIN code of the army. */
export const mayHavePin = (state: string, pincode: string) =>
  DIGITS[state] === undefined || pincode.startsWith('9') || statesOfPin(pincode).includes(state);
