import type { PlanListItem } from '../../../modules/clients/subscription.repository.js';
import {
  Button,
  ButtonLink,
  DownloadLink,
  Field,
  Form,
  Select,
} from '../../../shared/ui/components/controls.js';
import { Card, Empty } from '../../../shared/ui/components/layout.js';
import { type ListColumn, countColumn, ListCard, titleColumn } from '../../../shared/ui/components/lists.js';
import { EndTime, ExactTime, type StateKind, StateLabel } from '../../../shared/ui/components/values.js';
import { countOf, formatMoney } from '../../../platform/formats.js';
import { type QueryOf, ListPage } from '../../../shared/ui/list-page.js';
import { type Page, withQuery } from '../../../shared/ui/page.js';
import type { NumberedChange } from '../../../modules/plans/change-log.repository.js';
import type {
  ChangeOfKind,
  NumberedPrice,
  ScheduledChange,
} from '../../../modules/plans/price-schedules.repository.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';
import type { OnePage } from '../../../platform/lists/bounded-lists.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import { capitalised } from '../../../platform/validation/texts.js';
import { PLAN_FIELDS, PLAN_NAMES, planTyped, planWords } from '../../../modules/plans/plan-fields.js';
import type { Plan } from '../../../modules/plans/plan.entity.js';
import { RecordFields } from '../../../shared/ui/record.js';
import { reviewedForm } from '../action.js';
import {
  GOODS,
  IMPORTS,
  NEW_PLAN,
  planPath,
  PRICE_CHANGES,
  PRICES,
  productPath,
  upcomingPath,
} from '../paths.js';
import { authorName, authorWords } from '../words.js';
import {
  changeColumns,
  FOUND_BY,
  GoodsTabs,
  NO_CHANGES,
  type PlanNames,
  type PRODUCT_LIST,
  SALE_STATES,
} from './goods-page.js';
import { DatesFields } from './product-pages.js';

type State = ScheduledChange['state'];

const OPEN: ReadonlySet<State> = new Set(['waiting', 'beginning', 'running']);

const STATES: Record<State, StateKind> = {
  waiting: 'warn',
  beginning: 'info',
  running: 'accent',
  applied: 'quiet',
  ended: 'quiet',
  missed: 'bad',
  withdrawn: 'quiet',
};

const ChangeState = ({ state }: { state: State }) => (
  <StateLabel kind={STATES[state]}>{capitalised(state)}</StateLabel>
);

export const SCHEDULES = new ListPage({
  path: PRICES,
  caption: 'Scheduled changes',
  filters: { past: { as: 'view', options: [{ value: 'no' }, { value: 'yes' }] } },
  mark: { name: 'after', kind: 'number', of: ({ change }: ScheduledChange) => change },
  columns: (): ListColumn<ScheduledChange>[] => [
    titleColumn('Change', ({ change, what }) => ({ text: `${change}: ${what}`, href: upcomingPath(change) })),
    countColumn('Values', ({ prices }) => prices),
    { heading: 'From', cell: ({ from }) => <ExactTime at={from} /> },
    { heading: 'To', cell: ({ to }) => (to === null ? 'They stay' : <EndTime at={to} />) },
    { heading: 'By', cell: ({ by }) => authorName(by) },
    { heading: 'State', as: 'state', cell: ({ state }) => <ChangeState state={state} /> },
  ],
  empty: {
    none:
      'Give a price a first day on the page of a product, change many under Products, or import prices ' +
      'or GST rates: you choose their first day after the upload.',
  },
});

interface PricesProps {
  me: DeskPerson;
  plans: readonly PlanListItem[];
  query: QueryOf<typeof SCHEDULES>;
  found: OnePage<ScheduledChange>;
}

export function pricesPage({ me, plans, query, found }: PricesProps): Page {
  const [past, text] =
    query.selected.past === 'yes'
      ? (['no', 'Only open ones'] as const)
      : (['yes', 'Also past ones'] as const);
  const other = <a href={SCHEDULES.path({ past })}>{text}</a>;
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
        {SCHEDULES.card({ title: 'Scheduled changes', actions: other, query, result: found, context: {} })}
        <ListCard
          title="Plans"
          actions={may(me, 'manage plans') && <ButtonLink href={NEW_PLAN}>New plan</ButtonLink>}
          columns={[
            titleColumn('Plan', (plan: PlanListItem) => ({
              text: plan.name,
              href: may(me, 'manage plans') ? planPath(plan.code) : undefined,
            })),
            { heading: 'Discount', align: 'end', cell: ({ discount }) => `${discount} %` },
            countColumn('Fixed prices', (plan: PlanListItem) => plan.fixedPrices),
            countColumn('Clients now', (plan: PlanListItem) => plan.activeSubscriptions),
          ]}
          rows={plans}
          empty={<Empty>There is no plan yet.</Empty>}
        />
      </>
    ),
  };
}

interface PriceContext {
  /** Follows the names of prices. */
  priceNote: string;
  currency: string;
}

/** A price, or the percentage of a rate or a discount. */
function scheduledValue({ isRate, sku }: NumberedPrice, value: number | null, currency: string): string {
  if (value === null) return isRate ? 'None' : 'By the discount';
  return isRate || sku === null ? `${value} %` : formatMoney(minorFromAmount(value), currency);
}

