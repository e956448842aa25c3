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
  { value: '24h', text: 'In 24 hours', hint: 'Time to put the new one in its place.' },
  { value: '7d', text: 'In 7 days' },
  { value: '1h', text: 'In one hour' },
  {
    value: 'now',
    text: 'Now',
    hint: 'If somebody else may know it. Your store is refused until it has the new one.',
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
          <Card title="Replace it">
            <Form action={`${path}/replace`} hidden={{ key: randomUUID() }}>
              <p>Another one for the same domain is good at once. When is this one refused?</p>
              <Choices
                label="This one ends"
                name="overlap"
                options={OVERLAPS}
                value="24h"
                fault={faults?.overlap ?? faults?.domain}
                required
              />
              <Button kind="primary">Replace the token</Button>
            </Form>
          </Card>
          <Card title="Rename it">
            <Form action={`${path}/name`}>
              <Field
                label="Name"
                name="name"
                value={typed.name ?? token.name}
                hint="Only for you. Its calls go on as before."
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
    <Fact term="Made">
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
        Whatever calls with <code>{token.prefix}…</code> is refused within a second, for good.{' '}
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
