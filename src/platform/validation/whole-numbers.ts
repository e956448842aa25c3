const SIGNED = /^[+-]?\d{1,10}$/;

/**
 * Reads a whole number in a range, as people type it into forms, commands and files. It has a sign only if
 * the range has negative numbers: a count of "+12" may mean 12 more.
 */
export function parseWholeNumber(text: string, min: number, max: number): number | undefined {
  const typed = text.trim().replace('−', '-');
  if (!SIGNED.test(typed) || (min >= 0 && !/^\d/.test(typed))) return undefined;
  const number = Number(typed);
  return number >= min && number <= max ? number : undefined;
}
