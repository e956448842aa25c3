import { randomUUID } from 'node:crypto';
import type { TokenShown } from '../../../auth/tokens/client-tokens.service.js';
import {
  Button,
  ButtonLink,
  Choices,
  ConfirmForm,
  Field,
  FormCard,
} from '../../../pages/components/controls.js';
import { Card, Facts } from '../../../pages/components/layout.js';
import { When } from '../../../pages/components/values.js';
import type { Page } from '../../../pages/page.js';
import { TokenState } from './api-access-page.js';
import { API_ACCESS, tokenPath } from '../paths.js';

const OVERLAPS = [
  { value: '24h', text: 'In 24 hours', hint: 'Gives you time to update your store.' },
  { value: '7d', text: 'In 7 days' },
  { value: '1h', text: 'In one hour' },
  {
    value: 'now',
    text: 'Now',
    hint: 'If the token may be stolen. Your store cannot call until it has the new token.',
  },
];

/** One active token, for owners. */
export function tokenPage(token: TokenShown): Page {
  const path = tokenPath(token.id);
  return {
    title: token.name,
    lead: (
      <>
        <code>{token.prefix}…</code> for {token.domain}
      </>
    ),
    back: { href: API_ACCESS, text: 'API access' },
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
              State: <TokenState token={token} />,
              'Last used': <When at={token.lastUsedAt} />,
              Created: <When at={token.createdAt} />,
            }}
          />
        </Card>
        <div class="columns">
          <FormCard title="Replace token" action={`${path}/replace`} hidden={{ key: randomUUID() }}>
            <p>The new token has the same domain and works at once. When should this token end?</p>
            <Choices label="End this token" name="overlap" options={OVERLAPS} value="24h" required />
            <Button kind="primary">Replace the token</Button>
          </FormCard>
          <FormCard title="Rename token" action={`${path}/name`}>
            <TokenNameField value={token.name} hint="Only a label. The token keeps working." />
            <Button>Rename</Button>
          </FormCard>
        </div>
      </>
    ),
  };
}

export const TokenNameField = (field: { value?: string; hint: string }) => (
  <Field label="Name" name="name" maxlength={100} required {...field} />
);

export function revokePage(token: TokenShown): Page {
  const path = tokenPath(token.id);
  return {
    title: `Revoke “${token.name}”?`,
    lead: (
      <>
        Calls with <code>{token.prefix}…</code> will be refused within a second. This cannot be undone.{' '}
        <LastUse at={token.lastUsedAt} />
      </>
    ),
    back: { href: path, text: token.name },
    content: (
      <ConfirmForm
        action={`${path}/revoke`}
        confirm="Revoke the token"
        keep={{ href: path, text: 'Keep the token' }}
      />
    ),
  };
}

const LastUse = ({ at }: { at: Date | null }) =>
  at === null ? (
    <>It was never used.</>
  ) : (
    <>
      It was last used <When at={at} />.
    </>
  );
