import {
  clientAsText,
  type ClientChange,
  type ClientDescribed,
  type ClientShown,
} from '../../../clients/client-administration.service.js';
import type { PlanListed, SubscriptionShown } from '../../../clients/subscription-administration.service.js';
import type { Account } from '../../../orders/records/order-desk.repository.js';
import { Button, ButtonLink, Field, Form, FormCard, Select } from '../../../pages/components/controls.js';
import { Card, Empty, Facts, Notice, Tile, Tiles } from '../../../pages/components/layout.js';
import { type Column, ListCard, Tabs } from '../../../pages/components/lists.js';
import { ExactTime, moneyIn, StateLabel } from '../../../pages/components/values.js';
import { countOf, dayOf, formatMoney, formatNumber } from '../../../pages/formats.js';
import { textIn } from '../../../pages/forms.js';
import { type Link, type Page, withQuery } from '../../../pages/page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { minorFromAmount } from '../../../platform/money/money.js';
import type { Settings } from '../../../platform/settings/settings.js';
import { STATES } from '../../../tax/gst-codes.js';
import { stateName } from '../../../tax/gstin.js';
import { clientPath, clientPaths, CLIENTS, ORDERS } from '../paths.js';
import { ClientState, SubscriptionFields } from './clients-pages.js';

export type ClientNamed = Pick<ClientShown, 'client_id' | 'name'>;

export const backToClient = ({ client_id: id, name }: ClientNamed): Link => ({
  href: clientPath(id),
  text: name,
});

/** The parts of one client. */
const ClientTabs = ({ id, at, isAdmin }: { id: number; at: string; isAdmin: boolean }) => (
  <Tabs
    label="Client"
    tabs={[
      { href: clientPath(id), text: 'Overview' },
      { href: clientPaths(id).wallet, text: 'Wallet' },
      { href: clientPaths(id).tokens, text: 'Tokens and domains' },
      { href: clientPaths(id).requests, text: 'Requests' },
      ...(isAdmin ? [{ href: clientPaths(id).people, text: 'People' }] : []),
    ].map((tab) => ({ ...tab, current: tab.href === at }))}
  />
);

/** A page of one client, below its tabs. */
export const clientPage = (
  { client_id: id, name }: ClientNamed,
  at: string,
  isAdmin: boolean,
  page: Page,
): Page => ({
  ...page,
  back: { href: clientPath(id), text: name },
  content: (
    <>
      <ClientTabs id={id} at={at} isAdmin={isAdmin} />
      {page.content}
    </>
  ),
});

interface OverviewProps {
  client: ClientDescribed;
  account: Account;
  isAdmin: boolean;
  hasTax: boolean;
  settings: Pick<Settings, 'currency' | 'timeZone' | 'unpaidValueLimit' | 'unpaidOrdersLimit'>;
}

