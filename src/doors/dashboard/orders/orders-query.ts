import type { OrderFilter } from '../../../orders/view/order-filter.js';
import { ORDER_GROUPS, type OrderGroup } from '../../../orders/rules/order-group.js';
import { textIn } from '../../../pages/forms.js';
import { withQuery } from '../../../pages/addresses.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { isStorableText } from '../../../platform/validation/storable-text.js';
import { beginningOf, dayIn } from '../day-in.js';
import { ORDERS } from '../paths.js';

export const LONGEST_SEARCH = 100;

/** Which orders are shown, as the address says it. */
export interface Chosen {
  group?: OrderGroup;
  search?: string;
  /** The first and the last day on which they were placed. */
  from?: string;
  to?: string;
}

/** Where the page stands in the list. */
export interface Place {
  after?: string;
  before?: string;
}

export interface OrdersQuery {
  chosen: Chosen;
  place: Place;
}

/** What makes no sense asks for nothing. */
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

/** The address of the page that shows them. */
export function ordersPath(chosen: Chosen, place: Place = {}): string {
  return withQuery(ORDERS, { ...chosen, ...place });
}

/** The address of all of them as a file. */
export function ordersFilePath(chosen: Chosen): string {
  return withQuery(`${ORDERS}.csv`, { ...chosen });
}

/** Only what there is something of. */
function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(pairs) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
}
