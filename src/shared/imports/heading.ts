import { DomainError } from '../../platform/errors/domain-error.js';
import { editsTo, nearestTo } from '../../platform/validation/similar-names.js';
import { isBlank, MOST_COLUMNS, withoutNul } from './cells.js';
import type { ReadAs, Reading } from './import-kind.js';

/** The last column of the file of refused rows. */
export const REASON_COLUMN = 'reason';

/** Shorter words occur in many headings. */
const SHORTEST_WORD = 3;

/** Shorter words are similar too often. */
const LEAST_TO_MISSPELL = 5;

/** Distance in edits: a misspelt column is nearer than a column that contains the heading. */
const RANK_OF_PART = 3;

/** Each cell is compared with each column, and named in errors. */
const LONGEST_CELL = 1_000;

const HAS_LETTERS = /[\p{L}\p{N}]/u;

export interface Heading {
  cells: string[];
  /** The position of each column; −1 for an optional column that is missing. */
  positions: [column: string, position: number][];
  given: ReadonlySet<string>;
  unknown: string[];
  /** Values of columns that the file lacks. */
  constants: Readonly<Record<string, string>>;
  /** Undefined for a workbook. */
  delimiter?: string;
}

/** The columns that a file may have. See `ImportOptions` for the others. */
export interface KnownColumns {
  required: readonly string[];
  optional?: readonly string[];
  renamed?: Readonly<Record<string, string>>;
  constants?: Readonly<Record<string, string>>;
  /** The file needs at least one of these columns. */
  oneOf?: readonly string[] | undefined;
  /** Without the column, a heading with this word is refused until a person maps it. */
  mustRead?: readonly string[] | undefined;
  /** Other names of columns, for files of other programs. Our own names come first. */
  aliases?: Readonly<Partial<Record<string, readonly string[]>>> | undefined;
  readings?: readonly (readonly ReadAs[])[] | undefined;
  onRead?: ((reading: Reading) => void) | undefined;
}

/** Finds the columns by name, in any order. Case, blanks and punctuation do not matter: `Base Price`. */
export function readHeading(cells: string[], known: KnownColumns): Heading {
  const {
    required,
    optional = [],
    renamed = {},
    constants = {},
    readings = [],
    oneOf = [],
    mustRead,
  } = known;
  checkSize(cells);
  const wanted = [...required, ...optional];
  checkRenamed(renamed, cells, wanted);
  const own = cells.map((cell) => (isBlank(cell) ? undefined : columnCalled(cell, wanted, renamed)));
  const columns = wanted.filter((column) => !own.includes(column));
  const others = [...cells.entries()].filter(
    ([at, cell]) => own[at] === undefined && !isBlank(cell) && !isSame(REASON_COLUMN, cell),
  );
  const headings = others.map(([, cell]) => withoutNul(cell).trim());
  const chosen = readings.find((reading) => isOf(reading, headings));
  const names = chosen ? [...own] : withAliases(own, cells, known);
  for (const [index, [at]] of others.entries())
    if (chosen) names[at] = columns.find((column) => column === chosen[index]![1]);
  known.onRead?.({
    headings: others.map(([at], index) => [headings[index]!, names[at] ?? '']),
    columns,
  });
  for (const column of Object.keys(constants)) {
    checkKnown(column, wanted);
    if (names.includes(column)) throw wrongColumns(`The file has the column ${column} itself.`);
  }
  const twice = wanted.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (twice !== undefined) throw wrongColumns(`The heading names the column ${twice} twice.`);
  const unknown = others.filter(([at]) => names[at] === undefined).map(([, cell]) => cell.trim());
  const given = new Set([...names, ...Object.keys(constants)]);
  const missing = wanted.filter((column) => !given.has(column));
  const lacks = required.filter((column) => missing.includes(column));
  if (oneOf.length > 0 && oneOf.every((column) => missing.includes(column))) lacks.push(oneOf.join(' or '));
  const misnamed = chosen ? '' : suggestColumns(unknown, missing, mustRead);
  if (lacks.length > 0) {
    const may = optional.length === 0 ? '' : ` Optional: ${optional.join(', ')}.`;
    const needed = [...required, ...(oneOf.length > 0 ? [oneOf.join(' or ')] : [])].join(', ');
    const must = `Required, in any order: ${needed}.${may}`;
    throw wrongColumns([`The heading lacks ${lacks.join(', ')}.`, misnamed, must].filter(Boolean).join(' '));
  }
  if (misnamed !== '') throw wrongColumns(`${misnamed} Rename the column or remove it.`);
  return {
    cells,
    positions: wanted.map((column) => [column, names.indexOf(column)]),
    given: new Set(wanted.filter((column) => given.has(column))),
    unknown,
    constants,
  };
}

