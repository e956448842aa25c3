import { isDeepStrictEqual } from 'node:util';
import { plainTime, type TimeZone } from '../../platform/time/time.js';
import { table } from '../answer.js';

type Scalar = string | number | boolean | null;
type Cell = Scalar | Date;
type Value = Scalar | Value[] | { [name: string]: Value };
export type Facts = Record<string, Value>;

/** A record as its warnings, lines of facts, then a table for each list in it. */
export function describeFacts({ warnings = null, ...others }: Facts, timeZone: TimeZone): string {
  const sentences = isTable(warnings) ? [] : ((warnings ?? []) as string[]);
  const facts: Facts = isTable(warnings) ? { ...others, warnings } : others;
  const entries = Object.entries(facts)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => [name, isTables(value) ? countsOf(value) : value] as const);
  const lines = entries
    .filter(([, value]) => !isTable(value))
    .map(([name, value]) => `${words(name)}: ${oneLine(value, timeZone)}\n`);
  const tables = entries.flatMap(([name, value]) =>
    isTable(value) ? [`\n${words(name)}\n${tableOf(value, timeZone)}`] : [],
  );
  return [...sentences.map((sentence) => `${sentence}\n`), ...lines, ...tables].join('');
}

/** The columns that some row fills, as many as there is room for. */
export function tableOf(rows: readonly Facts[], timeZone: TimeZone, width = Infinity): string {
  const cells = rows.map((row) => toCells(row, timeZone));
  const names = [...new Set(cells.flatMap((row) => Object.keys(row)))];
  const filled = names.filter((name) => cells.some((row) => (row[name] ?? '') !== ''));
  const inColumns = cells.map((row) => Object.fromEntries(filled.map((name) => [name, row[name] ?? null])));
  for (let count = filled.length; ; count--) {
    const text = table(inColumns, filled.slice(0, count), timeZone);
    if (count > 1 && text.split('\n').some((line) => line.length > width)) continue;
    const left = filled.slice(count).map((name) => name.replaceAll('_', ' '));
    return left.length === 0 ? text : `${text}(--json shows also: ${left.join(', ')})\n`;
  }
}

/** The cells of a row. What is nested comes last, because it may be long. */
const toCells = (row: Facts, timeZone: TimeZone): Record<string, Cell> =>
  Object.fromEntries(
    Object.entries(row)
      .toSorted(([, one], [, other]) => Number(isNested(one)) - Number(isNested(other)))
      .map(([name, value]) => [name, isNested(value) ? oneLine(value, timeZone) : toCell(value)]),
  );

const words = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

const isEmpty = (value: Value) => value === null || value === '' || isDeepStrictEqual(value, []);

const isTable = (value: Value): value is Facts[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null);

/** Tables by their names, such as the files of a return. */
const isTables = (value: Value): value is Record<string, Value[]> =>
  typeof value === 'object' && value !== null && Object.values(value).some(isTable);

const countsOf = (tables: Record<string, Value[]>): Facts[] =>
  Object.entries(tables).map(([name, rows]) => ({ name, rows: rows.length }));

const isNested = (value: Value): boolean =>
  Array.isArray(value) ? value.some(isNested) : typeof value === 'object' && value !== null;

const toCell = (value: Value): Cell => {
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'string' && TIME.test(value) ? new Date(value) : (value as Scalar);
};

function oneLine(value: Value, timeZone: TimeZone): string {
  if (Array.isArray(value)) return value.map((one) => oneLine(one, timeZone)).join(', ');
  if (value !== null && typeof value === 'object')
    return Object.entries(value)
      .filter(([, one]) => !isEmpty(one))
      .map(([name, one]) => `${name.replaceAll('_', ' ')} ${oneLine(one, timeZone)}`)
      .join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' && TIME.test(value)
    ? plainTime(new Date(value), timeZone)
    : `${value ?? ''}`;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z$/;
