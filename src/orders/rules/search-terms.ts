/** The index finds what has three letters or more. */
const LEAST_LETTERS = 3;

/** More words than a name, a phone number and an address of mail have together. */
const MOST_TERMS = 8;

const LIKE_A_PHONE_NUMBER = /^\+?[\d\s().-]+$/;

/** Without the country's or the trunk's prefix, which one writes and another does not. */
const PHONE_DIGITS = 10;

/**
 * What is to be found of what somebody has typed: each of the terms, in any of its spellings. A phone number is one term, however it is spaced,
 * and may as well be something else made of digits. None where all of it is too short: nobody means to read a hundred thousand orders for an `a`.
 */
export function searchTerms(text: string): string[][] {
  const words = text.split(/\s/).filter(Boolean).slice(0, MOST_TERMS);
  const digits = LIKE_A_PHONE_NUMBER.test(text) ? text.replace(/\D/g, '').slice(-PHONE_DIGITS) : '';
  const terms = digits ? [[...new Set([words.join(' '), digits])]] : words.map((word) => [word]);
  return terms.some((spellings) => spellings.every(({ length }) => length >= LEAST_LETTERS)) ? terms : [];
}

/** As `LIKE` takes it: what means something there means itself. */
export function anywhere(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`;
}
