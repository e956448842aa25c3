import { normaliseOrderNumber } from '../rules/order-number.js';
import type { OrderGroup } from '../rules/order-group.js';
import { anywhere, searchTerms } from '../rules/search-terms.js';
import type { Condition } from '../reading/conditions.js';
import { OF_STORE_ORDER_ID } from '../reading/order-conditions.js';
import { UNDERWAY_OF_CLIENT } from '../paying/payments-underway.js';

/** Which of a client's orders its people want to see. */
export interface BrowseFilter {
  group?: OrderGroup;
  /** Placed at this time or later. */
  from?: Date;
  /** Placed before this time. */
  to?: Date;
  /** Our number, the store's own id, or the customer: a name, a phone number, an address of mail, or a part of it. */
  search?: string;
}

const SEARCHED =
  'order_search_text(o.order_number, o.store_order_id, o.customer_name, o.customer_phone, o.customer_email)';

const GROUPS: Record<OrderGroup, Condition> = {
  to_pay: [`o.status = 'awaiting_payment' AND o.order_number NOT IN ${UNDERWAY_OF_CLIENT}`],
  processing: [`o.status = 'awaiting_payment' AND o.order_number IN ${UNDERWAY_OF_CLIENT}`],
  paid: [`o.status = 'pending'`],
  shipped: [`o.status = 'shipped'`],
  delivered: [`o.status = 'delivered'`],
  cancelled: [`o.status = 'cancelled'`],
};

export function filterConditions({ group, from, to, search }: BrowseFilter): (Condition | undefined)[] {
  return [
    group && GROUPS[group],
    from && ['o.placed_at >= ?', from],
    to && ['o.placed_at < ?', to],
    search === undefined ? undefined : exactly(search),
  ];
}

/** What else must be found somewhere in the text of an order. */
export function textCondition({ search = '' }: BrowseFilter): Condition | undefined {
  const terms = exactly(search) ? [] : searchTerms(search);
  if (terms.length === 0) return undefined;
  const found = terms.map((spellings) => spellings.map(() => `${SEARCHED} LIKE lower(?)`).join(' OR '));
  return [`(${found.join(') AND (')})`, ...terms.flat().map(anywhere)];
}

/** A whole number of ours in any spelling names one order, and so does a store's id that is too short to be looked for as a part. */
function exactly(search: string): Condition | undefined {
  const orderNumber = normaliseOrderNumber(search);
  if (orderNumber !== null) return ['o.order_number = ?', orderNumber];
  return searchTerms(search).length === 0 ? [OF_STORE_ORDER_ID, search.trim()] : undefined;
}
