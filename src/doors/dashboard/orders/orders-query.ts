import { ORDER_GROUPS, type OrderGroup } from '../../../orders/rules/order-transitions.js';
import type { OrderFilter } from '../../../orders/view/order-filter.js';
import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { isStorableText } from '../../../platform/validation/texts.js';
import { ORDERS } from '../paths.js';

export const LONGEST_SEARCH = 100;

/** The filter in the page's address. */
export interface Chosen {
  group?: OrderGroup;
  search?: string;
  /** The first and the last day on which the orders were placed. */
  from?: string;
  to?: string;
}

/** The page's place in the list. */
export interface Place {
  after?: string;
  before?: string;
}

export interface OrdersQuery {
  chosen: Chosen;
  place: Place;
}

/** Parts of the address that make no sense are ignored. */
export function readOrdersQuery(query: FormFields): OrdersQuery {
  const search = textIn(query, 'search').slice(0, LONGEST_SEARCH).trim();
  const chosen = {
    group: ORDER_GROUPS.find((group) => group === textIn(query, 'group')),
    search: isStorableText(search) ? search : '',
    from: dayIn(query, 'from'),
    to: dayIn(query, 'to'),
  };
  return {
    chosen: given(chosen),
    place: given({ after: textIn(query, 'after'), before: textIn(query, 'before') }),
  };
}

export function filterOf({ group, search, from, to }: Chosen): OrderFilter {
  return {
    ...(group && { group }),
    ...(search && { search }),
    ...(from && { from: beginningOf(from) }),
    ...(to && { to: beginningOf(to, 1) }),
  };
}

export function ordersPath(chosen: Chosen, place: Place = {}): string {
  return withQuery(ORDERS, { ...chosen, ...place });
}

export function ordersFilePath(chosen: Chosen): string {
  return withQuery(`${ORDERS}.csv`, { ...chosen });
}

type Given<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** Drops empty fields. */
function given<Fields extends object>(fields: Fields): Given<Fields> {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(pairs) as Given<Fields>;
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A day as a date field sends it: "2026-11-20". Other text is ignored. */
function dayIn(query: FormFields, name: string): string | undefined {
  const text = textIn(query, name);
  const [, year, month, day] = DAY.exec(text)?.map(Number) ?? [];
  if (year === undefined) return undefined;
  // The Date constructor reads 30 February as 2 March.
  return new Date(year, month! - 1, day).getDate() === day && year > 1970 ? text : undefined;
}

/** The day's first moment in the machine's time zone, which the pages also use; `later` adds days. */
function beginningOf(day: string, later = 0): Date {
  const [, year, month, date] = DAY.exec(day)!.map(Number);
  return new Date(year!, month! - 1, date! + later);
}
