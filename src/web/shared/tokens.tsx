import { randomUUID } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import type {
  Overlap,
  ReplacedToken,
  ClientTokenView,
} from '../../modules/auth/tokens/client-tokens.service.js';
import type { IssuedToken } from '../../modules/auth/tokens/issue-token.js';
import {
  Button,
  ButtonLink,
  Choices,
  ConfirmForm,
  CopyField,
  Field,
  FormCard,
} from '../../shared/ui/components/controls.js';
import { Card, Facts } from '../../shared/ui/components/layout.js';
import { type ListColumn, ListCard, timeColumn, titleColumn } from '../../shared/ui/components/lists.js';
import { StateLabel, RelativeTime } from '../../shared/ui/components/values.js';
import type { Link, Page } from '../../shared/ui/page.js';
import { TOKEN_KINDS, type TokenKind } from '../../platform/access/token-kind.js';

interface ListProps {
  tokens: readonly ClientTokenView[];
  /** The address of a token, for a person who may change it. */
  pathOf: ((id: number) => string) | undefined;
  empty: ComponentChildren;
}

export const TokensCard = ({ tokens, pathOf, empty }: ListProps) => (
  <ListCard
    title="Tokens"
    columns={[
      nameColumn(pathOf),
      DOMAIN,
      KIND,
      timeColumn('Created', ({ createdAt }: ClientTokenView) => createdAt),
      LAST_USED,
      { heading: 'State', as: 'state', cell: (token) => <TokenState endsAt={token.endsAt} /> },
    ]}
    rows={tokens}
    empty={empty}
  />
);

export const EndedTokensCard = ({ ended }: { ended: readonly ClientTokenView[] }) => (
  <ListCard title="Ended tokens" columns={ENDED} rows={ended} />
);

const KINDS: Record<TokenKind, { text: string; hint: string }> = {
  full: { text: 'Full access', hint: 'Reads everything, and places and cancels orders.' },
  read_only: {
    text: 'Read only',
    hint: 'Reads catalog, stock, orders and invoices. For an analyst, or a program that only shows goods.',
  },
  test: {
    text: 'Test orders',
    hint: 'Places orders as above, but nothing is held, owed or sent. For trying your whole store.',
  },
};

export const TokenKindField = () => (
  <Choices
    label="Access"
    name="kind"
    options={TOKEN_KINDS.map((value) => ({ value, ...KINDS[value] }))}
    value="full"
    required
  />
);

const nameColumn = (pathOf?: (id: number) => string): ListColumn<ClientTokenView> =>
  titleColumn('Name', ({ id, name, prefix }) => ({
    text: name,
    href: pathOf?.(id),
    detail: <code>{prefix}…</code>,
  }));

const DOMAIN: ListColumn<ClientTokenView> = { heading: 'Domain', cell: ({ domain }) => domain };
const KIND: ListColumn<ClientTokenView> = { heading: 'Access', cell: ({ kind }) => KINDS[kind].text };
const LAST_USED = timeColumn('Last used', ({ lastUsedAt }: ClientTokenView) => lastUsedAt);

const ENDED = [
  nameColumn(),
  DOMAIN,
  KIND,
  LAST_USED,
  timeColumn('Ended', ({ endsAt }: ClientTokenView) => endsAt),
];

/** The state of a token or a key that is valid. */
export const TokenState = ({ endsAt }: { endsAt: Date | null }) =>
  endsAt === null ? (
    <StateLabel kind="accent">Active</StateLabel>
  ) : (
    <StateLabel kind="warn">
      Ends <RelativeTime at={endsAt} />
    </StateLabel>
  );

const OVERLAPS = [
  { value: '24h', text: 'In 24 hours', hint: 'Gives time to update the store.' },
  { value: '7d', text: 'In 7 days' },
  { value: '1h', text: 'In one hour' },
  {
    value: 'now',
    text: 'Now',
    hint: 'If the token may be stolen. The store cannot call until it has the new token.',
  },
];

interface TokenPageProps {
  token: ClientTokenView;
  /** The address of the token. The addresses of its forms begin with it. */
  path: string;
  title?: string;
  back: Link;
  isReplaceable?: boolean;
  /** Further forms. */
  children?: ComponentChildren;
}

