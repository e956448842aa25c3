import type { ComponentChildren, VNode } from 'preact';
import type { FormFields } from '../../platform/http/parse-form.js';
import { type OnePage, onePage } from '../../platform/lists/bounded-lists.js';
import type { Day, Month } from '../../platform/time/time.js';
import { isUuid } from '../../platform/validation/texts.js';
import { Empty } from './components/layout.js';
import {
  ChooseForm,
  type Chosen,
  type Filters,
  ListFilter,
  usualOf,
  valueIn,
} from './components/list-filter.js';
import { type Column, FORWARD, ListCard, Pager } from './components/lists.js';
import { dayIn, given, isReversed, REVERSED } from './components/period-fields.js';
import { placeIn, wordIn } from './forms.js';
import { type Page, withQuery } from './page.js';

/** How a page of a list is marked in its address. */
const MARKS = {
  number: (query: FormFields, name: string) => placeIn(query, name),
  /** For a table with more rows than an integer can number. */
  long: (query: FormFields, name: string) => placeIn(query, name, 15),
  uuid: (query: FormFields, name: string) => {
    const text = wordIn(query, name);
    return text !== undefined && isUuid(text) ? text : undefined;
  },
  text: (query: FormFields, name: string) => wordIn(query, name),
};

type MarkKind = keyof typeof MARKS;
type Mark<Kind extends MarkKind> = ReturnType<(typeof MARKS)[Kind]>;

interface Declared<Of extends Filters, Kind extends MarkKind, Row, Context> {
  /** The path of the list. Without it, each call passes a path. */
  path?: string;
  /** The anchor of the table. */
  id?: string;
  /** The name of the table for screen readers. */
  caption: string;
  filters: Of;
  hasDays?: true;
  /** The row after which a page begins: `before` if the newest row is first, else `after`. */
  mark: { name: 'before' | 'after'; kind: Kind; of: (row: Row) => NonNullable<Mark<Kind>> };
  columns: (context: Context) => Column<Row>[];
  empty: {
    /** The text of an empty list without filters. */
    none: Words<Of>;
    /** The text if no row matches the filters; `none` by default. */
    noMatch?: Words<Of>;
    /** The link that removes filters. */
    all?: More<Of> | ((chosen: Chosen<Of>) => More<Of>);
  };
}

interface More<Of extends Filters> {
  text: string;
  chosen?: Partial<Chosen<Of>>;
}

type Words<Of extends Filters> = string | ((chosen: Chosen<Of>) => string);

interface Asked<Of extends Filters, Kind extends MarkKind> {
  chosen: Chosen<Of>;
  mark: Mark<Kind>;
}

/** The filters and the page mark that `read` finds in an address. */
export type AskedOf<List extends { read: (query: FormFields) => unknown }> = ReturnType<List['read']>;

interface CardShown<Of extends Filters, Kind extends MarkKind, Row, Context> {
  asked: Asked<Of, Kind>;
  found: OnePage<Row>;
  context: Context;
  path?: string;
  title?: string | undefined;
  actions?: ComponentChildren;
  /** Actions for the selected rows. */
  bar?: ComponentChildren;
  /** For a filter by month, the latest first. */
  months?: readonly Month[];
}

interface Shown<Of extends Filters, Kind extends MarkKind, Row, Context>
  extends Omit<Page, 'content' | 'status'>, Omit<CardShown<Of, Kind, Row, Context>, 'title' | 'actions'> {
  /** Above the filter, such as the tabs of a section. */
  above?: ComponentChildren;
  card?: Pick<CardShown<Of, Kind, Row, Context>, 'title' | 'actions'>;
  /** The number of rows behind a tab, by its value. */
  counts?: Readonly<Record<string, string | undefined>>;
  /** For a list with days. */
  today?: Day;
}

const PAGE_SIZE = 50;

/** A list page that is declared once: the declaration reads its address and renders its page. */
export class ListPage<const Of extends Filters, Row, Context, Kind extends MarkKind> {
  constructor(private readonly declared: Declared<Of, Kind, Row, Context>) {}