export function clientOverviewPage(props: OverviewProps): Page {
  const { client, account, isAdmin, hasTax, settings } = props;
  const { client_id: id, subscription } = client;
  const money = (amount: number) => moneyIn(settings.currency)(minorFromAmount(amount));
  return {
    title: client.name,
    lead: `Client ${id}, ${client.email}`,
    back: { href: CLIENTS, text: 'Clients' },
    actions: (
      <>
        <Form action={clientPaths(id).see} bare>
          <Button>See as this client</Button>
        </Form>
        <ButtonLink href={withQuery(ORDERS, { client: id })}>Its orders</ButtonLink>
      </>
    ),
    content: (
      <>
        <ClientTabs id={id} at={clientPath(id)} isAdmin={isAdmin} />
        {client.suspended_at && (
          <Notice kind="bad">
            Suspended since <ExactTime at={client.suspended_at} />. All its tokens are refused.
          </Notice>
        )}
        <Tiles>
          <Tile label="In the wallet" href={clientPaths(id).wallet}>
            {money(account.balance)}
          </Tile>
          <Tile label="To be paid" note={countOf(account.unpaid_orders, 'unpaid order', 'unpaid orders')}>
            {money(account.unpaid_total)}
          </Tile>
          <Tile
            label="Plan"
            note={
              subscription ? (
                <>
                  {subscription.active ? 'until' : 'not active:'} <EndOf until={subscription.until} />
                </>
              ) : (
                'none'
              )
            }
          >
            {subscription?.plan ?? '–'}
          </Tile>
        </Tiles>
        <div class="columns">
          <Card
            title="Details"
            actions={isAdmin && <ButtonLink href={clientPaths(id).details}>Change the details</ButtonLink>}
          >
            <Facts
              of={{
                State: <ClientState client={client} />,
                Since: <ExactTime at={client.created_at} />,
                'Limit of unpaid value': limitWords(client.unpaid_value_limit, (limit) =>
                  formatMoney(minorFromAmount(limit), settings.currency),
                ),
                'Limit of unpaid orders': limitWords(client.unpaid_orders_limit, formatNumber),
                'Time zone': client.time_zone ?? `${settings.timeZone}, as in the settings`,
                ...(hasTax && taxFacts(client)),
              }}
            />
          </Card>
          <Card
            title="Subscription"
            actions={
              isAdmin && <ButtonLink href={clientPaths(id).subscription}>Change the subscription</ButtonLink>
            }
          >
            <SubscriptionFacts client={client} />
          </Card>
        </div>
        {isAdmin && (
          <Card title={client.suspended_at ? 'Resume' : 'Suspend'}>
            {client.suspended_at ? (
              <Form action={`${clientPath(id)}/resume`}>
                <p>Its tokens work again within a second.</p>
                <Button>Resume {client.name}</Button>
              </Form>
            ) : (
              <Form
                action={`${clientPath(id)}/suspend`}
                confirm={`All calls of ${client.name} will be refused, until you resume it.`}
              >
                <p>All its tokens are refused. Its orders stay, and its people can still sign in and pay.</p>
                <Button kind="danger">Suspend {client.name}</Button>
              </Form>
            )}
          </Card>
        )}
      </>
    ),
  };
}

/** The words of the overview and of the form for a limit. */
function limitWords(limit: number | null, told: (limit: number) => string): string {
  if (limit === null) return 'As in the settings';
  return limit === 0 ? 'None' : told(limit);
}

function limitText(limit: number | null): string {
  if (limit === null) return 'default';
  return limit === 0 ? 'none' : String(limit);
}

const SubscriptionFacts = ({ client: { subscription, upcoming } }: Pick<OverviewProps, 'client'>) =>
  subscription === null ? (
    <p>This client never had a subscription. Its store cannot order.</p>
  ) : (
    <>
      <Facts
        of={{
          Plan: subscription.plan,
          State: subscription.active ? (
            <StateLabel kind="accent">Active</StateLabel>
          ) : (
            <StateLabel kind="warn">Not active</StateLabel>
          ),
          From: <ExactTime at={new Date(subscription.from)} />,
          Until: <EndOf until={subscription.until} />,
        }}
      />
      {upcoming.map(({ plan, from, until }) => (
        <p class="small">
          Next: plan {plan} from <ExactTime at={new Date(from)} /> until <EndOf until={until} />.
        </p>
      ))}
    </>
  );

const taxFacts = ({ gstin, state, billing_address: address }: ClientShown) => ({
  GSTIN: gstin ?? 'None',
  'State for GST': state === null ? 'Not set' : stateName(state),
  'Billing address': address ?? 'Not set',
});

const STATE_OPTIONS = [
  { value: '', text: 'As in the GSTIN' },
  ...[...STATES].map(([value, text]) => ({ value, text: `${text} (${value})` })),
];

interface Detail {
  label: string;
  hint?: string;
  type?: 'email';
  maxlength: number;
  required?: true;
  /** The value as the form takes it. */
  of: (client: ClientShown) => string;
}

/** What an admin may change. Fields of tax are shown if the service issues invoices. */
const DETAILS: Record<'name' | 'email' | 'unpaidValueLimit' | 'unpaidOrdersLimit' | 'timeZone', Detail> = {
  name: { label: 'Name', maxlength: 200, required: true, of: ({ name }) => name },
  email: { label: 'E-mail address', type: 'email', maxlength: 254, required: true, of: ({ email }) => email },
  unpaidValueLimit: {
    label: 'Limit of unpaid value',
    hint: 'An amount, “none”, or “default” for the value of the settings.',
    maxlength: 30,
    required: true,
    of: (client) => limitText(client.unpaid_value_limit),
  },
  unpaidOrdersLimit: {
    label: 'Limit of unpaid orders',
    hint: 'A number, “none”, or “default”.',
    maxlength: 30,
    required: true,
    of: (client) => limitText(client.unpaid_orders_limit),
  },
  timeZone: {
    label: 'Time zone',
    hint: 'Such as Asia/Kolkata, or “default”.',
    maxlength: 100,
    required: true,
    of: (client) => client.time_zone ?? 'default',
  },
};

