import { parsePrice } from '../../platform/money/money.js';
import { parseWholeNumber } from '../../platform/validation/whole-numbers.js';
import { isBlank } from './cells.js';
import { isNamed } from './heading.js';
import type { HeadingMapping, ImportKind } from './import-kind.js';
import type { ImportSession } from './import-session.js';
import type { FileRecord } from './record-source.js';

/** The rows after the heading that are looked at. */
export const SAMPLE_ROWS = 50;

const MAX_NUMBER = 1_000_000_000;

/**
 * Suggests a column for each heading of a refused file: by its name, else by its values. Nothing is read
 * before a person has confirmed it.
 */
export async function suggestColumns(
  session: Pick<ImportSession, 'count'>,
  kind: Pick<ImportKind, 'columns' | 'amounts' | 'staged' | 'synonyms' | 'known'>,
  { headings, columns }: HeadingMapping,
  [heading, ...rows]: readonly FileRecord[],
  constants: Readonly<Record<string, string>> = {},
): Promise<HeadingMapping> {
  const isOpen = (column: string) =>
    constants[column] === undefined && headings.every(([, taken]) => taken !== column);
  const open = new Set(columns.filter(isOpen));
  const take = (column: string | undefined) => {
    if (column !== undefined) open.delete(column);
    return column;
  };
  const synonyms = Object.entries(kind.synonyms ?? {});
  const columnsNamed = (name: string) =>
    synonyms
      .filter(([column, words]) => [column, ...words].some((word) => isNamed(word, name)))
      .map(([column]) => column);
  const suggested = headings.map(
    ([name, column]) => column || take(columnsNamed(name).find((each) => open.has(each))),
  );
  for (const [index, [name]] of headings.entries()) {
    if (suggested[index]) continue;
    const position = heading!.cells.findIndex((cell) => cell.trim() === name);
    const values = rows.map(({ cells }) => cells[position]?.trim() ?? '').filter((cell) => !isBlank(cell));
    // A heading that names a column of other files, such as the MRP among counts, is no number of this one.
    const isOther = columnsNamed(name).length > 0;
    if (values.length > 0)
      suggested[index] = take(await columnOfValues(session, kind, open, values, isOther));
  }
  return { headings: headings.map(([name], index) => [name, suggested[index] ?? '']), columns };
}

async function columnOfValues(
  session: Pick<ImportSession, 'count'>,
  { columns, amounts = [], staged, known = {} }: Pick<ImportKind, 'columns' | 'amounts' | 'staged' | 'known'>,
  open: ReadonlySet<string>,
  values: readonly string[],
  isOther: boolean,
): Promise<string | undefined> {
  const distinct = [...new Set(values)];
  for (const [column, text] of Object.entries(known))
    if (open.has(column) && text && 2 * (await session.count(text, [distinct])) >= distinct.length)
      return column;
  if (isOther) return undefined;
  const required = columns.filter((column) => open.has(column));
  if (values.every((value) => parseWholeNumber(value, 0, MAX_NUMBER) !== undefined)) {
    const count = required.find((column) => staged[column] === 'integer');
    if (count !== undefined) return count;
  }
  return values.every((value) => 'minor' in parsePrice(value))
    ? required.find((column) => amounts.includes(column))
    : undefined;
}