  /** Ignores invalid parameters. */
  readonly read = (query: FormFields): Asked<Of, Kind> => {
    const { filters, hasDays, mark } = this.declared;
    const values = Object.entries(filters).map(([name, filter]) => [name, valueIn(query, name, filter)]);
    const days = hasDays ? { from: dayIn(query, 'from'), to: dayIn(query, 'to') } : {};
    return {
      chosen: { ...Object.fromEntries(values), ...given(days) } as Chosen<Of>,
      mark: MARKS[mark.kind](query, mark.name) as Mark<Kind>,
    };
  };

  /** Queries one row more than a page has. That row shows whether another page follows. */
  async find(query: (most: number) => Promise<readonly Row[]>): Promise<OnePage<Row>> {
    return onePage(await query(PAGE_SIZE + 1), PAGE_SIZE);
  }

  /** The address with these filters, without default values. */
  path(chosen: Partial<Chosen<Of>>, mark?: Mark<Kind>, at = this.declared.path!): string {
    const { filters, mark: place } = this.declared;
    const named = Object.entries<string | undefined>(chosen).filter(
      ([name, value]) => value !== usualOf(filters[name]),
    );
    return withQuery(at, { ...Object.fromEntries(named), [place.name]: mark });
  }

  page(shown: Shown<Of, Kind, Row, Context>): Page {
    const { asked, found, context, path, months, above, card, bar, counts, today, ...page } = shown;
    const { path: usual, filters } = this.declared;
    const { chosen } = asked;
    const action = path ?? usual!;
    const pathOf = (changed: Partial<Chosen<Of>>) => this.path(changed, undefined, action);
    return {
      ...page,
      ...(page.refusal !== undefined && { status: 422 }),
      ...(isReversed(chosen) && REVERSED),
      content: (
        <>
          {above}
          <ListFilter {...{ action, filters, chosen, today, counts, months, pathOf }} />
          <div id="found">{this.card({ asked, found, context, path, months, bar, ...card })}</div>
        </>
      ),
    };
  }

  /** The list alone, for a page with other content. */
  card(shown: CardShown<Of, Kind, Row, Context>): VNode {
    const { asked, found, context, path = this.declared.path!, title, actions, bar, months } = shown;
    const { id, caption, filters, columns, mark } = this.declared;
    const { chosen } = asked;
    const choose = ChooseForm({ action: path, filters, chosen, months });
    return (
      <ListCard
        id={id}
        title={title}
        caption={caption}
        actions={
          choose ? (
            <>
              {choose}
              {actions}
            </>
          ) : (
            actions
          )
        }
        columns={columns(context)}
        rows={found.rows}
        bar={found.rows.length > 0 && bar}
        empty={this.empty(asked, path)}
        pager={
          <Pager
            words={mark.name === 'after' ? FORWARD : undefined}
            at={asked.mark}
            next={found.last && mark.of(found.last)}
            path={(from) => this.path(chosen, from as Mark<Kind>, path)}
          />
        }
      />
    );
  }

  private empty({ chosen, mark }: Asked<Of, Kind>, path: string) {
    const { filters, empty } = this.declared;
    const { none, noMatch, all } = empty;
    // The rows of this page left the list, such as orders that were paid.
    if (mark !== undefined) {
      const next = { href: this.path(chosen, undefined, path), text: 'First page' };
      return <Empty next={next}>Nothing is on this page any more.</Empty>;
    }
    const told = (words: Words<Of>) => (typeof words === 'string' ? words : words(chosen));
    const isNarrowed = Object.entries(chosen).some(([name, value]) => value !== usualOf(filters[name]));
    if (noMatch === undefined || !isNarrowed) return <Empty>{told(none)}</Empty>;
    const more = typeof all === 'function' ? all(chosen) : all;
    const next = more && { href: this.path(more.chosen ?? {}, undefined, path), text: more.text };
    return <Empty next={next}>{told(noMatch)}</Empty>;
  }
}
