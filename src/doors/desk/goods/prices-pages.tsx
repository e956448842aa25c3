import { type DeskPerson, hasRole } from '../../../auth/people/signed-in-person.js';
import type { PlanListed } from '../../../auth/subscriptions/subscription-administration.js';
import {
  Button,
  ButtonLink,
  DownloadLink,
  Field,
  Form,
  FormCard,
} from '../../../pages/components/controls.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { counts, FORWARD, ListCard, Pager, titles } from '../../../pages/components/lists.js';
import { ExactTime, type StateKind, StateLabel } from '../../../pages/components/values.js';
import { countOf } from '../../../pages/formats.js';
import { ListPage } from '../../../pages/list-page.js';
import { type Page, withQuery } from '../../../pages/page.js';
import type { ChangeNumbered } from '../../../plans/change-log.repository.js';
import type { PriceNumbered, ScheduledChange } from '../../../plans/price-schedules.service.js';
import type { OnePage } from '../../../platform/lists/one-page.js';
import { GOODS, productPath, IMPORTS, planPath, PRICE_CHANGES, PRICES, upcomingPath } from '../paths.js';
import { SeeWhatChanges } from '../action.js';
import { CHANGE_COLUMNS, GoodsTabs, NO_CHANGES } from './goods-page.js';
import { DatesFields } from './product-pages.js';

interface PricesProps {
  me: DeskPerson;
  plans: readonly PlanListed[];
  upcoming: OnePage<ScheduledChange>;
  after: number | undefined;
  /** Also shows changes that are over. */
  past: boolean;
}

export function pricesPage({ me, plans, upcoming: { rows, last }, after, past }: PricesProps): Page {
  const path = (from?: number) => withQuery(PRICES, { past: past ? 'yes' : undefined, after: from });
  return {
    title: 'Plans and prices',
    actions: (
      <>
        <DownloadLink href={`${GOODS}/prices.csv`}>Fixed prices CSV</DownloadLink>
        <ButtonLink href={withQuery(IMPORTS, { kind: 'prices' })}>Import prices</ButtonLink>
      </>
    ),
    content: (
      <>
        <GoodsTabs at={PRICES} />
        <ListCard
          title="Scheduled changes"
          actions={
            past ? (
              <a href={PRICES}>Only open ones</a>
            ) : (
              <a href={withQuery(PRICES, { past: 'yes' })}>Also past ones</a>
            )
          }
          columns={[
            titles('Change', ({ change, what }: ScheduledChange) => ({
              text: `${change}: ${what}`,
              href: upcomingPath(change),
            })),
            counts('Prices', ({ prices }: ScheduledChange) => prices),
            { heading: 'From', cell: ({ from }) => <ExactTime at={from} /> },
            { heading: 'To', cell: ({ to }) => (to === null ? 'They stay' : <ExactTime at={to} />) },
            { heading: 'By', cell: ({ by }) => by },
            { heading: 'State', as: 'state', cell: ({ state }) => <ChangeState state={state} /> },
          ]}
          rows={rows}
          empty={<Empty>Give a price a date on the page of a product, or import a file with dates.</Empty>}
          pager={<Pager words={FORWARD} at={after} next={last?.change} path={path} />}
        />
        <ListCard
          title="Plans"
          columns={[
            {
              heading: 'Plan',
              as: 'title',
              cell: ({ code, name }) => {
                const called = code === name ? code : `${code}, ${name}`;
                return hasRole(me, 'admin') ? <a href={planPath(code)}>{called}</a> : called;
              },
            },
            { heading: 'Discount', align: 'end', cell: ({ discount }) => `${discount} %` },
            counts('Fixed prices', (plan: PlanListed) => plan.fixed_prices),
            counts('Clients now', (plan: PlanListed) => plan.active_subscriptions),
          ]}
          rows={plans}
          empty={<Empty>There is no plan yet.</Empty>}
        />
      </>
    ),
  };
}

const OPEN: ReadonlySet<ScheduledChange['state']> = new Set(['waiting', 'beginning', 'running']);

