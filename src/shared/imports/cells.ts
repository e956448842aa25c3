import { isStorableText } from '../../platform/validation/texts.js';
import type { NoteFault } from './import-kind.js';

/** More columns than any import has. */
export const MAX_COLUMNS = 1_000;

/** Spreadsheets leave such cells behind. */
export function isBlank(cell: string): boolean {
  return cell.trim() === '';
}

/**
 * A comma before one or two last digits, with points between thousands: `1234,50` and `1.234,50`, not
 * `1,234`.
 */
const DECIMAL_COMMA = /^(-?)(\d+|\d{1,3}(?:\.\d{3})+),(\d{1,2})$/;

/** Reads a decimal comma, if no comma separates the cells of the file. */
export function withDecimalPoint(amount: string): string {
  return amount.replace(
    DECIMAL_COMMA,
    (_, sign: string, whole: string, decimals: string) => `${sign}${whole.replaceAll('.', '')}.${decimals}`,
  );
}

/**
 * Spreadsheets run such a cell as a formula (OWASP, "CSV Injection"). Some accept full-width signs too, so
 * NFKC comes first. A phone number is harmless.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@])/;
const PHONE_NUMBER = /^[+-]?[\d ().-]+$/;
const APOSTROPHES = /^'+/;
/** Most cells begin like this. They need no normalisation, which takes a fifth of the time of a file. */
const HARMLESS = /^(?:[A-Za-z0-9]|$)/;

function isFormula(cell: string): boolean {
  return !HARMLESS.test(cell) && FORMULA.test(cell.normalize('NFKC')) && !PHONE_NUMBER.test(cell);
}

/** An apostrophe makes it text. A text that has one gets another, so that reading restores the original. */
export function guardFormula(cell: string): string {
  return isFormula(cell.replace(APOSTROPHES, '')) ? `'${cell}` : cell;
}

export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.replace(APOSTROPHES, '')) ? cell.slice(1) : cell;
}

/** For cells that are returned unchanged: an existing apostrophe protects them already. */
export function guardOriginalCell(cell: string): string {
  return isFormula(cell) ? `'${cell}` : cell;
}

/** For cells that are only compared: PostgreSQL must accept the text. */
export function storableCell(column: string, text: string, note: NoteFault): string | null {
  if (isStorableText(text)) return text;
  note(column, 'contains a character that cannot be stored');
  return null;
}

/** An empty cell is null. */
export function optionalCell(column: string, text: string, note: NoteFault): string | null {
  return text === '' ? null : storableCell(column, text, note);
}

export function requiredCell(column: string, text: string, note: NoteFault): string | null {
  if (text === '') note(column, 'must not be empty');
  return text === '' ? null : storableCell(column, text, note);
}

/** PostgreSQL cannot store this character. */
export function withoutNul(cell: string): string {
  return cell.replaceAll('\0', '').toWellFormed();
}
