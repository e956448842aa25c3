import { DomainError } from '../platform/errors/domain-error.js';

/** Written by ourselves into the file of refused rows. */
export const REASON_COLUMN = 'reason';

export interface Heading {
  cells: string[];
  /** Where each of the columns stands; −1 where one that may be missing is. */
  positions: number[];
  unknown: string[];
}

/** Finds the columns by name, whatever their order and case. */
export function readHeading(
  cells: string[],
  required: readonly string[],
  optional: readonly string[],
): Heading {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const missing = required.filter((column) => !names.includes(column));
  const wanted = [...required, ...optional];
  if (missing.length > 0) {
    const lacks = `The heading lacks ${missing.join(', ')}.`;
    throw new DomainError(
      'wrong_columns',
      `${lacks} It must name these columns, in any order: ${wanted.join(', ')}.`,
    );
  }
  const twice = wanted.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined)
    throw new DomainError('wrong_columns', `The heading names the column ${twice} twice.`);
  const known = new Set([...wanted, REASON_COLUMN, '']);
  return {
    cells,
    positions: wanted.map((column) => names.indexOf(column)),
    unknown: names.filter((name) => !known.has(name)),
  };
}
