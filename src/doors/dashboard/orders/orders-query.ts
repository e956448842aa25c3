import { ORDER_GROUPS, type OrderGroup } from '../../../orders/rules/order-transitions.js';
import {
  ORDER_SORTS,
  type OrderFilter,
  type OrderSort,
  SORTS,
} from '../../../orders/records/order-filter.js';
import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { TimeZone } from '../../../platform/time/time.js';
import { isStorableText } from '../../../platform/validation/texts.js';
import { dayIn, type DayPeriod, given, momentsOf } from '../../../pages/components/period-fields.js';
import { ORDERS } from '../paths.js';

export const LONGEST_SEARCH = 100;

/** The filter in the page's address. */
export interface Chosen extends DayPeriod {
  group?: OrderGroup;
  search?: string;
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

export function filterOf({ group, search, ...period }: Chosen, timeZone: TimeZone): OrderFilter {
  return { ...(group && { group }), ...(search && { search }), ...momentsOf(period, timeZone) };
}

export function ordersPath({ sort, ...chosen }: Chosen, place: Place = {}): string {
  return withQuery(ORDERS, { ...chosen, sort: sort === 'newest' ? undefined : sort, ...place });
}

export function ordersFilePath({ sort: _, ...chosen }: Chosen, { withLines = false } = {}): string {
  return withQuery(`${ORDERS}.csv`, { ...chosen, lines: withLines ? 'yes' : undefined });
}

/** The list shows only a part of its group. */
export function isNarrowed({ search, from, to }: Chosen): boolean {
  return (search ?? from ?? to) !== undefined;
}

/** A search is sorted by date only: see `OrderViewRepository`. */
function sortIn(query: FormFields): OrderSort | undefined {
  const sort = ORDER_SORTS.find((name) => name === textIn(query, 'sort'));
  if (sort === undefined || sort === 'newest') return undefined;
  return SORTS[sort].by === 'total' && textIn(query, 'search').trim() !== '' ? undefined : sort;
}
