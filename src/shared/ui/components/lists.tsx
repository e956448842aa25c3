import type { ComponentChildren } from 'preact';
import type { Minor } from '../../../platform/money/money.js';
import { formatNumber } from '../../../platform/formats.js';
import { Card, Icon } from './layout.js';
import { Money, NameWithDetail, RelativeTime } from './values.js';

export interface ListColumn<Row> {
  /** Empty for a column of buttons or checkboxes. */
  heading: string;
  cell: (row: Row) => ComponentChildren;
  align?: 'end';
  /** Keeps a number on one line. */
  nowrap?: boolean;
  /** The position on a narrow screen, where a row becomes a card. By default a line with its heading. */
  as?: 'title' | 'choice' | 'state' | 'amount' | 'line';
  /** The heading links to the list sorted by this column. */
  sort?: Sorting;
}

interface Sorting {
  href: string;
  /** The direction now, if the list is sorted by this column. */
  now: 'ascending' | 'descending' | undefined;
}

interface Total {
  label: string;
  value: ComponentChildren;
}

interface TableProps<Row> {
  /** The name for screen readers. */
  caption: string;
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  /** Rows below the table, under the last column. */
  totals?: readonly Total[];
}

export function Table<Row>({ caption, columns, rows, totals }: TableProps<Row>) {
  const classes = columns.map(classOf);
  return (
    <div class="table-room">
      <table class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ heading, sort }, at) =>
              heading === '' ? (
                <td class={classes[at]} />
              ) : (
                <th scope="col" class={classes[at]} aria-sort={sort?.now}>
                  {sort ? <SortLink heading={heading} {...sort} /> : heading}
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

const SortLink = ({ heading, href, now }: Sorting & { heading: string }) => (
  <a href={href}>
    {heading}
    {now !== undefined && <Icon name={now === 'ascending' ? 'up' : 'down'} />}
  </a>
);

function classOf<Row>({ align, as, nowrap }: ListColumn<Row>): string | undefined {
  return [align, as && `as-${as}`, nowrap && 'nowrap'].filter(Boolean).join(' ') || undefined;
}

export function amountColumn<Row>(
  heading: string,
  currency: string,
  of: (row: Row) => Minor,
  as?: 'amount',
): ListColumn<Row> {
  const cell = (row: Row) => <Money minor={of(row)} currency={currency} />;
  return { heading, align: 'end', cell, ...(as && { as }) };
}

interface Title {
  text: ComponentChildren;
  href?: string | undefined;
  /** Such as an SKU, below the text. */
  detail?: ComponentChildren;
}

export function titleColumn<Row>(heading: string, of: (row: Row) => Title): ListColumn<Row> {
  const cell = (row: Row) => {
    const { text, href, detail = null } = of(row);
    return (
      <NameWithDetail detail={detail}>{href === undefined ? text : <a href={href}>{text}</a>}</NameWithDetail>
    );
  };
  return { heading, as: 'title', cell };
}

export function countColumn<Row>(heading: string, of: (row: Row) => number): ListColumn<Row> {
  return { heading, align: 'end', cell: (row) => formatNumber(of(row)) };
}

export function timeColumn<Row>(heading: string, of: (row: Row) => Date | null): ListColumn<Row> {
  return { heading, cell: (row) => <RelativeTime at={of(row)} /> };
}

interface ListCardProps<Row> {
  /** The anchor for links. */
  id?: string;
  title?: string;
  /** The name for screen readers; the title by default. */
  caption?: string;
  actions?: ComponentChildren;
  columns: readonly ListColumn<Row>[];
  rows: readonly Row[];
  /** Shown instead of a table without rows. Without it, the card is left out. */
  empty?: ComponentChildren;
  /** Actions for the selected rows. It stays in view below a long table. */
  bar?: ComponentChildren;
  pager?: ComponentChildren;
}

export function ListCard<Row>(props: ListCardProps<Row>) {
  const { id, title, caption = title ?? '', actions, columns, rows, empty, bar, pager } = props;
  if (rows.length === 0 && empty === undefined) return null;
  return (
    <Card id={id} title={title} actions={actions} flush>
      {rows.length === 0 ? empty : <Table caption={caption} columns={columns} rows={rows} />}
      {bar && <div class="list-bar">{bar}</div>}
      {pager}
    </Card>
  );
}

interface PagerProps<Mark> {
  /** The mark after which this page begins; undefined for the first page. */
  at: Mark | undefined;
  next: Mark | undefined;
  /** The address of a page, by default of the first one. */
  path: (place?: Mark) => string;
  /** Other link texts, for a list that is not sorted by time. */
  words?: { newest: string; older: string };
}

const NEWEST_FIRST = { newest: 'Newest', older: 'Older' };

/** For lists that are sorted by a number or a name. */
export const FORWARD = { newest: 'First page', older: 'Next page' };

/** Links to the pages of a list. Pages follow a key, so all cost the same. “Back” is the browser's. */
export function Pager<Mark extends string | number>({
  at,
  next,
  path,
  words = NEWEST_FIRST,
}: PagerProps<Mark>) {
  if (at === undefined && next === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      {at === undefined ? (
        <span />
      ) : (
        <a class="button plain" href={path()}>
          <Icon name="left" />
          {words.newest}
        </a>
      )}
      {next !== undefined && (
        <a class="button plain" href={path(next)} rel="next">
          {words.older}
          <Icon name="right" />
        </a>
      )}
    </nav>
  );
}

interface Tab {
  href: string;
  text: string;
  current?: boolean;
  count?: string | undefined;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  /** The address of the current tab. */
  at?: string;
  /** Below the tabs of a section. */
  isInner?: boolean;
}

export const Tabs = ({ label, tabs, at, isInner = false }: TabsProps) => (
  <nav class={isInner ? 'presets' : 'tabs'} aria-label={label}>
    {tabs.map(({ href, text, current = href === at, count }) => (
      <a href={href} aria-current={current ? 'page' : undefined}>
        {text} {count !== undefined && <span class="count">{count}</span>}
      </a>
    ))}
  </nav>
);

interface SearchProps {
  action: string;
  name: string;
  label: string;
  value: string | undefined;
  placeholder?: string;
  maxlength?: number;
  /** Parameters that a search keeps, such as the selected tab. */
  hidden?: Readonly<Record<string, string>>;
  /** A script searches while a person types. It replaces the elements `found` and `found-count`. */
  follows?: boolean;
  /** For codes that are typed or scanned. A scanner ends a code with Enter. A script adds the camera. */
  scans?: boolean;
  autofocus?: boolean;
  button?: string;
  children?: ComponentChildren;
}

export const SearchForm = ({ action, label, hidden = {}, follows, children, ...more }: SearchProps) => {
  const { scans, button = 'Search', ...input } = more;
  return (
    <form
      class="search"
      role={scans ? undefined : 'search'}
      action={action}
      data-follows={follows}
      data-scans={scans}
    >
      {Object.entries(hidden).map(([key, kept]) => (
        <input type="hidden" name={key} value={kept} />
      ))}
      <input type="search" aria-label={label} autocomplete={scans ? 'off' : undefined} {...input} />
      {children}
      <button class="button plain">
        <Icon name="search" />
        <span>{button}</span>
      </button>
    </form>
  );
};
