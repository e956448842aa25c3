/** Counts stop here, because a full count reads all rows. */
export const MAX_COUNTED = 1_000;

export interface BoundedCount {
  count: number;
  orMore: boolean;
}

/** For a query that counts one more than the limit. */
export function toBoundedCount(found: number): BoundedCount {
  return { count: Math.min(found, MAX_COUNTED), orMore: found > MAX_COUNTED };
}

export function sumOfCounts(counts: readonly BoundedCount[]): BoundedCount {
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    orMore: counts.some(({ orMore }) => orMore),
  };
}

/** The first rows of a long list, and the number of the others. */
export interface FirstRows<Row> {
  rows: Row[];
  more: number;
}

/** The number of all rows. The database stops to count the others after the limit. */
export function countOfAll({ rows, more }: FirstRows<unknown>): BoundedCount {
  return toBoundedCount(rows.length + more);
}

export async function firstRows<Row>(found: AsyncGenerator<Row, number>): Promise<FirstRows<Row>> {
  const rows: Row[] = [];
  for (;;) {
    const { done, value } = await found.next();
    if (done) return { rows, more: value };
    rows.push(value);
  }
}

/** The rows in another form. The source ends with its reader, and when a row cannot be mapped. */
export async function* mapRows<Row, Result>(
  rows: AsyncGenerator<Row, number>,
  map: (row: Row) => Result,
): AsyncGenerator<Result, number> {
  try {
    for (;;) {
      const next = await rows.next();
      if (next.done) return next.value;
      yield map(next.value);
    }
  } finally {
    await rows.return(0);
  }
}

export interface OnePage<Row> {
  rows: Row[];
  /** The last row, if there is another page; that page begins after it. */
  last: Row | undefined;
}

export const NO_ROWS: OnePage<never> = { rows: [], last: undefined };

/** Query one row more than a page has: only that row proves that there is another page. */
export function onePage<Row>(found: readonly Row[], size: number): OnePage<Row> {
  const rows = found.slice(0, size);
  return { rows, last: found.length > size ? rows.at(-1) : undefined };
}
