import { randomUUID } from 'node:crypto';
import type { TokenReplaced } from '../../../auth/tokens/client-tokens.js';
import type { TokenIssued } from '../../../auth/tokens/issue-token.js';
import type { NewTokenForm, Overlap } from '../../../auth/tokens/token-forms.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { CopyBlock, CopyField } from '../../../pages/components/copy.js';
import { Field, Form, Select } from '../../../pages/components/form.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import type { Faults } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { API_ACCESS, NEW_TOKEN } from '../paths.js';
import { curlLine } from './api-access-page.js';

/** The domains that a new token may name. */
export interface DomainChoice {
  allowed: string[];
  isAny: boolean;
}

const BACK = { href: API_ACCESS, text: 'API access' };

export function newTokenPage(domains: DomainChoice, typed?: NewTokenForm, faults?: Faults): Page {
  if (!domains.isAny && domains.allowed.length === 0) return noDomainPage();
  return {
    title: 'Create a token',
    lead: 'Create one token for each program, so that you can replace each one separately.',
    back: BACK,
    status: faults ? 422 : 200,
    content: (
      <Card>
        <Form action={NEW_TOKEN} hidden={{ key: typed?.requestKey ?? randomUUID() }}>
          <Field
            label="Name"
            name="name"
            value={typed?.name}
            hint="For example “Web shop” or “Stock sync”."
            autocomplete="off"
            maxlength={100}
            fault={faults?.name}
            required
          />
          <DomainField domains={domains} typed={typed?.domain} fault={faults?.domain} />
          <Button kind="primary">Create token</Button>
        </Form>
      </Card>
    ),
  };
}

function noDomainPage(): Page {
  return {
    title: 'No domain is allowed yet',
    back: BACK,
    content: (
      <Card>
        <Empty action={<ButtonLink href={API_ACCESS}>Back to API access</ButtonLink>}>
          <p>A token belongs to your store’s domain. Ask the wholesaler to allow your domain.</p>
        </Empty>
      </Card>
    ),
  };
}

interface DomainFieldProps {
  domains: DomainChoice;
  typed: string | undefined;
  fault: string | undefined;
}

const DomainField = ({ domains: { allowed, isAny }, typed, fault }: DomainFieldProps) =>
  isAny ? (
    <Field
      label="Domain"
      name="domain"
      value={typed ?? allowed[0]}
      hint="Your store’s domain, such as store.example.com. Its calls send it in X-Client-Domain."
      autocomplete="off"
      maxlength={253}
      fault={fault}
      required
    />
  ) : (
    <Select
      label="Domain"
      name="domain"
      value={typed}
      options={allowed.map((domain) => ({ value: domain, text: domain }))}
      hint="Your store sends it in X-Client-Domain. To use another domain, ask the wholesaler."
      fault={fault}
      required
    />
  );

/** Answers the form itself. No address can show it again, because only the token's hash is stored. */
export function tokenMadePage(issued: TokenIssued | TokenReplaced, baseUrl: string): Page {
  const { token, name, domain } = issued;
  return {
    title: 'Copy your new token now',
    lead: `“${name}” is active now, for ${domain}. It is shown only once. If you lose it, create another one.`,
    back: { href: API_ACCESS, text: 'API access' },
    content: (
      <Card>
        <CopyField label="Token" id="token" value={token} />
        {'replaced' in issued && <p>{whatBecomesOf(issued)}</p>}
        <p class="hint">Run this test on a machine that only you use: a shell keeps its history.</p>
        <CopyBlock id="first-call" label="Test call" text={curlLine(baseUrl, issued)} />
        <div class="actions">
          <ButtonLink href={API_ACCESS} kind="primary">
            I have saved it
          </ButtonLink>
        </div>
      </Card>
    ),
  };
}

const LASTS: Record<Exclude<Overlap, 'now'>, string> = {
  '1h': 'one more hour',
  '24h': '24 more hours',
  '7d': '7 more days',
};

function whatBecomesOf({ replaced: { prefix, overlap } }: TokenReplaced): string {
  if (overlap === 'now') return `The old token, ${prefix}…, no longer works.`;
  return `The old token, ${prefix}…, works for ${LASTS[overlap]} at most. Replace it in your store before then.`;
}
