import type { Command } from 'commander';
import type { Answer } from './answer.js';
import { readCount } from './option-values.js';
import { longTable } from './table.js';
import { jsonArray } from './write-out.js';

const SHOWN = 50;

export interface ListOptions {
  limit: number;
  all?: boolean;
}

/** A list shows its first rows and tells how many more there are. */
export function addListOptions(command: Command): Command {
  return command
    .option('--limit <count>', 'how many rows it shows', readCount, SHOWN)
    .option('--all', 'show all rows');
}

/** Nothing stands for all rows. */
export function limitOf({ limit, all }: ListOptions): number | undefined {
  return all ? undefined : limit;
}

/** The answer of a list. Its rows return how many more there are; people may read each row in other words. */
export function listAnswer<Row extends object, Told extends object = Row>(
  rows: AsyncGenerator<Row, number>,
  columns: readonly (keyof Told & string)[],
  whenEmpty: string,
  inWords?: (row: Row) => Told,
): Answer {
  let leftOut = 0;
  async function* counted(): AsyncGenerator<Row> {
    leftOut = yield* rows;
  }
  async function* told(): AsyncGenerator<Told> {
    for await (const row of counted()) yield inWords ? inWords(row) : (row as object as Told);
  }
  return {
    json: jsonArray(counted()),
    text: longTable(told(), columns, whenEmpty),
    leftOut: () => leftOut,
  };
}

/** The same for rows that are in memory. */
export async function* firstOf<Row>(rows: readonly Row[], limit = rows.length): AsyncGenerator<Row, number> {
  yield* rows.slice(0, limit);
  return Math.max(0, rows.length - limit);
}
