import { randomUUID } from 'node:crypto';
import type { ReplacedToken, ClientTokenView } from '../../../modules/auth/tokens/client-tokens.service.js';
import type { IssuedToken } from '../../../modules/auth/tokens/issue-token.js';
import { Button, Field, Form, FormCard } from '../../../shared/ui/components/controls.js';
import { Card, Empty, Facts } from '../../../shared/ui/components/layout.js';
import { countOf } from '../../../platform/formats.js';
import type { Page } from '../../../shared/ui/page.js';
import { type DeskPerson, may } from '../../../platform/access/signed-in-person.js';
import {
  EndedTokensCard,
  NewTokenCard,
  TokenKindField,
  TokenNameField,
  tokenPage,
  TokensCard,
} from '../../shared/tokens.js';
import { clientPaths, clientTokenPath } from '../paths.js';
import { type ClientIdAndName, clientPage } from './client-page.js';
import { DomainField, ForceBox } from './clients-pages.js';

interface ListProps {
  client: ClientIdAndName;
  tokens: readonly ClientTokenView[];
  ended: readonly ClientTokenView[];
  allowed: readonly string[];
  me: DeskPerson;
  /** The idempotency key of the form: a repeated form makes one token. */
  key?: string;
  /** Offers a domain that another client has. */
  offersForce?: boolean;
}

/** The tokens of a client and the domains for new ones. */
export function tokensPage(props: ListProps): Page {
  const { client, tokens, ended, me } = props;
  const { id } = client;
  const isManaged = may(me, 'manage tokens');
  return clientPage(client, clientPaths(id).tokens, may(me, 'manage people'), {
    title: `${client.name}: ${countOf(tokens.length, 'valid token', 'valid tokens')}`,
    lead: 'A token is the secret by which the store calls the API from its domain.',
    content: (
      <>
        <TokensCard
          tokens={tokens}
          pathOf={isManaged ? (token) => clientTokenPath(id, token) : undefined}
          empty={<Empty>No tokens. The store cannot call the API.</Empty>}
        />
        <div class="columns">
          {isManaged && <NewToken {...props} />}
          <Domains {...props} />
        </div>
        <EndedTokensCard ended={ended} />
      </>
    ),
  });
}

const NewToken = ({ client: { id }, key = randomUUID(), offersForce = false }: ListProps) => (
  <FormCard title="New token" action={`${clientPaths(id).tokens}/new`} hidden={{ key }}>
    <TokenNameField />
    <DomainField />
    <TokenKindField />
    {offersForce && <ForceField />}
    <Button kind="primary">Make a token</Button>
  </FormCard>
);

const ForceField = () => (
  <ForceBox label="Another client has this domain" text="Force: both clients have it." />
);

const Domains = ({ client: { id }, allowed, me, offersForce = false }: ListProps) => (
  <Card title="Domains for new tokens">
    <p>The owners of the client may make tokens for these domains themselves.</p>
    {allowed.length === 0 ? (
      <p>None.</p>
    ) : (
      <Facts
        of={Object.fromEntries(
          allowed.map((domain) => [
            domain,
            may(me, 'manage tokens') ? (
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
    {may(me, 'manage tokens') && (
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

/** One valid token, for admins. It is replaced once. */
export function tokenOfClientPage({ id, name }: ClientIdAndName, token: ClientTokenView): Page {
  return tokenPage({
    token,
    path: clientTokenPath(id, token.id),
    title: `${name}: ${token.name}`,
    back: { href: clientPaths(id).tokens, text: 'Tokens' },
    isReplaceable: token.endsAt === null,
  });
}

/** Answers the form itself. */
export function tokenMadePage(client: ClientIdAndName, issued: IssuedToken | ReplacedToken): Page {
  const { name, domain } = issued;
  const { tokens } = clientPaths(client.id);
  return {
    title: `Copy the new token of ${client.name} now`,
    lead: `“${name}” is active for ${domain}. It is shown only once. Pass it on in private.`,
    back: { href: tokens, text: 'Tokens' },
    content: <NewTokenCard issued={issued} path={tokens} />,
  };
}
