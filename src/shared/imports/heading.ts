import { DomainError } from '../../platform/errors/domain-error.js';
import { editsTo, nearestTo } from '../../platform/validation/similar-names.js';
import { isBlank, MAX_COLUMNS, withoutNul } from './cells.js';
import type { MappedHeading, HeadingMapping, MisleadingHeadings } from './import-kind.js';

/** The last column of the file of refused rows. */
export const REASON_COLUMN = 'reason';

/** Shorter words occur in many headings. */
const MIN_WORD_LENGTH = 3;

/** Shorter words are similar too often. */
const MIN_MISSPELT_LENGTH = 5;

/** Distance in edits: a misspelt column is nearer than a column that contains the heading. */
const RANK_OF_PART = 3;

/** Each cell is compared with each column, and named in errors. */
const MAX_CELL_LENGTH = 1_000;

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
export interface ColumnRules {
  required: readonly string[];
  optional?: readonly string[];
  renamed?: Readonly<Record<string, string>>;
  constants?: Readonly<Record<string, string>>;
  /** The file needs at least one of these columns. */
  oneOf?: readonly string[] | undefined;
  /** Without the column, a heading with this word or a synonym is refused until a person maps it. */
  mustRead?: readonly string[] | undefined;
  misleading?: MisleadingHeadings | undefined;
  /** Other names of columns, for files of other programs. Our own names come first. */
  aliases?: Readonly<Partial<Record<string, readonly string[]>>> | undefined;
  synonyms?: Readonly<Record<string, readonly string[]>> | undefined;
  readings?: readonly (readonly MappedHeading[])[] | undefined;
  /** A suggested mapping, to find the faults that it leaves. */
  suggested?: readonly MappedHeading[];
  onRead?: ((reading: HeadingMapping, isChosen: boolean) => void) | undefined;
}

/** Finds the columns by name, in any order. Case, blanks and punctuation do not matter: `Base Price`. */
export function readHeading(cells: string[], rules: ColumnRules): Heading {
  const {
    required,
    optional = [],
    renamed = {},
    constants = {},
    readings = [],
    oneOf = [],
    suggested,
  } = rules;
  checkSize(cells);
  const expected = [...required, ...optional];
  checkRenamed(renamed, cells, expected);
  const own = cells.map((cell) => (isBlank(cell) ? undefined : findColumn(cell, expected, renamed)));
  const columns = expected.filter((column) => !own.includes(column));
  const others = [...cells.entries()].filter(
    ([at, cell]) => own[at] === undefined && !isBlank(cell) && !isSame(REASON_COLUMN, cell),
  );
  const headings = others.map(([, cell]) => withoutNul(cell).trim());
  const mapping = suggested ?? readings.find((reading) => fitsHeadings(reading, headings));
  const names = mapping ? [...own] : withAliases(own, cells, rules);
  for (const [index, [at]] of others.entries())
    if (mapping) names[at] = columns.find((column) => column === mapping[index]![1]);
  const reading: HeadingMapping = {
    headings: others.map(([at], index) => [headings[index]!, names[at] ?? '']),
    columns,
  };
  rules.onRead?.(reading, mapping !== undefined);
  for (const column of Object.keys(constants)) {
    requireColumn(column, expected);
    if (names.includes(column))
      throw wrongColumns(`The file has the column ${column} itself. Leave out the value for all rows.`);
  }
  const repeated = expected.find((column) => names.indexOf(column) !== names.lastIndexOf(column));
  if (repeated !== undefined) throw wrongColumns(`The heading names the column ${repeated} twice.`);
  const unknown = others.filter(([at]) => names[at] === undefined).map(([, cell]) => cell.trim());
  const given = new Set([...names, ...Object.keys(constants)]);
  const missing = expected.filter((column) => !given.has(column));
  const missingRequired = required.filter((column) => missing.includes(column));
  const mandatory = [...required, ...(oneOf.length > 0 ? [alternatives(oneOf)] : [])];
  if (oneOf.length > 0 && oneOf.every((column) => missing.includes(column)))
    missingRequired.push(alternatives(oneOf));
  const misnamed = mapping && !suggested ? '' : suggestColumns(unknown, missing, rules);
  if (missingRequired.length > 0) {
    const must = `Required, in any order: ${mandatory.join(', ')}.`;
    const advice = misnamed || (missingRequired.length < mandatory.length ? must : '');
    throw wrongColumns(`The heading lacks ${missingRequired.join(', ')}. ${advice}`.trim());
  }
  if (misnamed !== '') throw wrongColumns(`${misnamed} Rename the column or remove it.`);
  if (!mapping || suggested) refuseMisleading(unknown, given, rules);
  return {
    cells,
    positions: expected.map((column) => [column, names.indexOf(column)]),
    given: new Set(expected.filter((column) => given.has(column))),
    unknown,
    constants,
  };
}

/** The first ones: a person needs an example, not a list. */
function alternatives(columns: readonly string[]): string {
  const examples = columns.slice(0, 3);
  return [...examples, ...(columns.length > examples.length ? ['another one'] : [])].join(' or ');
}

