/** What a page shows of the rows that were found for it. */
export interface OnePage<Row> {
  rows: Row[];
  /** The last row, if there is another page: that one begins after it. */
  last: Row | undefined;
}

/** Find one row more than a page shows. Only that row tells whether there is another page. */
export function onePage<Row>(found: readonly Row[], size: number): OnePage<Row> {
  const rows = found.slice(0, size);
  return { rows, last: found.length > size ? rows.at(-1) : undefined };
}
