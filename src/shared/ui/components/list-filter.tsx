import type { FormFields } from '../../../platform/http/parse-form.js';
import { type Day, type Month, parseMonth } from '../../../platform/time/time.js';
import { formatMonth } from '../../../platform/formats.js';
import { oneOf, textIn, searchTextIn } from '../forms.js';
import { Button, FilterSelect } from './controls.js';
import { SearchForm, Tabs } from './lists.js';
import { type DayPeriod, PeriodFields } from './period-fields.js';

interface Option {
  value: string;
  text: string;
}

/** A query parameter of a list, and its control on the page. */
type Filter =
  /** The views of the list. The first one is shown by default. */
  | { as: 'tabs'; label: string; options: readonly Option[] }
  /** The large field. `follows`: a script searches while a person types. */
  | { as: 'search'; label: string; placeholder?: string; maxLength?: number; follows?: true }
  /** `isHidden`: this person may not use it. */
  | { as: 'word'; label: string; maxLength?: number; isHidden?: boolean }
  /** Without options it is hidden. */
  | { as: 'choice'; label: string; all: string; options: readonly Option[] }
  /** One of the months that the page names. */
  | { as: 'month'; label: string; all: string }
  /** Links beside the list set it. The first value is the default. */
  | { as: 'view'; options: readonly Pick<Option, 'value'>[] };

export type Filters = Readonly<Record<string, Filter>>;

type ValueOf<One> = One extends { as: 'tabs' | 'view'; options: readonly { value: infer Value }[] }
  ? Value
  : One extends { as: 'choice'; options: readonly { value: infer Value }[] }
    ? Value | undefined
    : string | undefined;

/** The values of the filters. A list with days has `from` and `to` as well. */
export type SelectedFilters<Of extends Filters> = { [Name in keyof Of]: ValueOf<Of[Name]> } & DayPeriod;

/** The value of a filter. An invalid value counts as none. */
export function valueIn(query: FormFields, name: string, filter: Filter): string | undefined {
  if (filter.as === 'word' && filter.isHidden) return undefined;
  if (filter.as === 'search' || filter.as === 'word') return searchTextIn(query, name, filter.maxLength);
  if (filter.as === 'month') return parseMonth(textIn(query, name));
  const values = filter.options.map(({ value }) => value);
  return oneOf(query, name, values) ?? defaultOf(filter);
}

/** The value of a filter that the address leaves out. */
export function defaultOf(filter: Filter | undefined): string | undefined {
  return filter?.as === 'tabs' || filter?.as === 'view' ? filter.options[0]?.value : undefined;
}

interface Props<Of extends Filters> {
  action: string;
  filters: Of;
  selected: SelectedFilters<Of>;
  /** The last day of the period's presets. Without it the list has no period. */
  today: Day | undefined;
  /** The number of rows behind a tab, by its value. */
  counts: Readonly<Record<string, string | undefined>> | undefined;
  /** For a filter by month, the latest first. */
  months: readonly Month[] | undefined;
  /** The tabs of a section stand above. */
  isInner: boolean;
  pathOf: (selected: Partial<SelectedFilters<Of>>) => string;
}

export function ListFilter<Of extends Filters>(props: Props<Of>) {
  const { action, filters, selected, today, counts = {}, months, isInner, pathOf } = props;
  const values: Readonly<Record<string, string | undefined>> = selected;
  const fields = Object.entries(filters);
  /** A search keeps the selected tab and view. */
  const keptParameters: Record<string, string> = {};
  for (const [name, filter] of fields) {
    const value = values[name];
    if ((filter.as === 'tabs' || filter.as === 'view') && value !== undefined && value !== defaultOf(filter))
      keptParameters[name] = value;
  }
  if (!fields.some(([, { as }]) => as === 'tabs' || as === 'search')) return null;
  return (
    <div class="stack filter">
      {fields.map(
        ([name, filter]) =>
          filter.as === 'tabs' && (
            <Tabs
              label={filter.label}
              isInner={isInner}
              tabs={filter.options.map(({ value, text }) => ({
                href: pathOf({ ...selected, [name]: value }),
                text,
                current: value === values[name],
                count: counts[value],
              }))}
            />
          ),
      )}
      {fields.map(([name, filter]) => {
        if (filter.as !== 'search') return null;
        const { label, placeholder = label, maxLength, follows } = filter;
        const search = {
          action,
          name,
          label,
          placeholder,
          maxlength: maxLength,
          follows,
          hidden: keptParameters,
        };
        return (
          <SearchForm {...search} value={values[name]}>
            {fields.map(([other, field]) => (
              <Field name={other} filter={field} value={values[other]} months={months} />
            ))}
            {today !== undefined && (
              <PeriodFields
                period={selected}
                today={today}
                pathOf={(period) => pathOf({ ...selected, ...period })}
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
  months: readonly Month[] | undefined;
}

const Field = ({ name, filter, value, months = [] }: FieldProps) => {
  if (filter.as === 'choice' && filter.options.length === 0) return null;
  if (filter.as === 'choice' || filter.as === 'month') {
    const { label, all } = filter;
    const options =
      filter.as === 'choice'
        ? filter.options
        : months.map((month) => ({ value: month, text: formatMonth(month) }));
    return <FilterSelect {...{ name, label, all, options }} selected={value} />;
  }
  return filter.as === 'word' && !filter.isHidden ? (
    <label>
      {filter.label}
      <input type="text" name={name} value={value} maxlength={filter.maxLength} />
    </label>
  ) : null;
};

/** The selects of a list without a search, in the heading of its card. */
export function FilterSelects<Of extends Filters>({
  action,
  filters,
  selected,
  months,
}: FilterSelectsProps<Of>) {
  const values: Readonly<Record<string, string | undefined>> = selected;
  const fields = Object.entries(filters);
  const isSelect = ({ as }: Filter) => as === 'choice' || as === 'month';
  if (fields.some(([, { as }]) => as === 'search') || !fields.some(([, filter]) => isSelect(filter)))
    return null;
  return (
    <form class="choose-part" action={action}>
      {fields.map(([name, filter]) => (
        <Field name={name} filter={filter} value={values[name]} months={months} />
      ))}
      <Button>Show</Button>
    </form>
  );
}

type FilterSelectsProps<Of extends Filters> = Pick<Props<Of>, 'action' | 'filters' | 'selected' | 'months'>;
