import { Button, ButtonLink } from '../../../pages/components/button.js';
import { CopyField } from '../../../pages/components/copy.js';
import { Field, Form } from '../../../pages/components/form.js';
import { Card, Empty } from '../../../pages/components/layout.js';
import { signOf } from '../../../pages/format-money.js';
import { type Faults, textIn } from '../../../pages/forms.js';
import type { Page } from '../../../pages/page.js';
import type { PaymentGateway } from '../../../payments/gateway/payment-gateway.js';
import { TestPayments } from '../../../payments/outcome-page.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import type { BankDetail } from '../../../platform/settings/gateway-settings.js';
import { TOP_UP, TRANSFERS, WALLET } from './wallet-query.js';

/** A rejected form and its faults. */
interface Typed<Form> {
  form: Form;
  faults: Faults;
}

export interface TopUpTyped {
  topUp?: Typed<TopUpForm>;
  transfer?: Typed<TransferForm>;
}

interface Props {
  gateway: Pick<PaymentGateway, 'name' | 'isTest'>;
  bankDetails: readonly BankDetail[];
  mayPay: boolean;
  currency: string;
  typed: TopUpTyped;
}

export function topUpPage({ gateway, bankDetails, mayPay, currency, typed }: Props): Page {
  const hasGateway = gateway.name !== 'none';
  return {
    title: 'Top up your wallet',
    lead: 'You pay orders from the wallet. Money that you do not spend stays there.',
    back: { href: WALLET, text: 'Wallet' },
    status: typed.topUp || typed.transfer ? 422 : 200,
    content: !mayPay ? (
      <Nobody>Only buyers and owners can top up. Ask one of your owners.</Nobody>
    ) : !hasGateway && bankDetails.length === 0 ? (
      <Nobody>Neither a payment gateway nor a bank account is set up. Ask the wholesaler how to pay.</Nobody>
    ) : (
      <div class="columns">
        {hasGateway && <ThroughGateway isTest={gateway.isTest} currency={currency} typed={typed.topUp} />}
        {bankDetails.length > 0 && (
          <ByBank details={bankDetails} currency={currency} typed={typed.transfer} />
        )}
      </div>
    ),
  };
}

const Nobody = ({ children }: { children: string }) => (
  <Card>
    <Empty action={<ButtonLink href={WALLET}>Back to the wallet</ButtonLink>}>{children}</Empty>
  </Card>
);

interface ThroughGatewayProps {
  isTest: boolean;
  currency: string;
  typed: TopUpTyped['topUp'];
}

const ThroughGateway = ({ isTest, currency, typed }: ThroughGatewayProps) => (
  <Card title="Through the payment gateway">
    {isTest && <TestPayments />}
    <p>By UPI, card or net banking. The money arrives when your bank confirms it.</p>
    <Form action={TOP_UP}>
      <Amount
        name="amount"
        label="Amount"
        currency={currency}
        value={typed?.form.amount}
        fault={typed?.faults.amount}
      />
      <Button kind="primary">Continue to the gateway</Button>
    </Form>
  </Card>
);

interface ByBankProps {
  details: readonly BankDetail[];
  currency: string;
  typed: TopUpTyped['transfer'];
}

const ByBank = ({ details, currency, typed }: ByBankProps) => (
  <Card title="By bank transfer">
    <p>Send the money to this account. Then report the UTR, so that the wholesaler can match the transfer.</p>
    {details.map(({ label, value }, at) => (
      <CopyField id={`bank-${at}`} label={label} value={value} />
    ))}
    <Form action={TRANSFERS}>
      <Amount
        name="sent"
        label="Amount sent"
        currency={currency}
        value={typed?.form.amount}
        fault={typed?.faults.amount}
      />
      <Field
        label="UTR"
        name="utr"
        hint="Your bank’s number for the transfer: 10 to 22 letters and digits."
        value={typed?.form.utr ?? ''}
        fault={typed?.faults.utr}
        maxlength={40}
        autocomplete="off"
        required
      />
      <Button>Report the transfer</Button>
    </Form>
  </Card>
);

interface AmountProps {
  name: string;
  label: string;
  currency: string;
  value: string | undefined;
  fault: string | undefined;
}

const Amount = ({ currency, value = '', ...field }: AmountProps) => (
  <Field
    {...field}
    value={value}
    prefix={signOf(currency)}
    inputmode="decimal"
    maxlength={30}
    autocomplete="off"
    required
  />
);

export interface TopUpForm {
  amount: string;
}

export interface TransferForm {
  amount: string;
  utr: string;
}

export function readTopUpForm(fields: FormFields): TopUpForm {
  return { amount: textIn(fields, 'amount') };
}

/** The field names differ because both forms are on one page. */
export function readTransferForm(fields: FormFields): TransferForm {
  return { amount: textIn(fields, 'sent'), utr: textIn(fields, 'utr') };
}