const TAX_DETAILS: Record<'gstin' | 'billingAddress', Detail> = {
  gstin: {
    label: 'GSTIN',
    hint: '15 characters. Empty if the client is not registered.',
    maxlength: 30,
    of: ({ gstin }) => gstin ?? '',
  },
  billingAddress: { label: 'Billing address', maxlength: 300, of: (client) => client.billing_address ?? '' },
};

const fieldOf = (client: ClientShown, name: string, { of, ...field }: Detail) => (
  <Field {...field} name={name} value={of(client)} />
);

/** A field that the form does not have stays as it is. */
export function readDetails(fields: FormFields): ClientChange {
  const names = [...Object.keys(DETAILS), ...Object.keys(TAX_DETAILS), 'state'];
  return Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, textIn(fields, name)]] : [])));
}

/** Shows the current values beside the form, for a person who meets the change of another one. */
export function clientDetailsPage({ client, hasTax }: { client: ClientShown; hasTax: boolean }): Page {
  return {
    title: `Details of ${client.name}`,
    back: backToClient(client),
    content: (
      <div class="columns">
        <Card title="Current details">
          <Facts
            of={{
              ...Object.fromEntries(Object.values(DETAILS).map(({ label, of }) => [label, of(client)])),
              ...(hasTax && taxFacts(client)),
            }}
          />
        </Card>
        <FormCard
          title="Change the details"
          action={clientPaths(client.client_id).details}
          hidden={{ shown: clientAsText(client) }}
        >
          {Object.entries(DETAILS).map(([name, detail]) => fieldOf(client, name, detail))}
          {hasTax && (
            <>
              {fieldOf(client, 'gstin', TAX_DETAILS.gstin)}
              <Select label="State for GST" name="state" options={STATE_OPTIONS} value={client.state ?? ''} />
              {fieldOf(client, 'billingAddress', TAX_DETAILS.billingAddress)}
            </>
          )}
          <Button kind="primary">Save the details</Button>
        </FormCard>
      </div>
    ),
  };
}

interface SubscriptionProps {
  client: ClientDescribed;
  plans: readonly PlanListed[];
  /** The subscriptions as the form sends them back. */
  shown: string;
}

export function clientSubscriptionPage({ client, plans, shown }: SubscriptionProps): Page {
  const { client_id: id, subscription, upcoming } = client;
  const open = [...(subscription?.active ? [subscription] : []), ...upcoming];
  const path = clientPaths(id).subscription;
  return {
    title: `Subscription of ${client.name}`,
    lead: 'A new subscription ends the current one at its start, and replaces all later ones.',
    back: backToClient(client),
    content: (
      <>
        <ListCard
          title="Current and next"
          columns={SUBSCRIPTIONS}
          rows={open}
          empty={<Empty>No subscription is active or to come.</Empty>}
        />
        <div class="columns">
          <FormCard title="Set or extend" action={path} hidden={{ shown }}>
            <SubscriptionFields plans={plans} plan={subscription?.plan} />
            <Button kind="primary">Save the subscription</Button>
          </FormCard>
          {open.length > 0 && (
            <FormCard
              title="End now"
              action={`${path}/end`}
              hidden={{ shown }}
              confirm={`The store of ${client.name} can order no more, from now on.`}
            >
              <p>The current subscription ends at once. Later ones are deleted.</p>
              <Button kind="danger">End the subscription</Button>
            </FormCard>
          )}
        </div>
      </>
    ),
  };
}

/** The last day of a subscription, or the time of its end. */
const EndOf = ({ until }: Pick<SubscriptionShown, 'until'>) =>
  until.includes('T') ? <ExactTime at={new Date(until)} /> : <>{dayOf(Date.parse(until), 'UTC')}</>;

const SUBSCRIPTIONS: Column<SubscriptionShown>[] = [
  { heading: 'Plan', as: 'title', cell: ({ plan }) => plan },
  { heading: 'From', cell: ({ from }) => <ExactTime at={new Date(from)} /> },
  { heading: 'Until', cell: ({ until }) => <EndOf until={until} /> },
  {
    heading: 'State',
    as: 'state',
    cell: ({ active }) =>
      active ? <StateLabel kind="accent">Active</StateLabel> : <StateLabel kind="info">To come</StateLabel>,
  },
];
