import { randomUUID } from 'node:crypto';
import type { Overlap, TokenReplaced } from '../../../auth/tokens/client-tokens.service.js';
import type { TokenIssued } from '../../../auth/tokens/issue-token.js';
import {
  Button,
  ButtonLink,
  CopyBlock,
  CopyField,
  Field,
  FormCard,
  Select,
} from '../../../pages/components/controls.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import type { Page } from '../../../pages/page.js';
import { curlLine } from '../../shared/example-call.js';
import { Wholesaler } from '../home/help-page.js';
import { API_ACCESS, NEW_TOKEN } from '../paths.js';
import { TokenNameField } from './token-page.js';

/** The domains that a new token may name. */
interface DomainChoice {
  allowed: string[];
  isAny: boolean;
}

const BACK = { href: API_ACCESS, text: 'API access' };

/** `key` keeps a form that is posted twice from creating two tokens. */
export function newTokenPage(domains: DomainChoice, key: string = randomUUID()): Page {
  if (!domains.isAny && domains.allowed.length === 0) return noDomainPage();
  return {
    title: 'Create a token',
    lead: 'Create one token for each program, so that you can replace each one separately.',
    back: BACK,
    content: (
      <FormCard action={NEW_TOKEN} hidden={{ key }}>
        <TokenNameField hint="For example “Web shop” or “Stock sync”." />
        <DomainField {...domains} />
        <Button kind="primary">Create token</Button>
      </FormCard>
    ),
  };
}

function noDomainPage(): Page {
  return {
    title: 'No domain is allowed yet',
    back: BACK,
    content: (
      <Card>
        <Empty next={{ href: API_ACCESS, text: 'Back to API access' }}>
          <p>
            A token belongs to your store’s domain. Ask <Wholesaler /> to allow your domain.
          </p>
        </Empty>
      </Card>
    ),
  };
}

const DomainField = ({ allowed, isAny }: DomainChoice) =>
  isAny ? (
    <Field
      label="Domain"
      name="domain"
      value={allowed[0]}
      hint="Your store’s domain, such as store.example.com. Its calls send it in X-Client-Domain."
      maxlength={253}
      required
    />
  ) : (
    <Select
      label="Domain"
      name="domain"
      options={allowed.map((domain) => ({ value: domain, text: domain }))}
      hint={
        <>
          Your store sends it in X-Client-Domain. To use another domain, ask <Wholesaler />.
        </>
      }
      required
    />
  );

/** Answers the form itself. No address can show it again, because only the token's hash is stored. */
export function tokenMadePage(issued: TokenIssued | TokenReplaced, baseUrl: string): Page {
  const { token, name, domain } = issued;
  return {
    title: 'Copy your new token now',
    lead: `“${name}” is active for ${domain}. It is shown only once. If you lose it, create another one.`,
    back: BACK,
    content: (
      <Card>
        <CopyField label="Token" id="token" text={token} />
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
  return `The old token, ${prefix}…, works for at most ${LASTS[overlap]}. Replace it in your store by then.`;
}
