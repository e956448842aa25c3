import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  heading: string;
  cell: (row: Row) => ComponentChildren;
  /** Figures stand at the right, so that they can be compared. */
  align?: 'end';
  /**
   * Where it stands when a row becomes a card, on a narrow screen: what the row is called by, a box to choose it, its state, its amount. Everything else
   * is a line with its heading before it.
   */
  as?: 'title' | 'choice' | 'state' | 'amount';
}

interface Props<Row> {
  /** Read to who cannot see what stands around the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

export function Table<Row>({ caption, columns, rows }: Props<Row>) {
  const classes = columns.map(classOf);
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ heading }, at) => (
            <th scope="col" class={classes[at]}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map(({ heading, cell, as }, at) => (
              <td class={classes[at]} data-heading={as === undefined ? heading : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf<Row>({ align, as }: Column<Row>): string | undefined {
  return [align, as && `as-${as}`].filter((name) => name !== undefined).join(' ') || undefined;
}
