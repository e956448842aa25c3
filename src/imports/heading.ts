import { DomainError } from '../platform/errors/domain-error.js';

/** Written by ourselves into the file of refused rows. */
export const REASON_COLUMN = 'reason';

export interface Heading {
  cells: string[];
  /** Each column and where it stands; −1 if it may be missing and is. */
  positions: [column: string, position: number][];
  /** The columns that the file has. */
  given: ReadonlySet<string>;
  unknown: string[];
  /** What separated the cells, if something did. */
  delimiter?: string;
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
