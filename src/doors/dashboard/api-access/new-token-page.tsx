import { randomUUID } from 'node:crypto';
import type { NewTokenForm } from '../../../auth/tokens/token-forms.js';
import { Button, ButtonLink } from '../../../pages/components/button.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { Field, Select, Form } from '../../../pages/components/form.js';
import type { Faults } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import { API_ACCESS, NEW_TOKEN } from './paths.js';

/** For which domains it may be: those that are allowed, or any. */
export interface DomainChoice {
  allowed: string[];
  isAny: boolean;
}

const BACK = { href: API_ACCESS, text: 'API access' };

export function newTokenPage(domains: DomainChoice, typed?: NewTokenForm, faults?: Faults): Page {
  if (!domains.isAny && domains.allowed.length === 0) return noDomainPage();
  return {
    title: 'Make a token',
    lead: 'One for each program that calls, so that each can be replaced without the others.',
    back: BACK,
    status: faults ? 422 : 200,
    content: (
      <Card>
        <Form action={NEW_TOKEN} hidden={{ key: typed?.requestKey ?? randomUUID() }}>
          <Field
            label="Name"
            name="name"
            value={typed?.name}
            hint="What you will know it by: “Web shop”, “Stock sync”."
            autocomplete="off"
            maxlength={100}
            fault={faults?.name}
            required
          />
          <DomainField domains={domains} typed={typed?.domain} fault={faults?.domain} />
          <Button kind="primary">Make the token</Button>
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
          <p>A token is made for the domain of a store. Ask the wholesaler to allow you yours.</p>
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
      hint="Where the store is, such as store.example.com. Its calls name it in X-Client-Domain."
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
      hint="Its calls name it in X-Client-Domain. For another one, ask the wholesaler."
      fault={fault}
      required
    />
  );
