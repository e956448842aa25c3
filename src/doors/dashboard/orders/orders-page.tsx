import type { Tally } from '../../../orders/records/client-overview.repository.js';
import { type BoundedCount, sumOfCounts } from '../../../platform/lists/bounded-lists.js';
import type { OrderPage } from '../../../orders/records/client-orders.service.js';
import { type OrderSort, SORTS } from '../../../orders/records/order-filter.js';
import { SORTED_BY_TOTAL } from '../../../orders/records/order-view.repository.js';
import { isPayable, ORDER_GROUPS, type OrderGroup } from '../../../orders/rules/order-transitions.js';
import { ChosenButton, ChosenTotal, DownloadLink, Form } from '../../../pages/components/controls.js';
import { Empty } from '../../../pages/components/layout.js';
import { ListCard, Pager, SearchForm, Tabs } from '../../../pages/components/lists.js';
import { formatCount, formatNumber, lookAgain } from '../../../pages/formats.js';
import type { Page } from '../../../pages/page.js';
import type { Day } from '../../../platform/time/time.js';
import { ReviewAll } from '../paying/review-page.js';
import { API_ACCESS, ORDERS, PAY, reviewAllPath } from '../paths.js';
import { GROUPS } from '../../shared/order-cards.js';
import { isReversed, PeriodFields, REVERSED } from '../../../pages/components/period-fields.js';
import { choice, type OrderColumn, PLACED, TOTAL, USUAL } from './orders-table.js';
import {
  type Chosen,
  isNarrowed,
  LONGEST_SEARCH,
  ordersFilePath,
  ordersPath,
  type Place,
} from './orders-query.js';

interface Props {
  tally: Tally;
  page: OrderPage;
  chosen: Chosen;
  place: Place;
  mayPay: boolean;
  paymentWindowHours: number;
  currency: string;
  /** In the client's time zone. */
  today: Day;
}

const PAY_FORM = 'pay';

export function ordersPage(props: Props): Page {
  const { tally, page, chosen, mayPay } = props;
  const canPay = mayPay && page.orders.some(isPayable);
  const title = titleOf(props);
  return {
    title,
    skipTo: { href: '#orders', text: 'Skip to orders' },
    lead: <Lead {...props} />,
    actions: page.orders.length > 0 && (
      <>
        <DownloadLink href={ordersFilePath(chosen)}>Export CSV</DownloadLink>
        <DownloadLink href={ordersFilePath(chosen, { withLines: true })}>CSV with items</DownloadLink>
      </>
    ),
    ...(isReversed(chosen) && REVERSED),
    // A refresh elsewhere would clear the checkboxes.
    refreshSeconds: chosen.group === 'processing' ? lookAgain(tally.processing.since) : undefined,
    content: (
      <>
        <Filter {...props} />
        <ListCard
          id="orders"
          caption={title}
          columns={canPay ? [choice(PAY_FORM), ...columnsFor(chosen)] : columnsFor(chosen)}
          rows={page.orders}
          bar={canPay && <PayBar {...props} />}
          empty={<NoOrders {...props} />}
          pager={
            <Pager
              at={page.newer}
              next={page.older}
              path={(after) => ordersPath(chosen, after ? { after } : { before: page.newer })}
              words={PAGER_WORDS[chosen.sort ?? 'newest']}
            />
          }
        />
      </>
    ),
  };
}

const PAGER_WORDS: Record<OrderSort, { newest: string; older: string }> = {
  newest: { newest: 'Newer', older: 'Older' },
  oldest: { newest: 'Older', older: 'Newer' },
  highest: { newest: 'Higher', older: 'Lower' },
  lowest: { newest: 'Lower', older: 'Higher' },
};

/** "Cancelled · 2". A search or a period that fills several pages is not counted. */
function titleOf({ tally, page, chosen }: Props): string {
  const { group, search } = chosen;
  const name = group === undefined ? 'All orders' : GROUPS[group].name;
  const isWhole = page.newer === undefined && page.older === undefined;
  const count = isNarrowed(chosen)
    ? isWhole && formatNumber(page.orders.length)
    : formatCount(countIn(tally, group));
  const searched = search === undefined ? name : `${name} with “${search}”`;
  return count === false ? searched : `${searched} · ${count}`;
}

const countIn = ({ groups }: Tally, group: OrderGroup | undefined): BoundedCount =>
  group === undefined ? sumOfCounts(Object.values(groups)) : groups[group];

