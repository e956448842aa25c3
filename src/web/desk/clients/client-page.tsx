import type { ClientDetails } from '../../../modules/clients/client-administration.service.js';
import {
  CLIENT_FIELDS,
  clientNames,
  clientWords,
  settingOf,
} from '../../../modules/clients/client-fields.js';
import type { Client } from '../../../modules/clients/client.entity.js';
import { SUSPENDED } from '../../../modules/clients/refusals.js';
import type { SubscriptionListItem } from '../../../modules/clients/subscription-administration.service.js';
import type { PlanListItem } from '../../../modules/clients/subscription.repository.js';
import type { ClientAccount } from '../../../modules/orders/records/order-desk.repository.js';
import { Button, ButtonLink, Field, Form, FormCard } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Facts, Notice, Tile, Tiles } from '../../../shared/ui/components/layout.js';
import { type ListColumn, ListCard, Tabs } from '../../../shared/ui/components/lists.js';
import { ExactTime, moneyRenderer, StateLabel } from '../../../shared/ui/components/values.js';
import { countOf } from '../../../platform/formats.js';
import { type Link, type Page, withQuery } from '../../../shared/ui/page.js';
import { fieldFacts } from '../../../shared/ui/record.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import type { Settings } from '../../../platform/settings/settings.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';
import { clientPath, clientPaths, CLIENTS, ORDERS, settingPath } from '../paths.js';
import { ClientState, EndOf, LackedNotice, SubscriptionFields } from './clients-pages.js';

export type ClientIdAndName = Pick<Client, 'id' | 'name'>;

export const backToClient = ({ id, name }: ClientIdAndName): Link => ({
  href: clientPath(id),
  text: name,
});

const ClientTabs = ({ id, at, seesPeople }: { id: number; at: string; seesPeople: boolean }) => (
  <Tabs
    label="Client"
    at={at}
    tabs={[
      { href: clientPath(id), text: 'Overview' },
      { href: clientPaths(id).wallet, text: 'Wallet' },
      { href: clientPaths(id).tokens, text: 'Tokens and domains' },
      { href: clientPaths(id).requests, text: 'Requests' },
      ...(seesPeople ? [{ href: clientPaths(id).people, text: 'People' }] : []),
    ]}
  />
);

export const clientPage = (
  { id, name }: ClientIdAndName,
  at: string,
  seesPeople: boolean,
  page: Page,
): Page => ({
  ...page,
  back: { href: clientPath(id), text: name },
  content: (
    <>
      <ClientTabs id={id} at={at} seesPeople={seesPeople} />
      {page.content}
    </>
  ),
});

interface OverviewProps {
  client: ClientDetails;
  account: ClientAccount;
  me: DeskPerson;
  hasTax: boolean;
  /** The data that its invoices need and that is missing. */
  lacked: string | undefined;
  settings: Pick<Settings, 'currency' | 'timeZone'>;
}

