import { useContext } from 'preact/hooks';
import type { ClientListItem } from '../../../modules/clients/client-administration.service.js';
import { CLIENT_FIELDS, TAX_NAMES } from '../../../modules/clients/client-fields.js';
import { missingDataNotice } from '../../../modules/clients/rules/invoice-needs.js';
import type { NewClientsService } from '../../../modules/auth/new-clients.service.js';
import type { SubscriptionListItem } from '../../../modules/clients/subscription-administration.service.js';
import type { PlanListItem } from '../../../modules/clients/subscription.repository.js';
import type { ClientAccount } from '../../../modules/orders/records/order-desk.repository.js';
import {
  Button,
  ButtonLink,
  Checks,
  CopyField,
  Field,
  Select,
} from '../../../shared/ui/components/controls.js';
import { Notice } from '../../../shared/ui/components/layout.js';
import { amountColumn, type ListColumn, titleColumn } from '../../../shared/ui/components/lists.js';
import { PageZone, StateLabel } from '../../../shared/ui/components/values.js';
import { formatLastDay } from '../../../platform/formats.js';
import { ListPage } from '../../../shared/ui/list-page.js';
import type { Page } from '../../../shared/ui/page.js';
import { RecordFields } from '../../../shared/ui/record.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { NewTokenCard } from '../../shared/tokens.js';
import { formPage } from '../../shared/form-page.js';
import { clientPath, CLIENTS, NEW_CLIENT } from '../paths.js';

/** A client with its money. */
export type ClientInList = ClientListItem & ClientAccount;

export const CLIENT_LIST = new ListPage({
  path: CLIENTS,
  caption: 'Clients, by number',
  filters: {
    only: {
      as: 'tabs',
      label: 'Clients by state',
      options: [
        { value: 'all', text: 'All' },
        { value: 'suspended', text: 'Suspended' },
        { value: 'ending', text: 'Subscription ends soon' },
        { value: 'unserved', text: 'Without a subscription' },
      ],
    },
    search: {
      as: 'search',
      label: 'Name, number, e-mail address or domain',
      placeholder: 'Name, number, address or domain',
      maxLength: 200,
    },
  },
  mark: { name: 'after', kind: 'number', of: ({ id }: ClientInList) => id },
  columns: (currency: string): ListColumn<ClientInList>[] => [
    titleColumn('Client', ({ id, name, domains, email }) => ({
      text: name,
      href: clientPath(id),
      detail: domains.length > 0 ? domains.join(', ') : email,
    })),
    { heading: 'Number', align: 'end', cell: ({ id }) => id },
    { heading: 'Plan', cell: ({ subscription }) => subscription?.planName ?? '–' },
    amountColumn('To be paid', currency, ({ unpaidTotal }) => minorFromNumeric(unpaidTotal)),
    { heading: 'State', as: 'state', cell: (client) => <ClientState client={client} /> },
    amountColumn('In the wallet', currency, ({ balance }) => minorFromNumeric(balance), 'amount'),
  ],
  empty: { none: 'No clients yet.', noMatch: 'No client matches.', all: { text: 'Show all clients' } },
});

export const clientsHead = (mayAdd: boolean) => ({
  title: 'Clients',
  lead: `The stores that buy from you.${mayAdd ? '' : ' Only admins add clients.'}`,
  actions: mayAdd && (
    <ButtonLink href={NEW_CLIENT} kind="primary">
      New client
    </ButtonLink>
  ),
});

type StatedClient = Pick<ClientListItem, 'suspendedAt' | 'subscription' | 'endsSoonOn'>;

export const ClientState = ({
  client: { suspendedAt, subscription, endsSoonOn },
}: {
  client: StatedClient;
}) => {
  if (suspendedAt) return <StateLabel kind="bad">Suspended</StateLabel>;
  if (endsSoonOn !== null)
    return (
      <StateLabel kind="warn">
        Active until <EndOf until={endsSoonOn} />
      </StateLabel>
    );
  if (subscription?.active) return <StateLabel kind="accent">Active</StateLabel>;
  return <StateLabel kind="warn">No active subscription</StateLabel>;
};

