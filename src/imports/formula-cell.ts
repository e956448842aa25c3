/**
 * A spreadsheet takes a cell that begins like this for a formula (OWASP, "CSV Injection"), after white space too. Japanese and Chinese
 * ones take the full-width signs for the same, so a cell is judged by its compatible form. A phone number does no harm.
 */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@])/;
const PHONE_NUMBER = /^[+-]?[\d ().-]+$/;
const APOSTROPHES = /^'+/;

function isFormula(cell: string): boolean {
  return FORMULA.test(cell.normalize('NFKC')) && !PHONE_NUMBER.test(cell);
}

/** An apostrophe makes it text. One that stands there already gets another, so that exactly what was added can be taken off again. */
export function guardFormula(cell: string): string {
  return isFormula(cell.replace(APOSTROPHES, '')) ? `'${cell}` : cell;
}

export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && isFormula(cell.replace(APOSTROPHES, '')) ? cell.slice(1) : cell;
}

/** For a cell of somebody else's file, which is read as it stands: what has an apostrophe already keeps just that. */
export function guardGivenCell(cell: string): string {
  return isFormula(cell) ? `'${cell}` : cell;
}
