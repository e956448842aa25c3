import type { Overview } from '../../../orders/view/client-overview.js';
import type { OrderPage } from '../../../orders/view/client-orders.service.js';
import { isPayable, ORDER_GROUPS } from '../../../orders/rules/order-transitions.js';
import { ButtonLink } from '../../../pages/components/button.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { ChosenButton, ChosenTotal } from '../../../pages/components/choose.js';
import { Form } from '../../../pages/components/form.js';
import { Icon } from '../../../pages/components/icon.js';
import { Pager, SearchForm, Tabs } from '../../../pages/components/lists.js';
import { lookAgain } from '../../../pages/times.js';
import type { Page } from '../../../pages/page.js';
import type { Figures } from '../../../activity/history/request-figures.js';
import { matterOf, OverviewTiles } from '../overview.js';
import { ORDERS, PAY } from '../paths.js';
import { GROUP_NAMES, OrdersTable } from './orders-table.js';
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
        <Card title={titleOf(chosen)} actions={<Actions {...props} canPay={canPay} />} flush>
          {page.orders.length === 0 ? (
            <Nothing chosen={chosen} place={place} />
          ) : (
            <OrdersTable
              caption={titleOf(chosen)}
              orders={page.orders}
              payForm={canPay ? PAY_FORM : undefined}
            />
          )}
          <Pager
            newest={page.newer && ordersPath(chosen, { before: page.newer })}
            older={page.older && ordersPath(chosen, { after: page.older })}
            words={{ newest: 'Newer', older: 'Older' }}
          />
        </Card>
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
      <ButtonLink href={ordersFilePath(chosen)} download>
        <Icon name="download" />
        Export CSV
      </ButtonLink>
    )}
    {canPay && (
      <Form action={PAY} id={PAY_FORM} hidden={{ balance: String(overview.balance) }} bare>
        <ChosenTotal name="total" limit={overview.balance} />
        <ChosenButton
          chosen="Pay {count} from wallet · {total}"
          none="Choose orders to pay"
          beyond={{ minor: overview.balance, says: 'Review and pay {count} · {total}' }}
          currency={currency}
        >
          Review and pay the selected orders
        </ChosenButton>
      </Form>
    )}
  </>
);

const Nothing = ({ chosen, place }: Pick<Props, 'chosen' | 'place'>) => {
  if (Object.keys(chosen).length > 0 || Object.keys(place).length > 0)
    return (
      <Empty action={<ButtonLink href={ORDERS}>Show all orders</ButtonLink>}>
        <p>No order matches. Search with at least three letters of a name, a phone number or your own id.</p>
      </Empty>
    );
  return (
    <Empty action={<ButtonLink href="/dashboard/api-access">Connect your store</ButtonLink>}>
      <p>Your store has not placed any orders yet. New orders appear here.</p>
    </Empty>
  );
};

function titleOf({ group, search }: Chosen): string {
  const name = group === undefined ? 'All orders' : GROUP_NAMES[group];
  return search === undefined ? name : `${name} with “${search}”`;
}
