import type { ComponentChildren } from 'preact';
import type { FormFields } from '../platform/http/parse-form.js';
import { onePage } from '../platform/lists/one-page.js';
import type { Day } from '../platform/time/time.js';
import { isUuid } from '../platform/validation/texts.js';
import { FilterSelect } from './components/controls.js';
import { Empty } from './components/layout.js';
import { type Column, FORWARD, ListCard, Pager, SearchForm, Tabs } from './components/lists.js';
import {
  dayIn,
  type DayPeriod,
  given,
  isReversed,
  PeriodFields,
  REVERSED,
} from './components/period-fields.js';
import { oneOf, placeIn, wordIn } from './forms.js';
import { type Page, withQuery } from './page.js';

interface Option {
  value: string;
  text: string;
}

/** A parameter of the list's address, and its place on the page. */
type Filter =
  /** The views of the list. The first one is shown by default. */
  | { as: 'tabs'; label: string; options: readonly Option[] }
  /** The large field. `follows`: a script searches while a person types. */
  | { as: 'search'; label: string; placeholder?: string; longest?: number; follows?: true }
  | { as: 'word'; label: string; longest?: number }
  | { as: 'choice'; label: string; all: string; options: readonly Option[] };

type Filters = Readonly<Record<string, Filter>>;

type ValueOf<One> = One extends { as: 'tabs'; options: readonly { value: infer Value }[] }
  ? Value
  : One extends { as: 'choice'; options: readonly { value: infer Value }[] }
    ? Value | undefined
    : string | undefined;

/** The values of the filters. A list with days has `from` and `to` as well. */
type Chosen<Of extends Filters> = { [Name in keyof Of]: ValueOf<Of[Name]> } & DayPeriod;

const MARKS = {
  number: (query: FormFields, name: string) => placeIn(query, name, 15),
  uuid: (query: FormFields, name: string) => {
    const text = wordIn(query, name);
    return text !== undefined && isUuid(text) ? text : undefined;
  },
  text: (query: FormFields, name: string) => wordIn(query, name),
};

type Mark<Kind extends keyof typeof MARKS> = ReturnType<(typeof MARKS)[Kind]>;

interface Declared<Of extends Filters, Kind extends keyof typeof MARKS, Row, Context> {
  /** The address of the list. */
  path: string;
  /** The name of the table for screen readers. */
  caption: string;
  filters: Of;
  /** The filter has a first and a last day. */
  hasDays?: true;
  /** The row after which a page begins: newest first as `before`, sorted by name or number as `after`. */
  mark: { name: 'before' | 'after'; kind: Kind; of: (row: Row) => NonNullable<Mark<Kind>> };
  columns: (context: Context) => Column<Row>[];
  empty: {
    /** Nothing is filtered away. */
    none: string;
    /** Without it, `none` is shown for every filter. */
    noMatch?: string;
    /** The link that shows more. */
    all?: { text: string; chosen?: Partial<Chosen<Of>> };
  };
}

interface Shown<Of extends Filters, Kind extends keyof typeof MARKS, Row, Context> {
  asked: Asked<Of, Kind>;
  found: readonly Row[];
  context: Context;
  /** Needed with days: the presets end on it. */
  today?: Day;
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  /** Above the filter, such as the tabs of a section. */
  above?: ComponentChildren;
  refusal?: string;
}

interface Asked<Of extends Filters, Kind extends keyof typeof MARKS> {
  chosen: Chosen<Of>;
  mark: Mark<Kind>;
}

/** What a list's `read` returns. */
export type AskedOf<List extends { read: (query: FormFields) => unknown }> = ReturnType<List['read']>;

const PAGE_SIZE = 50;

/** A list that is declared once. Its address is read from the declaration, and its page is drawn from it. */
export class ListPage<const Of extends Filters, Row, Context, Kind extends keyof typeof MARKS> {
  /** Query so many rows: the one too many tells that another page follows. */
  readonly queried = PAGE_SIZE + 1;

  constructor(private readonly declared: Declared<Of, Kind, Row, Context>) {}

  /** Parts of the address that make no sense are ignored. */
  readonly read = (query: FormFields): Asked<Of, Kind> => {
    const { filters, hasDays, mark } = this.declared;
    const values = Object.entries(filters).map(([name, filter]) => [name, valueIn(query, name, filter)]);
    const days = hasDays ? { from: dayIn(query, 'from'), to: dayIn(query, 'to') } : {};
    return {
      chosen: { ...Object.fromEntries(values), ...given(days) } as Chosen<Of>,
      mark: MARKS[mark.kind](query, mark.name) as Mark<Kind>,
    };
  };

