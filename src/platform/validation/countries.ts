/** The country of an order without a country. */
export const INDIA = 'India';

const CALLED_INDIA = new Set(['india', 'in', 'ind', 'bharat']);

let countryNames: Map<string, string> | undefined;

/** The name of a country that is given by its English name or two-letter code; undefined if there is none. */
export function countryName(given: string): string | undefined {
  const name = given.trim().toLowerCase();
  return CALLED_INDIA.has(name) ? INDIA : (countryNames ??= namesOfCountries()).get(name);
}

/** An order without a country goes to India. */
export function isIndia(country: string | undefined): boolean {
  return country === undefined || CALLED_INDIA.has(country.trim().toLowerCase());
}

export function isServed(country: string, served: readonly string[]): boolean {
  return served.includes(countryName(country) ?? '');
}

export function servedFault(served: readonly string[]): string {
  return `must be one of the countries that are served: ${served.join(', ')}`;
}

function namesOfCountries(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const all = codes.flatMap((code) => {
    const name = names.of(code);
    return name === undefined
      ? []
      : [[code.toLowerCase(), name] as const, [name.toLowerCase(), name] as const];
  });
  return new Map(all);
}