/** One valid token, for a person who may change it. */
export function tokenPage(props: TokenPageProps): Page {
  const { token, path, title = token.name, back, isReplaceable = true, children } = props;
  return {
    title,
    lead: (
      <>
        <code>{token.prefix}…</code> for {token.domain}
      </>
    ),
    back,
    actions: (
      <ButtonLink href={`${path}/revoke`} kind="danger">
        Revoke
      </ButtonLink>
    ),
    content: (
      <>
        <Card>
          <Facts
            of={{
              State: <TokenState endsAt={token.endsAt} />,
              Access: KINDS[token.kind].text,
              'Last used': <RelativeTime at={token.lastUsedAt} />,
              Created: <RelativeTime at={token.createdAt} />,
            }}
          />
        </Card>
        <div class="columns">
          {isReplaceable && (
            <FormCard title="Replace token" action={`${path}/replace`} hidden={{ key: randomUUID() }}>
              <p>The new token has the same domain and works at once. When should this token end?</p>
              <Choices label="End this token" name="overlap" options={OVERLAPS} value="24h" required />
              <Button kind="primary">Replace the token</Button>
            </FormCard>
          )}
          {children}
        </div>
      </>
    ),
  };
}

export const TokenNameField = (field: { value?: string; hint?: string }) => (
  <Field
    label="Name"
    name="name"
    hint="For example “Web shop” or “Stock sync”."
    maxlength={100}
    required
    {...field}
  />
);

export function revokePage({ name, prefix, lastUsedAt }: ClientTokenView, path: string): Page {
  return {
    title: `Revoke “${name}”?`,
    lead: (
      <>
        Calls with <code>{prefix}…</code> will be refused within a second. This cannot be undone.{' '}
        <LastUse at={lastUsedAt} />
      </>
    ),
    back: { href: path, text: name },
    content: (
      <ConfirmForm
        action={`${path}/revoke`}
        confirm="Revoke the token"
        keep={{ href: path, text: 'Keep the token' }}
      />
    ),
  };
}

export const LastUse = ({ at }: { at: Date | null }) =>
  at === null ? (
    <>It was never used.</>
  ) : (
    <>
      It was last used <RelativeTime at={at} />.
    </>
  );

interface NewTokenProps {
  issued: { token?: IssuedToken['token'] | undefined } | ReplacedToken;
  /** Where the person goes after copying it. */
  path: string;
  saved?: string;
  children?: ComponentChildren;
}

/** A new token, to be copied. No address can show it again, because only its hash is stored. */
export const NewTokenCard = ({ issued, path, saved = 'I have saved it', children }: NewTokenProps) => (
  <Card>
    {issued.token !== undefined && <CopyField label="Token" id="token" text={issued.token} />}
    {'replaced' in issued && <p>{describeReplaced(issued)}</p>}
    {children}
    <div class="actions">
      <ButtonLink href={path} kind="primary">
        {saved}
      </ButtonLink>
    </div>
  </Card>
);

const OVERLAP_LABELS: Record<Exclude<Overlap, 'now'>, string> = {
  '1h': 'one more hour',
  '24h': '24 more hours',
  '7d': '7 more days',
};

function describeReplaced({ replaced: { prefix, overlap } }: ReplacedToken): string {
  if (overlap === 'now') return `The old token, ${prefix}…, no longer works.`;
  return (
    `The old token, ${prefix}…, works for at most ${OVERLAP_LABELS[overlap]}. ` +
    'Replace it in the store by then.'
  );
}

/** What the headers of each call contain. */
export interface CallCredentials {
  token: string;
  domain: string;
}

export const headerLines = ({ token, domain }: CallCredentials): string[] => [
  `Authorization: Bearer ${token}`,
  `X-Client-Domain: ${domain}`,
];

/** A first call to paste into a shell. Tokens and domains contain no character that a shell interprets. */
export function curlLine(baseUrl: string, credentials: CallCredentials): string {
  const headers = headerLines(credentials).map((line) => `  -H '${line}'`);
  return [`curl ${baseUrl}/api/account`, ...headers].join(' \\\n');
}

/** The same without the token, which is shown only once. */
export const exampleCredentials = (tokens: readonly ClientTokenView[]): CallCredentials => ({
  token: '<API_TOKEN>',
  domain: tokens[0]?.domain ?? 'store.example.com',
});