export const SCHEDULED_PRICES = new ListPage({
  caption: 'Prices',
  filters: {},
  mark: { name: 'after', kind: 'number', of: ({ number }: NumberedPrice) => number },
  columns: ({ priceNote, currency }: PriceContext): ListColumn<NumberedPrice>[] => [
    titleColumn('Product', ({ sku }) =>
      sku === null ? { text: 'Discount' } : { text: sku, href: productPath(sku) },
    ),
    { heading: 'Plan', cell: ({ plan, isRate }) => (isRate ? 'GST rate' : (plan ?? 'Base price')) },
    { heading: `Old${priceNote}`, align: 'end', cell: (price) => scheduledValue(price, price.old, currency) },
    {
      heading: `New${priceNote}`,
      align: 'end',
      as: 'amount',
      cell: (price) => scheduledValue(price, price.new, currency),
    },
    { heading: 'State', as: 'state', cell: ({ state }) => state },
  ],
  empty: { none: 'There are no more prices.' },
});

interface UpcomingProps extends PriceContext {
  me: DeskPerson;
  change: ChangeOfKind;
  query: QueryOf<typeof SCHEDULED_PRICES>;
  found: OnePage<NumberedPrice>;
}

export function upcomingPage({ me, change, query, found, ...context }: UpcomingProps): Page {
  const { change: number, prices, state, from, to, by, isDiscount, isRate } = change;
  const values = isRate ? countOf(prices, 'GST rate', 'GST rates') : countOf(prices, 'price', 'prices');
  const path = upcomingPath(number);
  const mayGo =
    OPEN.has(state) && (state === 'waiting' || to !== null) && (!isDiscount || may(me, 'manage plans'));
  return {
    title: `Scheduled change ${number}: ${values}`,
    lead: (
      <>
        From <ExactTime at={from} />
        {to !== null && (
          <>
            {' to '}
            <EndTime at={to} />
          </>
        )}
        {', '}
        {authorWords(by)}. <ChangeState state={state} />
      </>
    ),
    back: { href: PRICES, text: 'Plans and prices' },
    content: (
      <>
        {mayGo && (
          <Card title="Withdraw it">
            <p>
              {state === 'waiting'
                ? 'It has not begun: all stays as it is.'
                : 'It has begun: it ends now, and the earlier prices return.'}
            </p>
            <Form action={`${path}/withdraw`} bare>
              <div class="actions">
                <Button kind="danger">{`Withdraw ${values}`}</Button>
              </div>
            </Form>
          </Card>
        )}
        {SCHEDULED_PRICES.card({ path, query, result: found, context })}
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
  mark: { name: 'before', kind: 'number', of: ({ id }: NumberedChange) => Number(id) },
  columns: ({ currency, plans }: { currency: string; plans: PlanNames }) => changeColumns(currency, plans),
  empty: { none: NO_CHANGES },
});

interface ChangesProps {
  query: QueryOf<typeof CHANGE_LIST>;
  found: OnePage<NumberedChange>;
  /** Scheduled changes, which come into the list when they begin. */
  waiting: OnePage<ScheduledChange>;
  plans: readonly PlanListItem[];
  currency: string;
}

export const changesPage = ({ query, found, waiting, plans, currency }: ChangesProps): Page =>
  CHANGE_LIST.page({
    title: 'Who changed prices and plans',
    above: (
      <>
        <GoodsTabs at={PRICE_CHANGES} />
        {waiting.rows.length > 0 &&
          SCHEDULES.card({
            title: 'Scheduled changes',
            query: SCHEDULES.read({}),
            result: waiting,
            context: {},
          })}
      </>
    ),
    query,
    result: found,
    context: { currency, plans: new Map(plans.map(({ code, name }) => [code, name])) },
  });

/** The review is the check of a file with the new prices. */
export const basePricesPage = ({ search, state }: QueryOf<typeof PRODUCT_LIST>['selected']): Page =>
  reviewedForm({
    title: 'Change base prices or GST rates',
    lead: 'Of all products that match. The next page shows each change; nothing is changed before that.',
    back: { href: GOODS, text: 'Goods' },
    fields: (
      <>
        <Field label={FOUND_BY} name="search" value={search} hint="Empty: all products." />
        <Select
          label="State"
          name="state"
          value={state}
          options={[{ value: '', text: 'All products' }, ...SALE_STATES]}
        />
        <Field label="HSN code" name="hsn" hint="Its first digits are enough. Empty: any." maxlength={8} />
        <Field
          label="Prices by percent"
          name="percent"
          hint="Such as 4, or -4 to lower them. New prices have two decimals, rounded half up."
        />
        <Field
          label="Or: the GST rate in percent"
          name="gst_rate"
          hint="Such as 18. A rate has a first day and no last one."
        />
        <DatesFields what="price" fromHint="Empty: prices change now. A rate needs a day." />
      </>
    ),
  });

export const newPlanPage = (priceNote: string): Page =>
  reviewedForm({
    title: 'New plan',
    lead:
      `A plan is a discount on the base prices${priceNote && `${priceNote},`} that subscriptions give. ` +
      'Products may have fixed prices in it later.',
    back: { href: PRICES, text: 'Plans and prices' },
    fields: (
      <>
        <Field
          label="Code"
          name="code"
          hint="Short, without blanks, such as growth. It stays; the name may change."
          maxlength={50}
          required
        />
        <RecordFields of={PLAN_FIELDS} names={PLAN_NAMES} typed={planTyped({ name: '', discount: '0' })} />
      </>
    ),
  });

export const planPage = (plan: Plan, priceNote: string): Page =>
  reviewedForm({
    title: `Plan ${plan.name}`,
    lead:
      `Code ${plan.code}. ${planWords(plan)('discount')} off the base prices` +
      `${priceNote && `${priceNote},`} now.`,
    back: { href: PRICES, text: 'Plans and prices' },
    fields: (
      <>
        <RecordFields
          of={PLAN_FIELDS}
          names={PLAN_NAMES}
          typed={planTyped(plan)}
          hint={(name) => (name === 'name' ? 'Clients read it in their dashboard.' : undefined)}
        />
        <DatesFields what="discount" />
      </>
    ),
  });
