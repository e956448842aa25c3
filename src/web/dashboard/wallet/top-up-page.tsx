import type { ComponentChildren } from 'preact';
import { AmountField, Button, CopyField, Form } from '../../../shared/ui/components/controls.js';
import { Card, Empty } from '../../../shared/ui/components/layout.js';
import type { Page } from '../../../shared/ui/page.js';
import type { PaymentGateway } from '../../../modules/payments/gateway/payment-gateway.js';
import { TestPayments } from '../../../modules/payments/payment-outcome-page.js';
import type { Detail } from '../../../platform/settings/details.js';
import { TransferFields } from '../../shared/transfer-fields.js';
import { Wholesaler } from '../home/help-page.js';
import { TOP_UP, TRANSFERS, WALLET } from '../paths.js';

interface Props {
  gateway: Pick<PaymentGateway, 'name' | 'isTest'>;
  bankDetails: readonly Detail[];
  mayPay: boolean;
  currency: string;
}

export function topUpPage(props: Props): Page {
  return {
    title: 'Top up your wallet',
    lead: 'You pay orders from the wallet. Money that you do not spend stays there.',
    back: { href: WALLET, text: 'Wallet' },
    content: <TopUpOptions {...props} />,
  };
}

const TopUpOptions = ({ gateway, bankDetails, mayPay, currency }: Props) => {
  const hasGateway = gateway.name !== 'none';
  if (!mayPay) return <NoTopUp>Only buyers and owners can top up. Ask one of your owners.</NoTopUp>;
  if (!hasGateway && bankDetails.length === 0)
    return (
      <NoTopUp>
        <p>
          No payment gateway and no bank account is set up. Ask <Wholesaler /> how to pay.
        </p>
      </NoTopUp>
    );
  return (
    <div class="columns">
      {hasGateway && (
        <Card title="Through the payment gateway">
          {gateway.isTest && <TestPayments />}
          <p>By UPI, card or net banking. The money arrives when your bank confirms it.</p>
          <Form action={TOP_UP}>
            <AmountField label="Amount" name="amount" currency={currency} required />
            <Button kind="primary">Continue to the gateway</Button>
          </Form>
        </Card>
      )}
      {bankDetails.length > 0 && (
        <Card title="By bank transfer">
          <p>
            Send the money to this account. Then report the UTR, so that the wholesaler can match the
            transfer.
          </p>
          {bankDetails.map(({ label, value }, at) => (
            <CopyField id={`bank-${at}`} label={label} text={value} />
          ))}
          <Form action={TRANSFERS}>
            <TransferFields currency={currency} />
            <Button>Report the transfer</Button>
          </Form>
        </Card>
      )}
    </div>
  );
};

const NoTopUp = ({ children }: { children: ComponentChildren }) => (
  <Card>
    <Empty next={{ href: WALLET, text: 'Back to the wallet' }}>{children}</Empty>
  </Card>
);
