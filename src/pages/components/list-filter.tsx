import type { Day } from '../../platform/time/time.js';
import type { FormFields } from '../../platform/http/parse-form.js';
import { oneOf, wordIn } from '../forms.js';
import { FilterSelect } from './controls.js';
import { SearchForm, Tabs } from './lists.js';
import { type DayPeriod, PeriodFields } from './period-fields.js';

interface Option {
  value: string;
  text: string;
}

/** A parameter of a list's address, and its place on the page. */
export type Filter =
  /** The views of the list. The first one is shown by default. */
  | { as: 'tabs'; label: string; options: readonly Option[] }
  /** The large field. `follows`: a script searches while a person types. */
  | { as: 'search'; label: string; placeholder?: string; longest?: number; follows?: true }
  /** `isHidden`: this reader may not use it. */
  | { as: 'word'; label: string; longest?: number; isHidden?: boolean }
  | { as: 'choice'; label: string; all: string; options: readonly Option[] };

export type Filters = Readonly<Record<string, Filter>>;

type ValueOf<One> = One extends { as: 'tabs'; options: readonly { value: infer Value }[] }
  ? Value
  : One extends { as: 'choice'; options: readonly { value: infer Value }[] }
    ? Value | undefined
    : string | undefined;

/** The values of the filters. A list with days has `from` and `to` as well. */
export type Chosen<Of extends Filters> = { [Name in keyof Of]: ValueOf<Of[Name]> } & DayPeriod;

/** A value that makes no sense is ignored. */
export function valueIn(query: FormFields, name: string, filter: Filter): string | undefined {
  if (filter.as === 'word' && filter.isHidden) return undefined;
  if (filter.as === 'search' || filter.as === 'word') return wordIn(query, name, filter.longest);
  const values = filter.options.map(({ value }) => value);
  return oneOf(query, name, values) ?? usualOf(filter);
}

/** The value of a filter that the address does not name. */
export function usualOf(filter: Filter | undefined): string | undefined {
  return filter?.as === 'tabs' ? filter.options[0]?.value : undefined;
}

interface Props<Of extends Filters> {
  action: string;
  filters: Of;
  chosen: Chosen<Of>;
  /** The day on which the presets of the period end. Without it there is no period. */
  today: Day | undefined;
  /** The number of rows behind a tab, by its value. */
  counts: Readonly<Record<string, string | undefined>> | undefined;
  pathOf: (chosen: Partial<Chosen<Of>>) => string;
}

/** The tabs and the search above a list. */
export function ListFilter<Of extends Filters>(props: Props<Of>) {
  const { action, filters, chosen, today, counts = {}, pathOf } = props;
  const values: Readonly<Record<string, string | undefined>> = chosen;
  const fields = Object.entries(filters);
  /** A search stays in the chosen tab. */
  const kept: Record<string, string> = {};
  for (const [name, filter] of fields) {
    const value = values[name];
    if (filter.as === 'tabs' && value !== undefined && value !== usualOf(filter)) kept[name] = value;
  }
  if (fields.length === 0) return null;
  return (
    <div class="stack filter">
      {fields.map(
        ([name, filter]) =>
          filter.as === 'tabs' && (
            <Tabs
              label={filter.label}
              tabs={filter.options.map(({ value, text }) => ({
                href: pathOf({ ...chosen, [name]: value }),
                text,
                current: value === values[name],
                count: counts[value],
              }))}
            />
          ),
      )}
      {fields.map(([name, filter]) => {
        if (filter.as !== 'search') return null;
        const { label, placeholder = label, longest, follows } = filter;
        const search = { action, name, label, placeholder, maxlength: longest, follows, hidden: kept };
        return (
          <SearchForm {...search} value={values[name]}>
            {fields.map(([other, field]) => (
              <Field name={other} filter={field} value={values[other]} />
            ))}
            {today !== undefined && (
              <PeriodFields
                period={chosen}
                today={today}
                pathOf={(period) => pathOf({ ...chosen, ...period })}
              />
            )}
          </SearchForm>
        );
      })}
    </div>
  );
}

interface FieldProps {
  name: string;
  filter: Filter;
  value: string | undefined;
}

/** A field beside the search. */
const Field = ({ name, filter, value }: FieldProps) => {
  if (filter.as === 'choice') return <FilterSelect name={name} chosen={value} {...filter} />;
  return filter.as === 'word' && !filter.isHidden ? (
    <label>
      {filter.label}
      <input type="text" name={name} value={value} maxlength={filter.longest} />
    </label>
  ) : null;
};
