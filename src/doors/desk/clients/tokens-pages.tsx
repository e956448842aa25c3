import { randomUUID } from 'node:crypto';
import type { TokenReplaced } from '../../../auth/tokens/client-tokens.service.js';
import type { TokenIssued } from '../../../auth/tokens/issue-token.js';
import type { TokenListed } from '../../../auth/tokens/token-administration.service.js';
import { Button, Choices, Field, Form, FormCard } from '../../../pages/components/controls.js';
import { Card, Empty, Facts } from '../../../pages/components/layout.js';
import { type Column, ListCard, times, titles } from '../../../pages/components/lists.js';
import { StateLabel, When } from '../../../pages/components/values.js';
import { countOf } from '../../../pages/formats.js';
import type { Page } from '../../../pages/page.js';
import { clientPaths, clientTokenPath } from '../paths.js';
import { type ClientNamed, clientPage } from './client-page.js';
import { DomainField, ForceBox, OnceShown } from './clients-pages.js';

interface ListProps {
  client: ClientNamed;
  tokens: readonly TokenListed[];
  allowed: readonly string[];
  isAdmin: boolean;
  /** Of the form for a token: a repeated form makes one token. */
  key?: string;
  /** Offers a domain that another client has. */
  offersForce?: boolean;
}

/** All tokens of a client, the newest first. */
export function tokensPage(props: ListProps): Page {
  const { client, tokens, isAdmin } = props;
  const { id } = client;
  const valid = tokens.filter((token) => !hasEnded(token)).length;
  return clientPage(client, clientPaths(id).tokens, isAdmin, {
    title: `${client.name}: ${countOf(valid, 'valid token', 'valid tokens')}`,
    lead: 'A token is the secret by which the store calls the API from its domain.',
    content: (
      <>
        <ListCard
          title="Tokens"
          columns={tokenColumns(id, isAdmin)}
          rows={tokens.toReversed()}
          empty={<Empty>No tokens. The store cannot call the API.</Empty>}
        />
        <div class="columns">
          {isAdmin && <NewToken {...props} />}
          <Domains {...props} />
        </div>
      </>
    ),
  });
}

/** Whether calls with the token are refused. */
export function hasEnded({ revoked_at: revoked, ends_at: ends }: TokenListed): boolean {
  return revoked !== null || (ends !== null && ends.getTime() <= Date.now());
}

const TokenState = ({ token }: { token: TokenListed }) => {
  if (hasEnded(token)) return <StateLabel kind="quiet">{token.revoked_at ? 'Revoked' : 'Ended'}</StateLabel>;
  if (token.ends_at === null) return <StateLabel kind="accent">Active</StateLabel>;
  return (
    <StateLabel kind="warn">
      Ends <When at={token.ends_at} />
    </StateLabel>
  );
};

const tokenColumns = (clientId: number, isAdmin: boolean): Column<TokenListed>[] => [
  titles('Name', (token) => ({
    text: token.name,
    href: isAdmin && !hasEnded(token) ? clientTokenPath(clientId, token.token_id) : undefined,
    detail: <code>{token.prefix}…</code>,
  })),
  { heading: 'Domain', cell: ({ domain }) => domain },
  times('Created', ({ created_at: at }) => at),
  times('Last used', ({ last_used_at: at }) => at),
  { heading: 'State', as: 'state', cell: (token) => <TokenState token={token} /> },
];

const NewToken = ({ client: { id }, key = randomUUID(), offersForce = false }: ListProps) => (
  <FormCard title="New token" action={`${clientPaths(id).tokens}/new`} hidden={{ key }}>
    <Field label="Name" name="name" hint="For example “Web shop” or “Stock sync”." maxlength={100} required />
    <DomainField />
    {offersForce && <ForceField />}
    <Button kind="primary">Make a token</Button>
  </FormCard>
);

const ForceField = () => (
  <ForceBox label="Another client has this domain" text="Force: both clients have it." />
);

const Domains = ({ client: { id }, allowed, isAdmin, offersForce = false }: ListProps) => (
  <Card title="Domains for new tokens">
    <p>The owners of the client may make tokens for these domains themselves.</p>
    {allowed.length === 0 ? (
      <p>None.</p>
    ) : (
      <Facts
        of={Object.fromEntries(
          allowed.map((domain) => [
            domain,
            isAdmin ? (
              <Form
                action={`${clientPaths(id).domains}/disallow`}
                hidden={{ disallowed: domain }}
                confirm={`No new tokens for ${domain}? Existing tokens stay valid.`}
                bare
              >
                <Button>Remove {domain}</Button>
              </Form>
            ) : (
              'Allowed'
            ),
          ]),
        )}
      />
    )}
    {isAdmin && (
      <Form action={`${clientPaths(id).domains}/allow`}>
        <Field
          label="Another domain"
          name="allowed"
          hint="Such as store.example.com."
          maxlength={253}
          required
        />
        {offersForce && <ForceField />}
        <Button>Allow the domain</Button>
      </Form>
    )}
  </Card>
);

const OVERLAPS = [
  { value: '24h', text: 'In 24 hours', hint: 'Gives the client time to update its store.' },
  { value: '7d', text: 'In 7 days' },
  { value: '1h', text: 'In one hour' },
  {
    value: 'now',
    text: 'Now',
    hint: 'If the token may be stolen. The store cannot call until it is updated.',
  },
];

/** One valid token, for admins. */
export function tokenPage(client: ClientNamed, token: TokenListed, key: string = randomUUID()): Page {
  const path = clientTokenPath(client.id, token.token_id);
  return {
    title: `${client.name}: ${token.name}`,
    lead: (
      <>
        <code>{token.prefix}…</code> for {token.domain}
      </>
    ),
    back: { href: clientPaths(client.id).tokens, text: 'Tokens' },
    content: (
      <>
        <Card>
          <Facts
            of={{
              State: <TokenState token={token} />,
              'Last used': <When at={token.last_used_at} />,
              Created: <When at={token.created_at} />,
            }}
          />
        </Card>
        <div class="columns">
          {token.ends_at === null && (
            <FormCard title="Replace token" action={`${path}/replace`} hidden={{ key }}>
              <p>The new token has the same domain and works at once. When should this token end?</p>
              <Choices label="End this token" name="overlap" options={OVERLAPS} value="24h" required />
              <Button kind="primary">Replace the token</Button>
            </FormCard>
          )}
          <FormCard
            title="Revoke token"
            action={`${path}/revoke`}
            confirm={`Calls of ${client.name} with ${token.prefix}… will be refused for good.`}
          >
            <p>Calls with it are refused within a second. This cannot be undone.</p>
            <Button kind="danger">Revoke the token</Button>
          </FormCard>
        </div>
      </>
    ),
  };
}

/** Answers the form itself. No address can show it again, because only the token's hash is stored. */
export function tokenMadePage(client: ClientNamed, issued: TokenIssued | TokenReplaced): Page {
  const { token, name, domain } = issued;
  const old = 'replaced' in issued && issued.replaced;
  return {
    title: `Copy the new token of ${client.name} now`,
    lead: `“${name}” is active for ${domain}. It is shown only once. Pass it on in private.`,
    back: { href: clientPaths(client.id).tokens, text: 'Tokens' },
    content: (
      <OnceShown token={token} path={clientPaths(client.id).tokens} saved="I have saved it">
        {old && (
          <p>
            The old token, {old.prefix}…,{' '}
            {old.overlap === 'now' ? 'no longer works.' : 'ends later, as you chose.'}
          </p>
        )}
      </OnceShown>
    ),
  };
}
