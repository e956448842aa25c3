import { isIP } from 'node:net';
import { parsePercent } from '../money/money.js';
import { isTimeZone, parseDay, type Day, type TimeZone } from '../time/time.js';
import { countryName } from '../validation/countries.js';
import { type Detail, parseDetails } from './details.js';

/** Reads a text without spaces around it. `fault` takes the rest of a sentence that begins with the name. */
export type Reader<Value> = (given: string, fault: (sentence: string) => void) => Value;

export const text: Reader<string> = (given) => given;

/** An empty text is undefined. */
export function optional<Value>(read: Reader<Value>): Reader<Value | undefined> {
  return (given, fault) => (given === '' ? undefined : read(given, fault));
}

export const optionalText = optional(text);

export function integer(min: number, max: number): Reader<number> {
  return (given, fault) => {
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= min && value <= max))
      fault(`must be a whole number from ${min} to ${max}, but is "${given}".`);
    return value;
  };
}

export function oneOf<Value extends string>(...values: Value[]): Reader<Value> {
  return (given, fault) => {
    if (!values.some((value) => value === given))
      fault(`must be one of ${values.join(', ')}, but is "${given}".`);
    return given as Value;
  };
}

export const gateway = optional(oneOf('none', 'sandbox', 'razorpay'));

export const onOrOff: Reader<boolean> = (given, fault) => oneOf('on', 'off')(given, fault) === 'on';

/** An origin, without a slash at the end. The value is not repeated: it may hold a password. */
export const baseUrl: Reader<string> = (given, fault) => {
  const { origin, href } = /^https?:/i.test(given) && URL.canParse(given) ? new URL(given) : {};
  if (origin === undefined || href !== `${origin}/`)
    fault('must look like https://wholesale.example.com, without a path.');
  return origin ?? '';
};

/** The value is not repeated: it may hold a password. Without a name, PostgreSQL uses the user's. */
export const databaseUrl: Reader<string> = (given, fault) => {
  const hasName =
    /^postgres(ql)?:\/\//.test(given) && URL.canParse(given) && new URL(given).pathname.length > 1;
  if (!hasName)
    fault(
      'must look like postgres://user:password@host:5432/database. ' +
        'In a password write %2F for /, %3F for ? and %23 for #.',
    );
  return given;
};

export const currency: Reader<string> = (given, fault) => {
  const known = /^[A-Z]{3}$/.test(given);
  const format = known && new Intl.NumberFormat('en', { style: 'currency', currency: given });
  if (!format || format.resolvedOptions().maximumFractionDigits !== 2)
    fault(`must be a three-letter code, in capitals, of a currency with two decimals, but is "${given}".`);
  return given;
};

export const timeZone: Reader<TimeZone> = (given, fault) => {
  if (!isTimeZone(given)) fault(`must be a name such as Asia/Kolkata or UTC, but is "${given}".`);
  return given;
};

export const day: Reader<Day> = (given, fault) => {
  if (parseDay(given) !== given) fault(`must be a day such as 2026-04-01, but is "${given}".`);
  return given;
};

export const countries: Reader<readonly string[]> = (given, fault) =>
  given.split(',').flatMap((part) => {
    const name = countryName(part);
    if (name === undefined) fault(`must list countries such as India or IN, but has "${part.trim()}".`);
    return name ?? [];
  });

export const hsnDigits: Reader<number> = (given, fault) => Number(oneOf('4', '6')(given, fault));

/** In hundredths of a percent. */
export const gstRates: Reader<readonly number[]> = (given, fault) =>
  (given === '' ? [] : given.split(',')).flatMap((part) => {
    const parsed = parsePercent(part);
    if ('hundredths' in parsed && parsed.hundredths > 0 && parsed.hundredths <= 10_000)
      return parsed.hundredths;
    fault(`must list percentages such as 7.5, but has "${part.trim()}".`);
    return [];
  });

export const details: Reader<readonly Detail[]> = (given, fault) => {
  const parsed = parseDetails(given);
  if (typeof parsed !== 'string') return parsed;
  fault(`${parsed}, separated by semicolons.`);
  return [];
};

/**
 * A hop count or the addresses of the proxies. Trusting all callers would let each choose its own address.
 */
export const trustProxy: Reader<number | string[] | false> = (given, fault) => {
  if (given === '' || given === '0') return false;
  if (/^[1-9]$/.test(given)) return Number(given);
  const addresses = given.split(',').map((part) => part.trim());
  if (!addresses.every(isAddressOrRange))
    fault(`must be a number of hops (1 to 9) or a list of addresses or CIDR ranges, but is "${given}".`);
  return addresses;
};

function isAddressOrRange(given: string): boolean {
  const [address = '', bits, ...rest] = given.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
