/** One page of the rows that a query found. */
export interface OnePage<Row> {
  rows: Row[];
  /** The last row, if there is another page; that page begins after it. */
  last: Row | undefined;
}

/** Query one row more than a page has: only that row tells whether there is another page. */
export function onePage<Row>(found: readonly Row[], size: number): OnePage<Row> {
  const rows = found.slice(0, size);
  return { rows, last: found.length > size ? rows.at(-1) : undefined };
}
