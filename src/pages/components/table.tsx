import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** Empty for a column of buttons or boxes. */
  heading: string;
  cell: (row: Row) => ComponentChildren;
  /** Aligns figures right. */
  align?: 'end';
  /** Keeps a number on one line. */
  nowrap?: boolean;
  /** The place on a card, which a row becomes on a narrow screen. Without it the cell is a line after its heading. */
  as?: 'title' | 'choice' | 'state' | 'amount' | 'line';
}

interface Total {
  label: string;
  value: ComponentChildren;
}

interface Props<Row> {
  /** The name for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Rows below the table, under the last column. */
  totals?: readonly Total[];
}

export function Table<Row>({ caption, columns, rows, totals }: Props<Row>) {
  const classes = columns.map(classOf);
  return (
    <div class="table-room">
      <table class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ heading }, at) =>
              heading === '' ? (
                <td class={classes[at]} />
              ) : (
                <th scope="col" class={classes[at]}>
                  {heading}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ heading, cell, as }, at) => (
                <td
                  class={classes[at]}
                  data-heading={as === undefined && heading !== '' ? heading : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {totals && (
          <tfoot>
            {totals.map(({ label, value }) => (
              <tr>
                <th scope="row" colSpan={columns.length - 1}>
                  {label}
                </th>
                <td class="end">{value}</td>
              </tr>
            ))}
          </tfoot>
        )}
      </table>
    </div>
  );
}

function classOf<Row>({ align, as, nowrap }: Column<Row>): string | undefined {
  return [align, as && `as-${as}`, nowrap && 'nowrap'].filter(Boolean).join(' ') || undefined;
}
