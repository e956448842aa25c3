import { ORDER_GROUPS, type OrderGroup } from '../../../orders/rules/order-transitions.js';
import { ORDER_SORTS, type OrderFilter, type OrderSort, SORTS } from '../../../orders/view/order-filter.js';
import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { addDays, type Day, isDay, startOfDay, type TimeZone } from '../../../platform/time/time.js';
import { isStorableText } from '../../../platform/validation/texts.js';
import { ORDERS } from '../paths.js';

export const LONGEST_SEARCH = 100;

/** The filter in the page's address. */
export interface Chosen {
  group?: OrderGroup;
  search?: string;
  /** The first and the last day on which the orders were placed. */
  from?: Day;
  to?: Day;
  /** Newest first if it is not given. */
  sort?: OrderSort;
}

/** The page's place in the list. */
export interface Place {
  after?: string;
  before?: string;
}

export interface OrdersQuery {
  chosen: Chosen;
  place: Place;
  /** The file has a row for each line of an order. */
  withLines: boolean;
}

/** Parts of the address that make no sense are ignored. */
export function readOrdersQuery(query: FormFields): OrdersQuery {
  const search = textIn(query, 'search').slice(0, LONGEST_SEARCH).trim();
  const chosen = {
    group: ORDER_GROUPS.find((group) => group === textIn(query, 'group')),
    search: isStorableText(search) ? search : '',
    from: dayIn(query, 'from'),
    to: dayIn(query, 'to'),
    sort: sortIn(query),
  };
  return {
    chosen: given(chosen),
    place: given({ after: textIn(query, 'after'), before: textIn(query, 'before') }),
    withLines: textIn(query, 'lines') === 'yes',
  };
}

export function filterOf({ group, search, from, to }: Chosen, timeZone: TimeZone): OrderFilter {
  return {
    ...(group && { group }),
    ...(search && { search }),
    ...(from && { from: startOfDay(from, timeZone) }),
    ...(to && { to: startOfDay(addDays(to, 1), timeZone) }),
  };
}

export function ordersPath({ sort, ...chosen }: Chosen, place: Place = {}): string {
  return withQuery(ORDERS, { ...chosen, sort: sort === 'newest' ? undefined : sort, ...place });
}

export function ordersFilePath({ sort: _, ...chosen }: Chosen, { withLines = false } = {}): string {
  return withQuery(`${ORDERS}.csv`, { ...chosen, lines: withLines ? 'yes' : undefined });
}

interface Preset {
  text: string;
  from: Day;
  to: Day;
}

/** Periods that end today. A week begins on Monday. */
export function presetsOn(today: Day): Preset[] {
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  return [
    { text: 'Today', from: today, to: today },
    { text: 'This week', from: addDays(today, -sinceMonday), to: today },
    { text: 'This month', from: `${today.slice(0, 7)}-01`, to: today },
  ];
}

/** The list shows only a part of its group. */
export function isNarrowed({ search, from, to }: Chosen): boolean {
  return (search ?? from ?? to) !== undefined;
}

/** The first day is later than the last one, so no order can match. */
export function isReversed({ from, to }: Chosen): boolean {
  return from !== undefined && to !== undefined && from > to;
}

/** A search is sorted by date only: see `OrderViewRepository`. */
function sortIn(query: FormFields): OrderSort | undefined {
  const sort = ORDER_SORTS.find((name) => name === textIn(query, 'sort'));
  if (sort === undefined || sort === 'newest') return undefined;
  return SORTS[sort].by === 'total' && textIn(query, 'search').trim() !== '' ? undefined : sort;
}

type Given<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** Drops empty fields. */
function given<Fields extends object>(fields: Fields): Given<Fields> {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(pairs) as Given<Fields>;
}

/** A day as a date field sends it: "2026-11-20". Other text is ignored. */
function dayIn(query: FormFields, name: string): Day | undefined {
  const text = textIn(query, name);
  return isDay(text) && text > '1971' ? text : undefined;
}