export const LackedNotice = ({ lacked }: { lacked: string | undefined }) =>
  lacked === undefined ? null : <Notice kind="warn">{missingDataNotice(lacked)}</Notice>;

const NEW_CLIENT_FIELDS = {
  ...CLIENT_FIELDS,
  name: { ...CLIENT_FIELDS.name, label: 'Name of the store' },
  email: { ...CLIENT_FIELDS.email, label: 'E-mail address of its owner' },
};

interface NewProps {
  plans: readonly PlanListItem[];
  /** Offers to add it although another client has its name, address or domain. */
  offersForce: boolean;
  /** The form has the fields that invoices need. */
  hasTax: boolean;
}

export const newClientPage = ({ plans, offersForce, hasTax }: NewProps): Page =>
  formPage({
    title: 'New client',
    lead: 'It gets a subscription, an invitation for its owner and, for a domain, a token.',
    back: { href: CLIENTS, text: 'Clients' },
    fields: (
      <>
        <RecordFields of={NEW_CLIENT_FIELDS} names={['name', 'email', ...(hasTax ? TAX_NAMES : [])]} />
        <DomainField hint="Empty for a client without a website: its people or the desk enter its orders." />
        <SubscriptionFields plans={plans} />
        {offersForce && (
          <ForceBox label="Another client has the same" text="Force: this is a different client. Add it." />
        )}
      </>
    ),
    buttons: <Button kind="primary">Add the client</Button>,
  });

/** For a refusal that a person may overrule. */
export const ForceBox = ({ label, text }: { label: string; text: string }) => (
  <Checks label={label} name="force" options={[{ value: 'yes', text }]} values={[]} />
);

export const DomainField = ({ hint }: { hint?: string }) => (
  <Field
    label="Domain"
    name="domain"
    hint={hint ?? 'The domain of the store, such as store.example.com. Its calls must name it.'}
    maxlength={253}
    required={hint === undefined}
  />
);

interface SubscriptionFieldsProps {
  plans: readonly PlanListItem[];
  plan?: string;
}

export const SubscriptionFields = ({ plans, plan }: SubscriptionFieldsProps) => (
  <>
    <Select
      label="Plan"
      name="plan"
      options={plans.map(({ code, name, discount }) => ({
        value: code,
        text: `${name}: ${discount} % off`,
      }))}
      value={plan}
      required
    />
    <Field
      label="From"
      name="from"
      type="date"
      hint="Leave it empty to begin now. The same plan goes on without a break."
    />
    <Field label="Until" name="until" type="date" hint="Includes that day." required />
  </>
);

export const EndOf = ({ until }: Pick<SubscriptionListItem, 'until'>) => (
  <>{formatLastDay(until, useContext(PageZone))}</>
);

/** Shown once: only the hash of the token and of the link are stored. */
export function clientAddedPage(
  { name, subscription }: Pick<ClientListItem, 'name' | 'subscription'>,
  added: Awaited<ReturnType<NewClientsService['add']>>,
  lacked: string | undefined,
): Page {
  const { clientId: id, token, owner, until } = added;
  return {
    title: token === undefined ? `${name} is added` : `Copy the token of ${name} now`,
    lead: (
      <>
        Client {id} has plan {subscription?.planName} until <EndOf until={until} />. What stands here is shown
        only once.
      </>
    ),
    back: { href: CLIENTS, text: 'Clients' },
    content: (
      <NewTokenCard issued={{ token }} path={clientPath(id)} saved="I have saved them">
        <LackedNotice lacked={lacked} />
        {owner ? (
          <>
            <CopyField label="Link for the owner to choose a password" id="link" text={owner.url} />
            <p class="hint">
              {owner.mailed
                ? 'A mail with it is on its way.'
                : 'It was not sent by mail: pass it on in private. The first person to open it can use it.'}
            </p>
          </>
        ) : (
          <Notice kind="warn">
            No owner was invited, because this person signs in for another client. Invite another person.
          </Notice>
        )}
      </NewTokenCard>
    ),
  };
}
