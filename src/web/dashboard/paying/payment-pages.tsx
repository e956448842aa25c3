import type { Payment } from '../../../modules/orders/entities/payment.entity.js';
import { Button, ButtonLink, Form } from '../../../shared/ui/components/controls.js';
import { Card, Facts, WithAside } from '../../../shared/ui/components/layout.js';
import { ListCard } from '../../../shared/ui/components/lists.js';
import { ExactTime, Money } from '../../../shared/ui/components/values.js';
import { formatMoney, refreshSecondsAfter } from '../../../platform/formats.js';
import type { Page } from '../../../shared/ui/page.js';
import type { GatewayForm, PaymentGateway } from '../../../modules/payments/gateway/payment-gateway.js';
import { TestPayments } from '../../../modules/payments/payment-outcome-page.js';
import type { PaymentWithOrders } from '../../../modules/payments/payment-history.repository.js';
import { isUnderway, type PaymentStatus } from '../../../modules/payments/rules/payment-status.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { PaymentState } from '../../shared/order-cards.js';
import { Wholesaler } from '../home/help-page.js';
import { CUSTOMER, ORDER, STATE, TOTAL } from '../orders/orders-table.js';
import { checkoutPath, ORDERS, paymentPath, WALLET } from '../paths.js';

interface Props extends PaymentWithOrders {
  /** The current gateway. An older payment may have used another one. */
  gateway: Pick<PaymentGateway, 'name' | 'isTest'>;
  mayPay: boolean;
}

const LEADS: Record<PaymentStatus, string> = {
  opening: 'The payment is being prepared. Nothing has been paid yet.',
  open: 'If you have paid, this page shows it when your bank confirms. Otherwise continue, or give it up.',
  paid: 'The money reached your wallet and paid the orders that were still waiting.',
  given_up: 'If the money still arrives, it goes to your wallet.',
  failed: 'The gateway could not open the payment. Nothing was paid.',
};

export function paymentPage({ payment, orders, gateway, mayPay }: Props): Page {
  const { paymentId, status, authorized, amount, currency, createdAt, provider } = payment;
  const money = formatMoney(minorFromNumeric(amount), currency);
  const isOtherGateway = status === 'open' && provider !== gateway.name;
  return {
    title: isOtherGateway ? `A payment of ${money} cannot continue` : titleOf(payment, money),
    lead: isOtherGateway ? OTHER_GATEWAY_LEAD : leadOf(payment),
    back: orders.length > 0 ? { href: ORDERS, text: 'Orders' } : { href: WALLET, text: 'Wallet' },
    actions: status === 'open' && !authorized && mayPay && (
      <>
        <GiveUp paymentId={paymentId} />
        {!isOtherGateway && (
          <ButtonLink href={checkoutPath(paymentId)} kind="primary">
            Continue and pay {money}
          </ButtonLink>
        )}
      </>
    ),
    refreshSeconds: isUnderway(status) ? refreshSecondsAfter(createdAt) : undefined,
    content: (
      <>
        {gateway.isTest && status === 'open' && !isOtherGateway && <TestPayments />}
        <WithAside aside={<PaymentFacts payment={payment} />}>
          {orders.length > 0 ? (
            <ListCard
              title="Orders in this payment"
              columns={[ORDER, CUSTOMER, STATE, TOTAL]}
              rows={orders}
            />
          ) : (
            <Card title="Purpose">
              <p>A top-up of your wallet.</p>
            </Card>
          )}
        </WithAside>
      </>
    ),
  };
}

function leadOf({ status, authorized, failure }: Payment): string {
  if (authorized) return 'Your bank has authorized it. Do not pay again: the money arrives by itself.';
  if (status !== 'open' || failure === null) return LEADS[status];
  return `The last attempt failed: “${failure}” Nothing was charged. You can try again.`;
}

const OTHER_GATEWAY_LEAD = (
  <>
    Its payment gateway is no longer in use. If you have already paid, ask <Wholesaler />. Otherwise give the
    payment up, and pay in another way.
  </>
);

const PaymentFacts = ({ payment }: Pick<Props, 'payment'>) => {
  const { amount, fromWallet, currency, createdAt, paidAt, paymentId } = payment;
  const fromTheWallet = minorFromNumeric(fromWallet);
  return (
    <Card title="The payment" actions={<PaymentState payment={payment} />}>
      <Facts
        of={{
          Amount: <Money minor={minorFromNumeric(amount)} currency={currency} />,
          'From the wallet': fromTheWallet > 0 && <Money minor={fromTheWallet} currency={currency} />,
          Started: <ExactTime at={createdAt} />,
          Paid: paidAt && <ExactTime at={paidAt} />,
          Reference: <code>{paymentId}</code>,
        }}
      />
    </Card>
  );
};

function titleOf({ status, authorized }: Payment, money: string): string {
  return authorized ? `A payment of ${money} is on its way` : TITLES[status](money);
}

const TITLES: Record<PaymentStatus, (money: string) => string> = {
  opening: (money) => `A payment of ${money} is being prepared`,
  open: (money) => `A payment of ${money} is not finished`,
  paid: (money) => `${money} is paid`,
  given_up: (money) => `A payment of ${money} was given up`,
  failed: (money) => `A payment of ${money} could not be opened`,
};

/** The button that gives up an open payment. */
export const GiveUp = ({ paymentId }: Pick<Payment, 'paymentId'>) => (
  <Form
    action={`${paymentPath(paymentId)}/give-up`}
    confirm="Give this payment up? If you have paid at the gateway, the money goes to your wallet."
    bare
  >
    <Button kind="danger">Give up</Button>
  </Form>
);

/** The form that sends the browser to the gateway. A script submits it at once. */
export function checkoutPage(payment: Payment, form: GatewayForm, isTest: boolean): Page {
  const money = formatMoney(minorFromNumeric(payment.amount), payment.currency);
  return {
    title: `Pay ${money} at the gateway`,
    lead: 'You pay on the gateway’s page, and then come back here.',
    back: { href: paymentPath(payment.paymentId), text: 'The payment' },
    formTargets: [new URL(form.action).origin],
    content: (
      <Card>
        {isTest && <TestPayments />}
        <Form action={form.action} hidden={form.fields} bare submitsItself>
          <div class="actions">
            <ButtonLink href={paymentPath(payment.paymentId)}>Not now</ButtonLink>
            <Button kind="primary">Continue and pay {money}</Button>
          </div>
        </Form>
      </Card>
    ),
  };
}