const LEADS: Record<Exclude<OrderGroup, 'to_pay'>, string> = {
  processing: 'Do not pay these orders again. They are paid when the gateway confirms the payment.',
  paid: 'The wholesaler ships these orders next.',
  shipped: 'These parcels are on their way. Each order has a link to track its parcel.',
  delivered: 'These parcels were delivered.',
  cancelled: 'The stock of these orders is released. What was paid is back in your wallet.',
};

const Lead = ({ tally, chosen: { group, sort = 'newest' }, paymentWindowHours }: Props) => (
  <>
    {group === undefined || group === 'to_pay'
      ? `Orders not paid within ${paymentWindowHours} hours are cancelled, and their stock is released.`
      : LEADS[group]}
    {SORTS[sort].by === 'total' &&
      countIn(tally, group).orMore &&
      ` Only the newest ${formatNumber(SORTED_BY_TOTAL)} orders are sorted by total. ` +
        'Choose dates to see others.'}
  </>
);

const Filter = ({ tally, chosen, today }: Props) => {
  const { group, search, sort } = chosen;
  return (
    <div class="stack filter">
      <Tabs
        label="Orders by state"
        tabs={[undefined, ...ORDER_GROUPS].map((each) => ({
          href: ordersPath({ ...chosen, group: each }),
          text: each === undefined ? 'All' : GROUPS[each].name,
          current: each === group,
          count: isNarrowed(chosen) ? undefined : formatCount(countIn(tally, each)),
        }))}
      />
      <SearchForm
        action={ORDERS}
        name="search"
        label="Order number, your own id, or customer"
        placeholder="Number, your id or customer"
        value={search}
        maxlength={LONGEST_SEARCH}
        hidden={{ ...(group && { group }), ...(sort && { sort }) }}
      >
        <PeriodFields
          period={chosen}
          today={today}
          pathOf={(period) => ordersPath({ ...chosen, ...period })}
        />
      </SearchForm>
    </div>
  );
};

/** A search is sorted by date only. */
function columnsFor(chosen: Chosen): OrderColumn[] {
  const sortable: [OrderColumn, OrderSort, OrderSort][] = [[PLACED, 'newest', 'oldest']];
  if (chosen.search === undefined) sortable.push([TOTAL, 'highest', 'lowest']);
  return USUAL.map((column) => {
    const [, falling, rising] = sortable.find(([sorted]) => sorted === column) ?? [];
    if (falling === undefined || rising === undefined) return column;
    const { sort = 'newest' } = chosen;
    const now = sort === falling ? 'descending' : sort === rising ? 'ascending' : undefined;
    const href = ordersPath({ ...chosen, sort: sort === falling ? rising : falling });
    return { ...column, sort: { href, now } };
  });
}

/** With scripts the button shows the total and pays at once. Without scripts it leads to the review page. */
const PayBar = ({ tally: { toPay, funds }, page, chosen, place, currency }: Props) => {
  const back = ordersPath(chosen, place);
  return (
    <>
      {toPay.orders > page.orders.filter(isPayable).length && (
        <a href={reviewAllPath(back)}>
          <ReviewAll toPay={toPay} currency={currency} />
        </a>
      )}
      <Form action={PAY} id={PAY_FORM} hidden={{ balance: String(funds.available), back }} bare>
        <ChosenTotal name="total" limit={funds.available} />
        <ChosenButton
          chosen="Pay {count} from wallet · {total}"
          none="Choose orders to pay"
          beyond={{ minor: funds.available, says: 'Review and pay {count} · {total}' }}
          currency={currency}
        >
          Review and pay the selected orders
        </ChosenButton>
      </Form>
    </>
  );
};

const NoOrders = ({ tally, chosen, place }: Props) => {
  if (isNarrowed(chosen) || (place.after ?? place.before) !== undefined)
    return (
      <Empty next={{ href: ordersPath({ group: chosen.group }), text: 'Clear the search and the dates' }}>
        No order matches. Search with at least three letters of a name, a phone number or your own id.
      </Empty>
    );
  if (countIn(tally, undefined).count > 0)
    return <Empty next={{ href: ORDERS, text: 'Show all orders' }}>No orders are in this state now.</Empty>;
  return (
    <Empty next={{ href: API_ACCESS, text: 'Connect your store' }}>
      Your store has not placed any orders yet. New orders appear here.
    </Empty>
  );
};
