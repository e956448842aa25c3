import { randomUUID } from 'node:crypto';
import type { TokenShown } from '../../../auth/tokens/token-overview.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Card, Fact, Facts } from '../../../pages/components/layout.js';
import { Choices, Field, Form } from '../../../pages/components/form.js';
import { When } from '../../../pages/components/values.js';
import type { Faults } from '../../../pages/forms.js';
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
export function tokenPage(token: TokenShown, typed: { name?: string } = {}, faults?: Faults): Page {
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
    status: faults ? 422 : 200,
    content: (
      <>
        <Card>
          <TokenFacts token={token} />
        </Card>
        <div class="columns">
          <Card title="Replace token">
            <Form action={`${path}/replace`} hidden={{ key: randomUUID() }}>
              <p>The new token has the same domain and works at once. When should this token end?</p>
              <Choices
                label="End this token"
                name="overlap"
                options={OVERLAPS}
                value="24h"
                fault={faults?.overlap ?? faults?.domain}
                required
              />
              <Button kind="primary">Replace the token</Button>
            </Form>
          </Card>
          <Card title="Rename token">
            <Form action={`${path}/name`}>
              <Field
                label="Name"
                name="name"
                value={typed.name ?? token.name}
                hint="Only a label. The token keeps working."
                autocomplete="off"
                maxlength={100}
                fault={faults?.name}
                required
              />
              <Button>Rename</Button>
            </Form>
          </Card>
        </div>
      </>
    ),
  };
}

const TokenFacts = ({ token }: { token: TokenShown }) => (
  <Facts>
    <Fact term="State">
      <TokenState token={token} />
    </Fact>
    <Fact term="Last used">{token.lastUsedAt ? <When at={token.lastUsedAt} /> : 'Never'}</Fact>
    <Fact term="Created">
      <When at={token.createdAt} />
    </Fact>
  </Facts>
);

/** Asks for confirmation: a revoked token cannot be restored. */
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
      <Form action={`${path}/revoke`} bare>
        <div class="actions">
          <ButtonLink href={path}>Keep the token</ButtonLink>
          <Button kind="danger">Revoke the token</Button>
        </div>
      </Form>
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