function isOf(reading: readonly ReadAs[], headings: readonly string[]): boolean {
  return reading.length === headings.length && reading.every(([heading], at) => heading === headings[at]);
}

function withAliases(
  own: readonly (string | undefined)[],
  cells: readonly string[],
  { required, optional = [], constants = {}, aliases = {} }: KnownColumns,
): (string | undefined)[] {
  const names = [...own];
  for (const column of [...required, ...optional]) {
    if (names.includes(column) || constants[column] !== undefined) continue;
    const at = aliases[column]?.map((alias) =>
      cells.findIndex((cell, position) => names[position] === undefined && isSame(alias, cell)),
    );
    const first = at?.find((position) => position >= 0);
    if (first !== undefined) names[first] = column;
  }
  return names;
}

function checkSize(cells: readonly string[]): void {
  if (cells.filter((cell) => !isBlank(cell)).length > MOST_COLUMNS)
    throw wrongColumns(`The heading has more than ${MOST_COLUMNS} columns.`);
  const long = cells.find((cell) => cell.length > LONGEST_CELL);
  if (long === undefined) return;
  const start = long.trim().slice(0, 30);
  throw wrongColumns(`A column of the heading is longer than ${LONGEST_CELL} characters: "${start}…".`);
}

/** A sentence for each heading that is similar to a missing column. */
function suggestColumns(
  unknown: readonly string[],
  missing: readonly string[],
  mustRead: readonly string[] = [],
): string {
  return unknown
    .flatMap((cell) => {
      const meant =
        nearestTo(missing, (column) => (isPartOf(column, cell) ? RANK_OF_PART : editsTo(column, cell))) ??
        missing.find((column) => mustRead.includes(column) && wordsOf(cell).includes(column));
      return meant === undefined ? [] : [`There is no column "${cell}": did you mean ${meant}?`];
    })
    .join(' ');
}

function columnCalled(
  cell: string,
  wanted: readonly string[],
  renamed: Readonly<Record<string, string>>,
): string | undefined {
  const other = Object.keys(renamed).find((name) => isSame(name, cell));
  return other === undefined ? wanted.find((column) => isSame(column, cell)) : renamed[other];
}

function isSame(name: string, cell: string): boolean {
  return name.trim() === cell.trim() || (HAS_LETTERS.test(name) && editsTo(name, cell) === 0);
}

const wordsOf = (cell: string) => cell.toLowerCase().split(/[\s_-]+/);

/** `price` is a part of `base_price`, and so is the misspelt `prise`. */
function isPartOf(column: string, cell: string): boolean {
  const words = wordsOf(cell);
  const known = column.split('_');
  const isKnown = (word: string) =>
    known.some(
      (part) => part === word || (word.length >= LEAST_TO_MISSPELL && editsTo(part, word) !== undefined),
    );
  return words.some(({ length }) => length >= SHORTEST_WORD) && words.every(isKnown);
}

function checkRenamed(
  renamed: Readonly<Record<string, string>>,
  cells: readonly string[],
  wanted: readonly string[],
): void {
  for (const [name, column] of Object.entries(renamed)) {
    checkKnown(column, wanted);
    if (!cells.some((cell) => isSame(name, cell)))
      throw wrongColumns(`The heading has no "${name}". It is: ${cells.join(', ')}.`);
  }
}

function checkKnown(column: string, wanted: readonly string[]): void {
  if (wanted.includes(column)) return;
  throw wrongColumns(`There is no column "${column}". The columns are ${wanted.join(', ')}.`);
}

function wrongColumns(message: string): DomainError {
  return new DomainError('wrong_columns', message);
}
