import type { TokenShown } from '../../../auth/tokens/token-overview.js';
import { ButtonLink } from '../../../pages/components/button.js';
import { CopyBlock, CopyField } from '../../../pages/components/copy.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { Notice } from '../../../pages/components/notice.js';
import { type Column, Table } from '../../../pages/components/table.js';
import { StateLabel, When } from '../../../pages/components/values.js';
import type { Page } from '../../../pages/page.js';
import { countOf } from '../count-of.js';
import { NEW_TOKEN, tokenPath } from '../paths.js';

interface Props {
  baseUrl: string;
  tokens: TokenShown[];
  ended: TokenShown[];
  mayChange: boolean;
}

/** All roles see this page. Only owners get its buttons. */
export function apiAccessPage(props: Props): Page {
  const { tokens, ended, mayChange } = props;
  return {
    title: titleOf(tokens),
    lead: 'Keep tokens on your store’s server. Never put one into a browser or an app.',
    actions: mayChange && tokens.length > 0 && (
      <ButtonLink href={NEW_TOKEN} kind="primary">
        New token
      </ButtonLink>
    ),
    content: (
      <>
        {!mayChange && <Notice kind="info">Only owners can create, replace and revoke tokens.</Notice>}
        <Card title="Tokens" flush>
          {tokens.length === 0 ? (
            <NoTokens mayChange={mayChange} />
          ) : (
            <Table caption="Tokens" columns={columnsFor(mayChange)} rows={tokens} />
          )}
        </Card>
        <Calling {...props} />
        {ended.length > 0 && (
          <Card title="Ended tokens" flush>
            <Table caption="Ended tokens" columns={ENDED} rows={ended} />
          </Card>
        )}
      </>
    ),
  };
}

function titleOf(tokens: TokenShown[]): string {
  const ending = tokens.filter(({ endsAt }) => endsAt !== null).length;
  if (tokens.length === 0) return 'Your store is not connected yet';
  if (ending > 0) return `${countOf(ending, 'token ends', 'tokens end')} soon`;
  return `${countOf(tokens.length, 'active token', 'active tokens')}`;
}

const NoTokens = ({ mayChange }: Pick<Props, 'mayChange'>) => (
  <Empty
    action={
      mayChange && (
        <ButtonLink href={NEW_TOKEN} kind="primary">
          Create a token
        </ButtonLink>
      )
    }
  >
    <p>
      Your store needs a token to read the catalog and to place orders.
      {!mayChange && ' Ask an owner to create one.'}
    </p>
  </Empty>
);

const Calling = ({ baseUrl, tokens }: Props) => (
  <Card title="Connect your store" actions={<ButtonLink href="/docs">Read the docs</ButtonLink>}>
    <CopyField label="Base address" id="base-address" value={baseUrl} />
    <p class="hint">Test your connection with this call. A token is shown only once, when you create it.</p>
    <CopyBlock
      id="first-call"
      label="Test call"
      text={curlLine(baseUrl, { token: YOUR_TOKEN, domain: tokens[0]?.domain ?? 'store.example.com' })}
    />
  </Card>
);

function columnsFor(mayChange: boolean): Column<TokenShown>[] {
  return [
    {
      heading: 'Name',
      as: 'title',
      cell: ({ id, name, prefix }) => (
        <>
          {mayChange ? <a href={tokenPath(id)}>{name}</a> : name}
          <small>
            <code>{prefix}…</code>
          </small>
        </>
      ),
    },
    { heading: 'Domain', cell: ({ domain }) => domain },
    { heading: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
    { heading: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <When at={lastUsedAt} /> : 'Never') },
    { heading: 'State', as: 'state', cell: (token) => <TokenState token={token} /> },
  ];
}

export const TokenState = ({ token: { endsAt } }: { token: Pick<TokenShown, 'endsAt'> }) =>
  endsAt === null ? (
    <StateLabel kind="accent">Active</StateLabel>
  ) : (
    <StateLabel kind="warn">
      Ends <When at={endsAt} />
    </StateLabel>
  );

const ENDED: Column<TokenShown>[] = [
  {
    heading: 'Name',
    as: 'title',
    cell: ({ name, prefix }) => (
      <>
        {name}
        <small>
          <code>{prefix}…</code>
        </small>
      </>
    ),
  },
  { heading: 'Domain', cell: ({ domain }) => domain },
  { heading: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <When at={lastUsedAt} /> : 'Never') },
  { heading: 'Ended', cell: ({ endsAt }) => endsAt && <When at={endsAt} /> },
];

interface Credentials {
  token: string;
  domain: string;
}

/** Stands in the example call: the token itself is shown only once. */
export const YOUR_TOKEN = '<API_TOKEN>';

/**
 * A first call to paste into a shell. Tokens and domains contain no character that a shell treats specially.
 */
export function curlLine(baseUrl: string, { token, domain }: Credentials): string {
  return [
    `curl ${baseUrl}/api/account \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    `  -H 'X-Client-Domain: ${domain}'`,
  ].join('\n');
}
