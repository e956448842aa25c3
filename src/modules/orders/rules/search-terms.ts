/** The index finds texts of three letters or more. */
const MIN_LETTERS = 3;

/** More words than a name, a phone number and an e-mail address have. */
const MAX_TERMS = 8;

const LIKE_A_PHONE_NUMBER = /^\+?[\d\s().-]+$/;

/** Digits without a country or trunk prefix, which some people leave out. */
const PHONE_DIGITS = 10;

/**
 * Search terms of a typed text, each in its spellings. A phone number is one term, however it is spaced. No
 * terms if all words are too short, because a single letter would match every order.
 */
export function searchTerms(text: string): string[][] {
  const words = text.split(/\s/).filter(Boolean).slice(0, MAX_TERMS);
  const digits = LIKE_A_PHONE_NUMBER.test(text) ? text.replace(/\D/g, '').slice(-PHONE_DIGITS) : '';
  const terms = digits ? [[...new Set([words.join(' '), digits])]] : words.map((word) => [word]);
  return terms.some((spellings) => spellings.every(({ length }) => length >= MIN_LETTERS)) ? terms : [];
}

/** Escapes a term for `LIKE`. */
export function likePattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`;
}