function fitsHeadings(reading: readonly MappedHeading[], headings: readonly string[]): boolean {
  return reading.length === headings.length && reading.every(([heading], at) => heading === headings[at]);
}

/** True for a line above the heading, such as the title of a price list: one cell above several. */
export function isTitle(
  cells: readonly string[],
  next: readonly string[] | undefined,
  rules: ColumnRules,
): boolean {
  const [title, ...others] = cells.filter((cell) => !isBlank(cell));
  if (title === undefined || others.length > 0 || !next) return false;
  const { required, optional = [], aliases = {}, renamed = {} } = rules;
  const columns = [...required, ...optional];
  const names = [...columns, ...columns.flatMap((column) => aliases[column] ?? []), ...Object.keys(renamed)];
  return next.filter((cell) => !isBlank(cell)).length > 1 && !names.some((name) => isSame(name, title));
}

function withAliases(
  own: readonly (string | undefined)[],
  cells: readonly string[],
  { required, optional = [], constants = {}, aliases = {} }: ColumnRules,
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
  if (cells.filter((cell) => !isBlank(cell)).length > MAX_COLUMNS)
    throw wrongColumns(`The heading has more than ${MAX_COLUMNS} columns.`);
  const long = cells.find((cell) => cell.length > MAX_CELL_LENGTH);
  if (long === undefined) return;
  const start = long.trim().slice(0, 30);
  throw wrongColumns(`A column of the heading is longer than ${MAX_CELL_LENGTH} characters: "${start}…".`);
}

/** A sentence for each heading that is similar to a missing column. */
function suggestColumns(
  unknown: readonly string[],
  missing: readonly string[],
  { mustRead = [], synonyms = {} }: ColumnRules,
): string {
  return unknown
    .flatMap((cell) => {
      const suggestion =
        nearestTo(missing, (column) => (isPartOf(column, cell) ? RANK_OF_PART : editsTo(column, cell))) ??
        missing.find((column) => mustRead.includes(column) && wordsOf(cell).includes(column));
      const meant = missing.find((column) => synonyms[column]?.some((word) => isNamed(word, cell)));
      if (suggestion === undefined && !(meant !== undefined && mustRead.includes(meant))) return [];
      return [`There is no column "${cell}": did you mean ${meant ?? suggestion}?`];
    })
    .join(' ');
}

function refuseMisleading(
  unknown: readonly string[],
  given: ReadonlySet<string | undefined>,
  { misleading }: ColumnRules,
): void {
  if (!misleading?.beside.some((column) => given.has(column))) return;
  const found = unknown.filter((cell) => misleading.headings.some((heading) => isSame(heading, cell)));
  if (found.length > 0)
    throw wrongColumns(`This import does not read ${found.join(', ')}: ${misleading.advice}`);
}

function findColumn(
  cell: string,
  expected: readonly string[],
  renamed: Readonly<Record<string, string>>,
): string | undefined {
  const other = Object.keys(renamed).find((name) => isSame(name, cell));
  return other === undefined ? expected.find((column) => isSame(column, cell)) : renamed[other];
}

export function isSame(name: string, cell: string): boolean {
  return name.trim() === cell.trim() || (HAS_LETTERS.test(name) && editsTo(name, cell) === 0);
}

/** Whether a heading has this name. "Bezeichnung/Name" has both. */
export const isNamed = (name: string, heading: string): boolean =>
  [withoutUnit(heading), ...heading.split('/')].some((part) => isSame(name, part));

/** "Rate (Rs.)" is "Rate", but "Stock (damaged)" is not "Stock". */
const withoutUnit = (heading: string) => heading.replace(/ ?\((rs|inr|₹|nos?|pcs|units?)\.?\)$/i, '');

const wordsOf = (cell: string) => cell.toLowerCase().split(/[\s_-]+/);

/** `price` is a part of `base_price`, and so is the misspelt `prise`. */
function isPartOf(column: string, cell: string): boolean {
  const words = wordsOf(cell);
  const parts = column.split('_');
  const isColumnWord = (word: string) =>
    parts.some(
      (part) => part === word || (word.length >= MIN_MISSPELT_LENGTH && editsTo(part, word) !== undefined),
    );
  return words.some(({ length }) => length >= MIN_WORD_LENGTH) && words.every(isColumnWord);
}

function checkRenamed(
  renamed: Readonly<Record<string, string>>,
  cells: readonly string[],
  expected: readonly string[],
): void {
  for (const [name, column] of Object.entries(renamed)) {
    requireColumn(column, expected);
    if (!cells.some((cell) => isSame(name, cell)))
      throw wrongColumns(`The heading has no "${name}". It is: ${cells.join(', ')}.`);
  }
}

function requireColumn(column: string, expected: readonly string[]): void {
  if (expected.includes(column)) return;
  throw wrongColumns(`There is no column "${column}". The columns are ${expected.join(', ')}.`);
}

export function wrongColumns(message: string): DomainError {
  return new DomainError('wrong_columns', message);
}
