import { type Billing, billingAsText } from '../../../clients/client-administration.service.js';
import { Button, ButtonLink, Field, FormCard, Select } from '../../../pages/components/controls.js';
import { Card, Facts } from '../../../pages/components/layout.js';
import type { Page } from '../../../pages/page.js';
import { STATES } from '../../../tax/gst-codes.js';
import { stateName } from '../../../tax/gstin.js';
import { BILLING, PLAN } from '../paths.js';

/** What invoices say of the client. All roles see it; owners change it. */
export const BillingCard = ({ mayChange, ...billing }: Billing & { mayChange: boolean }) => (
  <Card
    title="Billing details"
    actions={mayChange && <ButtonLink href={BILLING}>Change the billing details</ButtonLink>}
  >
    <BillingFacts {...billing} />
    <p class="small">
      {billing.state === null && 'Without a state the wholesaler cannot ship your orders. '}
      {mayChange ? 'New invoices show these details.' : 'Only owners can change these details.'}
    </p>
  </Card>
);

const BillingFacts = ({ gstin, state, billing_address: address }: Billing) => (
  <Facts
    of={{
      GSTIN: gstin ?? 'None',
      State: state === null ? 'Not set' : stateName(state),
      Address: address ?? 'Not set',
    }}
  />
);

const STATE_OPTIONS = [
  { value: '', text: 'As in the GSTIN' },
  ...[...STATES].map(([value, text]) => ({ value, text: `${text} (${value})` })),
];

/** Shows the current details beside the form, for an owner who meets the change of another one. */
export function billingPage(billing: Billing): Page {
  const { gstin, state, billing_address: address } = billing;
  return {
    title: 'Billing details',
    lead: 'Invoices show them, and the state decides which tax applies. Issued invoices stay as they are.',
    back: { href: PLAN, text: 'Plan' },
    content: (
      <div class="columns">
        <Card title="Current details">
          <BillingFacts {...billing} />
        </Card>
        <FormCard title="Change the details" action={BILLING} hidden={{ shown: billingAsText(billing) }}>
          <Field
            label="GSTIN"
            name="gstin"
            hint="15 characters. Leave it empty if your business is not registered."
            maxlength={30}
            value={gstin ?? ''}
          />
          <Select label="State" name="state" options={STATE_OPTIONS} value={state ?? ''} />
          <Field
            label="Address"
            name="billing_address"
            hint="The registered address of your business, on one line."
            maxlength={300}
            autocomplete="street-address"
            value={address ?? ''}
          />
          <Button kind="primary">Save</Button>
        </FormCard>
      </div>
    ),
  };
}
