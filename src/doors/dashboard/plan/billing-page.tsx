import {
  CLIENT_FIELDS,
  clientAsText,
  clientTyped,
  type ClientValues,
  clientWords,
  TAX_NAMES,
} from '../../../clients/client-fields.js';
import { lackedForInvoice } from '../../../clients/rules/invoice-needs.js';
import { ButtonLink } from '../../../pages/components/controls.js';
import { Card, Facts } from '../../../pages/components/layout.js';
import type { Page } from '../../../pages/page.js';
import { ChangeRecord, factsOf } from '../../../pages/record.js';
import type { Settings } from '../../../platform/settings/settings.js';
import { BILLING, PLAN } from '../paths.js';

interface BillingProps {
  client: ClientValues;
  settings: Pick<Settings, 'currency' | 'timeZone'>;
}

/** What invoices say of the client. All roles see it; owners change it. */
export const BillingCard = ({ mayChange, client, settings }: BillingProps & { mayChange: boolean }) => {
  const lacked = lackedForInvoice(client);
  return (
    <Card
      title="Billing details"
      actions={mayChange && <ButtonLink href={BILLING}>Change the billing details</ButtonLink>}
    >
      <Facts of={factsOf(CLIENT_FIELDS, TAX_NAMES, clientWords(client, settings))} />
      <p class="small">
        {lacked !== undefined && `The wholesaler cannot ship your orders without your ${lacked}. `}
        {mayChange ? 'New invoices show these details.' : 'Only owners can change these details.'}
      </p>
    </Card>
  );
};

/** The address is that of the person at the browser. */
const OWN_FIELDS = {
  ...CLIENT_FIELDS,
  billingAddress: { ...CLIENT_FIELDS.billingAddress, autocomplete: 'street-address' },
};

export const billingPage = ({ client, settings }: BillingProps): Page => ({
  title: 'Billing details',
  lead: 'Invoices show them, and the state decides which tax applies. Issued invoices stay as they are.',
  back: { href: PLAN, text: 'Plan' },
  content: (
    <ChangeRecord
      of={OWN_FIELDS}
      names={TAX_NAMES}
      words={clientWords(client, settings)}
      typed={clientTyped(client)}
      action={BILLING}
      shown={clientAsText(client, TAX_NAMES)}
    />
  ),
});
