import { DomainError } from '../platform/errors/domain-error.js';

/** The last column of the file of refused rows. */
export const REASON_COLUMN = 'reason';

export interface Heading {
  cells: string[];
  /** The position of each column; −1 for an optional column that is missing. */
  positions: [column: string, position: number][];
  given: ReadonlySet<string>;
  unknown: string[];
  /** Undefined for a workbook. */
  delimiter?: string;
}

/** Finds the columns by name, in any order and case. */
export function readHeading(
  cells: string[],
  required: readonly string[],
  optional: readonly string[],
): Heading {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const missing = required.filter((column) => !names.includes(column));
  const wanted = [...required, ...optional];
  const may = optional.length === 0 ? '' : `, and may name ${optional.join(', ')}`;
  if (missing.length > 0) {
    const lacks = `The heading lacks ${missing.join(', ')}.`;
    throw new DomainError(
      'wrong_columns',
      `${lacks} It must name, in any order, ${required.join(', ')}${may}.`,
    );
  }
  const twice = wanted.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined)
    throw new DomainError('wrong_columns', `The heading names the column ${twice} twice.`);
  const known = new Set([...wanted, REASON_COLUMN, '']);
  return {
    cells,
    positions: wanted.map((column) => [column, names.indexOf(column)]),
    given: new Set(wanted.filter((column) => names.includes(column))),
    unknown: names.filter((name) => !known.has(name)),
  };
}
