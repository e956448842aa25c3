import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  /** A column of buttons or boxes needs none. */
  heading: string;
  cell: (row: Row) => ComponentChildren;
  /** Figures stand at the right, so that they can be compared. */
  align?: 'end';
  /** Stays in one line, where a table is one: a number that is read as a whole. */
  nowrap?: boolean;
  /**
   * Where it stands when a row becomes a card, on a narrow screen: what the row is called by, the box to choose it, its state, its amount. Everything
   * else is a line, with its heading before it unless it is a `line` that says by itself what it is.
   */
  as?: 'title' | 'choice' | 'state' | 'amount' | 'line';
}

interface Total {
  label: string;
  value: ComponentChildren;
}

interface Props<Row> {
  /** Read to who cannot see what stands around the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Below the last column; the last of them is what it comes to. */
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
