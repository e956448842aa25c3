import type { ComponentChildren, VNode } from 'preact';
import type { FormFields } from '../../platform/http/parse-form.js';
import { type OnePage, onePage } from '../../platform/lists/bounded-lists.js';
import type { Day, Month } from '../../platform/time/time.js';
import { isUuid } from '../../platform/validation/texts.js';
import { Empty } from './components/layout.js';
import {
  FilterSelects,
  type SelectedFilters,
  type Filters,
  ListFilter,
  defaultOf,
  valueIn,
} from './components/list-filter.js';
import { type ListColumn, FORWARD, ListCard, Pager } from './components/lists.js';
import { dayIn, withoutEmptyFields, isReversed, REVERSED } from './components/period-fields.js';
import { pageMarkIn, searchTextIn } from './forms.js';
import { type Page, withQuery } from './page.js';

/** How a page of a list is marked in its address. */
const MARKS = {
  number: (query: FormFields, name: string) => pageMarkIn(query, name),
  /** For a table with more rows than an integer can number. */
  long: (query: FormFields, name: string) => pageMarkIn(query, name, 15),
  uuid: (query: FormFields, name: string) => {
    const text = searchTextIn(query, name);
    return text !== undefined && isUuid(text) ? text : undefined;
  },
  text: (query: FormFields, name: string) => searchTextIn(query, name),
};

type MarkKind = keyof typeof MARKS;
type Mark<Kind extends MarkKind> = ReturnType<(typeof MARKS)[Kind]>;

interface ListDeclaration<Of extends Filters, Kind extends MarkKind, Row, Context> {
  /** The path of the list. Without it, each call passes a path. */
  path?: string;
  id?: string;
  /** The name of the table for screen readers. */
  caption: string;
  filters: Of;
  hasDays?: true;
  /** The row after which a page begins: `before` if the newest row is first, else `after`. */
  mark: { name: 'before' | 'after'; kind: Kind; of: (row: Row) => NonNullable<Mark<Kind>> };
  columns: (context: Context) => ListColumn<Row>[];
  empty: {
    /** The text of an empty list without filters. */
    none: Words<Of>;
    /** The text if no row matches the filters; `none` by default. */
    noMatch?: Words<Of>;
    /** The link that removes filters. */
    all?: More<Of> | ((selected: SelectedFilters<Of>) => More<Of>);
  };
}

interface More<Of extends Filters> {
  text: string;
  selected?: Partial<SelectedFilters<Of>>;
}

type Words<Of extends Filters> = string | ((selected: SelectedFilters<Of>) => string);

interface ListQuery<Of extends Filters, Kind extends MarkKind> {
  selected: SelectedFilters<Of>;
  mark: Mark<Kind>;
}

/** The filters and the page mark that `read` finds in an address. */
export type QueryOf<List extends { read: (query: FormFields) => unknown }> = ReturnType<List['read']>;

interface ListCardOptions<Of extends Filters, Kind extends MarkKind, Row, Context> {
  query: ListQuery<Of, Kind>;
  result: OnePage<Row>;
  context: Context;
  path?: string;
  title?: string | undefined;
  actions?: ComponentChildren;
  /** Actions for the selected rows. */
  bar?: ComponentChildren;
  /** For a filter by month, the latest first. */
  months?: readonly Month[];
}

interface ListPageProps<Of extends Filters, Kind extends MarkKind, Row, Context>
  extends
    Omit<Page, 'content' | 'status'>,
    Omit<ListCardOptions<Of, Kind, Row, Context>, 'title' | 'actions'> {
  /** Above the filter, such as the tabs of a section. */
  above?: ComponentChildren;
  card?: Pick<ListCardOptions<Of, Kind, Row, Context>, 'title' | 'actions'>;
  /** The number of rows behind a tab, by its value. */
  counts?: Readonly<Record<string, string | undefined>>;
  /** For a list with days. */
  today?: Day;
}

const PAGE_SIZE = 50;

/** A list page that is declared once: the declaration reads its address and renders its page. */
export class ListPage<const Of extends Filters, Row, Context, Kind extends MarkKind> {
  constructor(private readonly declared: ListDeclaration<Of, Kind, Row, Context>) {}