  /** The address with these filters. Values by default are left out. */
  path(chosen: Partial<Chosen<Of>>, mark?: Mark<Kind>): string {
    const { path, filters, mark: place } = this.declared;
    const parts = Object.entries(chosen).map(([name, value]) => [
      name,
      value === usualOf(filters[name]) ? undefined : (value as string | undefined),
    ]);
    return withQuery(path, { ...Object.fromEntries(parts), [place.name]: mark });
  }

  page(shown: Shown<Of, Kind, Row, Context>): Page {
    const { asked, found, context, title, lead, actions, above, refusal } = shown;
    const { caption, columns, mark } = this.declared;
    const { rows, last } = onePage(found, PAGE_SIZE);
    return {
      title,
      lead,
      actions,
      ...(refusal !== undefined && { refusal, status: 422 }),
      ...(isReversed(asked.chosen) && REVERSED),
      content: (
        <>
          {above}
          {this.filter(shown)}
          <ListCard
            caption={caption}
            columns={columns(context)}
            rows={rows}
            empty={this.empty(asked)}
            pager={
              <Pager
                words={mark.name === 'after' ? FORWARD : undefined}
                at={asked.mark}
                next={last && mark.of(last)}
                path={(from) => this.path(asked.chosen, from as Mark<Kind>)}
              />
            }
          />
        </>
      ),
    };
  }

  private filter({ asked: { chosen }, today }: Shown<Of, Kind, Row, Context>) {
    const fields = Object.entries(this.declared.filters);
    const values: Readonly<Record<string, string | undefined>> = chosen;
    const search = fields.find(([, { as }]) => as === 'search');
    const tabs = fields.flatMap(([name, filter]) => (filter.as === 'tabs' ? [{ name, ...filter }] : []));
    const kept = tabs.flatMap(({ name, options }) => {
      const value = values[name];
      return value === undefined || value === options[0]?.value ? [] : [[name, value]];
    });
    return (
      <div class="stack filter">
        {tabs.map(({ name, label, options }) => (
          <Tabs
            label={label}
            tabs={options.map(({ value, text }) => ({
              href: this.path({ ...chosen, [name]: value }),
              text,
              current: value === values[name],
            }))}
          />
        ))}
        {search?.[1].as === 'search' && (
          <SearchForm
            action={this.declared.path}
            name={search[0]}
            label={search[1].label}
            placeholder={search[1].placeholder ?? search[1].label}
            value={values[search[0]]}
            maxlength={search[1].longest}
            follows={search[1].follows}
            hidden={Object.fromEntries(kept)}
          >
            {fields.map(([name, filter]) => (
              <Field name={name} filter={filter} value={values[name]} />
            ))}
            {today !== undefined && (
              <PeriodFields
                period={chosen}
                today={today}
                pathOf={(period) => this.path({ ...chosen, ...period })}
              />
            )}
          </SearchForm>
        )}
      </div>
    );
  }

  private empty({ chosen, mark }: Asked<Of, Kind>) {
    const { filters, empty } = this.declared;
    const isNarrowed = Object.entries(chosen).some(([name, value]) => value !== usualOf(filters[name]));
    if (!(isNarrowed || mark !== undefined) || empty.noMatch === undefined)
      return <Empty>{empty.none}</Empty>;
    const { all } = empty;
    return <Empty next={all && { href: this.path(all.chosen ?? {}), text: all.text }}>{empty.noMatch}</Empty>;
  }
}

interface FieldProps {
  name: string;
  filter: Filter;
  value: string | undefined;
}

/** A field beside the search. */
const Field = ({ name, filter, value }: FieldProps) => {
  if (filter.as === 'word')
    return (
      <label>
        {filter.label}
        <input type="text" name={name} value={value} maxlength={filter.longest} />
      </label>
    );
  if (filter.as === 'choice') return <FilterSelect name={name} chosen={value} {...filter} />;
  return null;
};

function valueIn(query: FormFields, name: string, filter: Filter): string | undefined {
  if (filter.as === 'search' || filter.as === 'word') return wordIn(query, name, filter.longest);
  const values = filter.options.map(({ value }) => value);
  return oneOf(query, name, values) ?? usualOf(filter);
}

/** The value of a filter that the address does not name. */
function usualOf(filter: Filter | undefined): string | undefined {
  return filter?.as === 'tabs' ? filter.options[0]?.value : undefined;
}
