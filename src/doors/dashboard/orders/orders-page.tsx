import type { Overview } from '../../../orders/view/client-overview.js';
import type { OrderPage } from '../../../orders/view/client-orders.service.js';
import { isPayable, ORDER_GROUPS } from '../../../orders/rules/order-transitions.js';
import { ChosenButton, ChosenTotal, DownloadLink, Form } from '../../../pages/components/controls.js';
import { Empty } from '../../../pages/components/layout.js';
import { ListCard, Pager, SearchForm, Tabs } from '../../../pages/components/lists.js';
import { lookAgain } from '../../../pages/formats.js';
import type { Page } from '../../../pages/page.js';
import type { Figures } from '../../../activity/history/request-figures.js';
import { matterOf, OverviewTiles } from '../overview.js';
import { API_ACCESS, ORDERS, PAY } from '../paths.js';
import { choice, GROUP_NAMES, USUAL } from './orders-table.js';
import { type Chosen, LONGEST_SEARCH, ordersFilePath, ordersPath, type Place } from './orders-query.js';

interface Props {
  overview: Overview;
  requests: Figures;
  page: OrderPage;
  chosen: Chosen;
  place: Place;
  mayPay: boolean;
  paymentWindowHours: number;
  currency: string;
}

const PAY_FORM = 'pay';

export function ordersPage(props: Props): Page {
  const { overview, page, chosen, place, mayPay, paymentWindowHours } = props;
  const canPay = mayPay && page.orders.some(isPayable);
  return {
    title: matterOf(overview),
    lead: `Orders not paid within ${paymentWindowHours} hours are cancelled, and their stock is released.`,
    // A refresh elsewhere would clear the checkboxes.
    refreshSeconds: chosen.group === 'processing' ? lookAgain(overview.processing.since) : undefined,
    content: (
      <>
        <OverviewTiles {...props} />
        <Filter chosen={chosen} />
        <ListCard
          title={titleOf(chosen)}
          actions={<Actions {...props} canPay={canPay} />}
          columns={canPay ? [choice(PAY_FORM), ...USUAL] : USUAL}
          rows={page.orders}
          empty={<NoOrders isFiltered={Object.keys({ ...chosen, ...place }).length > 0} />}
          pager={
            <Pager
              newest={page.newer && ordersPath(chosen, { before: page.newer })}
              older={page.older && ordersPath(chosen, { after: page.older })}
              words={{ newest: 'Newer', older: 'Older' }}
            />
          }
        />
      </>
    ),
  };
}

const Filter = ({ chosen }: { chosen: Chosen }) => (
  <div class="stack filter">
    <Tabs
      label="Orders by state"
      tabs={[undefined, ...ORDER_GROUPS].map((group) => ({
        href: ordersPath({ ...chosen, group }),
        text: group === undefined ? 'All' : GROUP_NAMES[group],
        current: group === chosen.group,
      }))}
    />
    <SearchForm
      action={ORDERS}
      name="search"
      label="Order number, your own id, or customer"
      placeholder="Number, your id or customer"
      value={chosen.search}
      maxlength={LONGEST_SEARCH}
      hidden={chosen.group && { group: chosen.group }}
    >
      <label>
        From
        <input type="date" name="from" value={chosen.from} />
      </label>
      <label>
        to
        <input type="date" name="to" value={chosen.to} />
      </label>
    </SearchForm>
  </div>
);

/** With scripts the button shows the total and pays at once. Without scripts it leads to the review page. */
const Actions = ({ overview, page, chosen, currency, canPay }: Props & { canPay: boolean }) => (
  <>
    {page.orders.length > 0 && (
      <>
        <DownloadLink href={ordersFilePath(chosen)}>Export CSV</DownloadLink>
        <DownloadLink href={ordersFilePath(chosen, { withLines: true })}>Export with items</DownloadLink>
      </>
    )}
    {canPay && (
      <Form action={PAY} id={PAY_FORM} hidden={{ balance: String(overview.funds.available) }} bare>
        <ChosenTotal name="total" limit={overview.funds.available} />
        <ChosenButton
          chosen="Pay {count} from wallet · {total}"
          none="Choose orders to pay"
          beyond={{ minor: overview.funds.available, says: 'Review and pay {count} · {total}' }}
          currency={currency}
        >
          Review and pay the selected orders
        </ChosenButton>
      </Form>
    )}
  </>
);

const NoOrders = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty next={{ href: ORDERS, text: 'Show all orders' }}>
      No order matches. Search with at least three letters of a name, a phone number or your own id.
    </Empty>
  ) : (
    <Empty next={{ href: API_ACCESS, text: 'Connect your store' }}>
      Your store has not placed any orders yet. New orders appear here.
    </Empty>
  );

function titleOf({ group, search }: Chosen): string {
  const name = group === undefined ? 'All orders' : GROUP_NAMES[group];
  return search === undefined ? name : `${name} with “${search}”`;
}