export function clientOverviewPage(props: OverviewProps): Page {
  const { client, account, me, hasTax, lacked, settings } = props;
  const { id, subscription } = client;
  const manages = may(me, 'manage clients');
  const money = (numeric: string) => moneyRenderer(settings.currency)(minorFromNumeric(numeric));
  return {
    title: client.name,
    lead: `Client ${id}`,
    back: { href: CLIENTS, text: 'Clients' },
    actions: (
      <>
        <Form action={clientPaths(id).see} bare>
          <Button>See as this client</Button>
        </Form>
        <ButtonLink href={withQuery(ORDERS, { client: id })}>Its orders</ButtonLink>
        {!client.suspendedAt && <ButtonLink href={clientPaths(id).order}>New order</ButtonLink>}
      </>
    ),
    content: (
      <>
        <ClientTabs id={id} at={clientPath(id)} seesPeople={may(me, 'manage people')} />
        {client.suspendedAt && (
          <Notice kind="bad">
            Suspended since <ExactTime at={client.suspendedAt} />. All its tokens are refused: its stores read
            “{SUSPENDED}”
          </Notice>
        )}
        <LackedNotice lacked={lacked} />
        {!manages && (
          <Notice kind="info">Only admins change a client, its plan and its people, or suspend it.</Notice>
        )}
        <Tiles>
          <Tile label="In the wallet" href={clientPaths(id).wallet}>
            {money(account.balance)}
          </Tile>
          <Tile label="To be paid" note={countOf(account.unpaidOrders, 'unpaid order', 'unpaid orders')}>
            {money(account.unpaidTotal)}
          </Tile>
          <Tile
            label="Plan"
            note={
              subscription ? (
                <>
                  {subscription.active ? 'until' : isUpcoming(client) ? 'to come, until' : 'ended'}{' '}
                  <EndOf until={subscription.until} />
                </>
              ) : (
                'none'
              )
            }
          >
            {subscription?.planName ?? '–'}
          </Tile>
        </Tiles>
        <div class="columns">
          <Card
            title="Details"
            actions={
              <>
                {hasTax && <ButtonLink href={clientPaths(id).tax}>Change the tax data</ButtonLink>}
                {manages && <ButtonLink href={clientPaths(id).details}>Change the details</ButtonLink>}
              </>
            }
          >
            <Facts
              of={{
                State: <ClientState client={client} />,
                Since: <ExactTime at={client.createdAt} />,
                ...fieldFacts(CLIENT_FIELDS, clientNames(hasTax), (name) => {
                  const words = clientWords(client, settings)(name);
                  const setting = may(me, 'change settings') && settingOf(client, name);
                  return setting ? <a href={settingPath(setting)}>{words}</a> : words;
                }),
              }}
            />
          </Card>
          <Card
            title="Subscription"
            actions={
              manages && <ButtonLink href={clientPaths(id).subscription}>Change the subscription</ButtonLink>
            }
          >
            <SubscriptionFacts client={client} />
          </Card>
        </div>
        {manages && (
          <Card title={client.suspendedAt ? 'Resume' : 'Suspend'}>
            {client.suspendedAt ? (
              <Form action={`${clientPath(id)}/resume`}>
                <p>Its tokens work again within a second.</p>
                <Button>Resume {client.name}</Button>
              </Form>
            ) : (
              <Form
                action={`${clientPath(id)}/suspend`}
                confirm={`All calls of ${client.name} will be refused, until you resume it.`}
              >
                <p>
                  All its tokens are refused: its stores read “{SUSPENDED}” Its orders stay, and its people
                  can still sign in and pay.
                </p>
                <Field
                  label="Reason"
                  hint="Optional. The client reads it in the mail about the suspension."
                  name="reason"
                  maxlength={200}
                />
                <Button kind="danger">Suspend {client.name}</Button>
              </Form>
            )}
          </Card>
        )}
      </>
    ),
  };
}

type OverviewClient = OverviewProps['client'];

/** No subscription is active, and the page shows the next one. */
const isUpcoming = ({ subscription, upcoming }: OverviewClient) => upcoming[0]?.from === subscription?.from;

const SubscriptionFacts = ({ client }: { client: OverviewClient }) =>
  client.subscription === null ? (
    <p>This client never had a subscription. Its store cannot order.</p>
  ) : (
    <>
      <Facts
        of={{
          Plan: client.subscription.planName,
          State: client.subscription.active ? (
            <StateLabel kind="accent">Active</StateLabel>
          ) : (
            <StateLabel kind="warn">{isUpcoming(client) ? 'To come' : 'Ended'}</StateLabel>
          ),
          From: <ExactTime at={new Date(client.subscription.from)} />,
          Until: <EndOf until={client.subscription.until} />,
        }}
      />
      {client.upcoming.slice(isUpcoming(client) ? 1 : 0).map(({ planName, from, until }) => (
        <p class="small">
          Next: plan {planName} from <ExactTime at={new Date(from)} /> until <EndOf until={until} />.
        </p>
      ))}
    </>
  );

interface SubscriptionProps {
  client: ClientDetails;
  plans: readonly PlanListItem[];
  /** The subscriptions as the form sends them back. */
  reviewedState: string;
}

export function clientSubscriptionPage({ client, plans, reviewedState }: SubscriptionProps): Page {
  const { id, subscription, upcoming } = client;
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
          <FormCard title="Set or extend" action={path} hidden={{ shown: reviewedState }}>
            <SubscriptionFields plans={plans} plan={subscription?.plan} />
            <Button kind="primary">Save the subscription</Button>
          </FormCard>
          {open.length > 0 && (
            <FormCard
              title="End now"
              action={`${path}/end`}
              hidden={{ shown: reviewedState }}
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

const SUBSCRIPTIONS: ListColumn<SubscriptionListItem>[] = [
  { heading: 'Plan', as: 'title', cell: ({ planName }) => planName },
  { heading: 'From', cell: ({ from }) => <ExactTime at={new Date(from)} /> },
  { heading: 'Until', cell: ({ until }) => <EndOf until={until} /> },
  {
    heading: 'State',
    as: 'state',
    cell: ({ active }) =>
      active ? <StateLabel kind="accent">Active</StateLabel> : <StateLabel kind="info">To come</StateLabel>,
  },
];