  /** Ignores invalid parameters. */
  readonly read = (query: FormFields): ListQuery<Of, Kind> => {
    const { filters, hasDays, mark } = this.declared;
    const values = Object.entries(filters).map(([name, filter]) => [name, valueIn(query, name, filter)]);
    const days = hasDays ? { from: dayIn(query, 'from'), to: dayIn(query, 'to') } : {};
    return {
      selected: { ...Object.fromEntries(values), ...withoutEmptyFields(days) } as SelectedFilters<Of>,
      mark: MARKS[mark.kind](query, mark.name) as Mark<Kind>,
    };
  };

  /** Queries one row more than a page has. That row shows whether another page follows. */
  async find(query: (limit: number) => Promise<readonly Row[]>): Promise<OnePage<Row>> {
    return onePage(await query(PAGE_SIZE + 1), PAGE_SIZE);
  }

  /** The address with these filters, without default values. */
  path(selected: Partial<SelectedFilters<Of>>, mark?: Mark<Kind>, at = this.declared.path!): string {
    const { filters, mark: pageMark } = this.declared;
    const named = Object.entries<string | undefined>(selected).filter(
      ([name, value]) => value !== defaultOf(filters[name]),
    );
    return withQuery(at, { ...Object.fromEntries(named), [pageMark.name]: mark });
  }

  page(props: ListPageProps<Of, Kind, Row, Context>): Page {
    const { query, result, context, path, months, above, card, bar, counts, today, ...page } = props;
    const { path: defaultPath, filters } = this.declared;
    const { selected } = query;
    const action = path ?? defaultPath!;
    const pathOf = (changed: Partial<SelectedFilters<Of>>) => this.path(changed, undefined, action);
    return {
      ...page,
      ...(page.refusal !== undefined && { status: 422 }),
      ...(isReversed(selected) && REVERSED),
      content: (
        <>
          {above}
          <ListFilter
            {...{ action, filters, selected, today, counts, months, pathOf }}
            isInner={above !== undefined}
          />
          <div id="found">{this.card({ query, result, context, path, months, bar, ...card })}</div>
        </>
      ),
    };
  }

  /** The list alone, for a page with other content. */
  card(props: ListCardOptions<Of, Kind, Row, Context>): VNode {
    const { query, result, context, path = this.declared.path!, title, actions, bar, months } = props;
    const { id, caption, filters, columns, mark } = this.declared;
    const { selected } = query;
    const selects = FilterSelects({ action: path, filters, selected, months });
    return (
      <ListCard
        id={id}
        title={title}
        caption={caption}
        actions={
          selects ? (
            <>
              {selects}
              {actions}
            </>
          ) : (
            actions
          )
        }
        columns={columns(context)}
        rows={result.rows}
        bar={result.rows.length > 0 && bar}
        empty={this.empty(query, path)}
        pager={
          <Pager
            words={mark.name === 'after' ? FORWARD : undefined}
            at={query.mark}
            next={result.last && mark.of(result.last)}
            path={(from) => this.path(selected, from as Mark<Kind>, path)}
          />
        }
      />
    );
  }

  private empty({ selected, mark }: ListQuery<Of, Kind>, path: string) {
    const { filters, empty } = this.declared;
    const { none, noMatch, all } = empty;
    // The rows of this page left the list, such as orders that were paid.
    if (mark !== undefined) {
      const next = { href: this.path(selected, undefined, path), text: 'First page' };
      return <Empty next={next}>Nothing is on this page any more.</Empty>;
    }
    const textFor = (words: Words<Of>) => (typeof words === 'string' ? words : words(selected));
    const isNarrowed = Object.entries(selected).some(([name, value]) => value !== defaultOf(filters[name]));
    if (noMatch === undefined || !isNarrowed) return <Empty>{textFor(none)}</Empty>;
    const more = typeof all === 'function' ? all(selected) : all;
    const next = more && { href: this.path(more.selected ?? {}, undefined, path), text: more.text };
    return <Empty next={next}>{textFor(noMatch)}</Empty>;
  }
}
