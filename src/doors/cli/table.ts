type Cell = string | number | boolean | Date | null;

/** The widest column is known only when all rows are; this many are read before the first is shown. */
const ROWS_AT_ONCE = 500;

/** Rows as aligned columns for people to read. Numbers stand on the right. */
export function table<Row extends object>(
  rows: readonly Row[],
  columns: readonly (keyof Row & string)[],
): string {
  const lines = [
    columns.map(title),
    ...rows.map((row) => columns.map((column) => show(row[column] as Cell))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  const onTheRight = columns.map(
    (column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
  );
  return lines.map((line) => alignLine(line, widths, onTheRight)).join('');
}

/** The same for any number of rows. */
export async function* longTable<Row extends object>(
  rows: AsyncIterable<Row>,
  columns: readonly (keyof Row & string)[],
  whenEmpty: string,
): AsyncGenerator<string> {
  let waiting: Row[] = [];
  let empty = true;
  for await (const row of rows) {
    empty = false;
    waiting.push(row);
    if (waiting.length < ROWS_AT_ONCE) continue;
    yield table(waiting, columns);
    waiting = [];
  }
  if (waiting.length > 0) yield table(waiting, columns);
  if (empty) yield `${whenEmpty}\n`;
}

function alignLine(line: string[], widths: number[], onTheRight: boolean[]): string {
  const cells = line.map((cell, index) =>
    onTheRight[index] ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!),
  );
  return `${cells.join('  ').trimEnd()}\n`;
}

function title(column: string): string {
  return column.replaceAll('_', ' ').toUpperCase();
}

function show(cell: Cell): string {
  if (cell === null) return '-';
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace('T', ' ');
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  // A row is one line, whatever is in it.
  return String(cell).replace(/[\t\r\n]+/g, ' ');
}
