import { asked } from './import-tables.js';

/** The column in which an export says what it saw. An import that gets it back knows what was edited, and what has changed since. */
export const WAS = 'was';

/** Of 40 bits: that a row is changed into one with the same fingerprint is as good as impossible. */
const LENGTH = 10;

/**
 * A short word for what the columns hold, in their order. It has no digits and no vowels, so that no spreadsheet takes it for a number, a
 * date or a word to be corrected.
 */
export function fingerprint(columns: readonly string[]): string {
  return `translate(left(md5(ROW(${columns.join(', ')})::text), ${LENGTH}), '0123456789abcdef', 'bcdfghjklmnpqrst')`;
}

/** Whether a row that was exported came back as it was: it says nothing, whatever has changed since. */
export function isUnedited(was: string, said: readonly string[]): string {
  return `coalesce(${was} = ${fingerprint(said)}, false)`;
}

/** Whether what is stored has changed since the row was exported, and nobody said to write it all the same. */
export function isStale(was: string, stored: readonly string[]): string {
  return `(coalesce(${was} <> ${fingerprint(stored)}, false) AND NOT ${asked('overwrite')})`;
}

/** To be told of a row that is stale. */
export const EXPORT_AGAIN = 'export it again, or write it all the same with --overwrite';

/** To be told if that came to light only when the row was about to be written. */
export const CHANGED_JUST_NOW = `was changed just now by somebody else: ${EXPORT_AGAIN}`;