const STATES: Record<ScheduledChange['state'], StateKind> = {
  waiting: 'warn',
  beginning: 'info',
  running: 'accent',
  applied: 'quiet',
  ended: 'quiet',
  missed: 'bad',
  withdrawn: 'quiet',
};

const ChangeState = ({ state }: Pick<ScheduledChange, 'state'>) => (
  <StateLabel kind={STATES[state]}>{`${state.charAt(0).toUpperCase()}${state.slice(1)}`}</StateLabel>
);

export function upcomingPage(
  me: DeskPerson,
  change: ScheduledChange & { isDiscount: boolean },
  { rows, last }: OnePage<PriceNumbered>,
  after: number | undefined,
): Page {
  const path = (from?: number) => withQuery(upcomingPath(change.change), { after: from });
  const mayGo =
    OPEN.has(change.state) &&
    (change.state === 'waiting' || change.to !== null) &&
    (!change.isDiscount || hasRole(me, 'admin'));
  return {
    title: `Scheduled change ${change.change}: ${countOf(change.prices, 'price', 'prices')}`,
    lead: (
      <>
        From <ExactTime at={change.from} />
        {change.to !== null && (
          <>
            {' to '}
            <ExactTime at={change.to} />
          </>
        )}
        , by {change.by}. <ChangeState state={change.state} />
      </>
    ),
    back: { href: PRICES, text: 'Plans and prices' },
    content: (
      <>
        {mayGo && (
          <Card title="Withdraw it">
            <p>
              {change.state === 'waiting'
                ? 'It has not begun: all its prices stay as they are.'
                : 'It has begun: it ends now, and the earlier prices return.'}
            </p>
            <Form action={`${upcomingPath(change.change)}/withdraw`} bare>
              <div class="actions">
                <Button kind="danger">{`Withdraw ${countOf(change.prices, 'price', 'prices')}`}</Button>
              </div>
            </Form>
          </Card>
        )}
        <ListCard
          caption="Prices"
          columns={[
            {
              heading: 'Product',
              as: 'title',
              cell: ({ sku }) => (sku === null ? 'Discount' : <a href={productPath(sku)}>{sku}</a>),
            },
            { heading: 'Plan', cell: ({ plan }) => plan ?? 'Base price' },
            { heading: 'Old', align: 'end', cell: ({ old }) => old ?? 'By the discount' },
            { heading: 'New', align: 'end', as: 'amount', cell: (price) => price.new ?? 'By the discount' },
            { heading: 'State', as: 'state', cell: ({ state }) => state },
          ]}
          rows={rows}
          pager={<Pager words={FORWARD} at={after} next={last?.number} path={path} />}
        />
      </>
    ),
  };
}

export const CHANGE_LIST = new ListPage({
  path: PRICE_CHANGES,
  caption: 'Changes of prices and plans',
  filters: {
    sku: { as: 'search', label: 'SKU' },
    subject: {
      as: 'choice',
      label: 'What',
      all: 'All changes',
      options: [
        { value: 'product', text: 'Base prices' },
        { value: 'price', text: 'Prices in plans' },
        { value: 'plan', text: 'Plans' },
        { value: 'subscription', text: 'Subscriptions' },
      ],
    },
  },
  mark: { name: 'before', kind: 'number', of: ({ id }: ChangeNumbered) => Number(id) },
  columns: () => CHANGE_COLUMNS,
  empty: { none: NO_CHANGES },
});

export function planPage({ code, name, discount }: PlanListed): Page {
  return {
    title: `Plan ${code}`,
    lead: `${discount} % off the base prices now.`,
    back: { href: PRICES, text: 'Plans and prices' },
    content: (
      <FormCard action={planPath(code)}>
        <Field label="Name" name="name" value={name} maxlength={200} required />
        <Field
          label="Discount in percent"
          name="discount"
          inputmode="decimal"
          value={String(discount)}
          required
        />
        <DatesFields what="discount" />
        <SeeWhatChanges back={PRICES} />
      </FormCard>
    ),
  };
}
