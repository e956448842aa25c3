import { randomUUID } from 'node:crypto';
import {
  AmountField,
  Button,
  ButtonLink,
  Field,
  Form,
  FormCard,
} from '../../../shared/ui/components/controls.js';
import { Card, Facts, Notice } from '../../../shared/ui/components/layout.js';
import {
  amountColumn,
  type ListColumn,
  ListCard,
  timeColumn,
  titleColumn,
} from '../../../shared/ui/components/lists.js';
import {
  ExactTime,
  moneyRenderer,
  stateLabel,
  type States,
  RelativeTime,
  ShortNumber,
} from '../../../shared/ui/components/values.js';
import { countOf, formatMoney } from '../../../platform/formats.js';
import { ListPage } from '../../../shared/ui/list-page.js';
import type { Page } from '../../../shared/ui/page.js';
import type { RefundPreview } from '../../../modules/payments/gateway-refunds.service.js';
import type { PaymentView } from '../../../modules/payments/payment-desk.service.js';
import type { PaymentRow } from '../../../modules/payments/payments.repository.js';
import {
  describeConcern,
  isUnderway,
  type PaymentStatus,
} from '../../../modules/payments/rules/payment-status.js';
import { type Minor, minorFromAmount, numericFromMinor } from '../../../platform/money/money.js';
import { type Review, reviewedForm } from '../action.js';
import { clientPath, orderPath, paymentPath, PAYMENTS, REFUNDS } from '../paths.js';
import { authorWords, DoneBy } from '../words.js';
import { fundsNow, type MoneyCounts, MoneyTabs } from './money-frame.js';

const STATES: States<PaymentStatus> = {
  opening: { name: 'Opening', kind: 'info' },
  open: { name: 'Open', kind: 'info' },
  paid: { name: 'Paid', kind: 'accent' },
  given_up: { name: 'Given up', kind: 'quiet' },
  failed: { name: 'Failed', kind: 'bad' },
};

interface Sums {
  status: PaymentStatus;
  received: Minor;
  refunded: Minor;
}

function stateOf({ status, received, refunded }: Sums): States<string>[string] {
  if (refunded === 0) return STATES[status];
  return refunded < received
    ? { name: 'Refunded in part', kind: 'accent' }
    : { name: 'Refunded', kind: 'quiet' };
}

const stateOfRow = ({ status, received, refunded }: PaymentRow) =>
  stateOf({ status, received: minorFromAmount(received), refunded: minorFromAmount(refunded) });

/** Payments that need a person, with a refund under way, or all. */
type View = 'concerning' | 'refunds' | 'all';

const EMPTY: Record<View, string> = {
  concerning: 'Every payment matches what was asked for, or was checked.',
  refunds: 'Nothing is on its way back. An admin begins a refund on the page of a payment.',
  all: 'No payments yet.',
};

export const PAYMENT_LIST = new ListPage({
  path: PAYMENTS,
  caption: 'Payments, newest first',
  filters: {
    view: { as: 'view', options: [{ value: 'concerning' }, { value: 'refunds' }, { value: 'all' }] },
  },
  mark: { name: 'before', kind: 'uuid', of: ({ payment_id: id }: PaymentRow) => id },
  columns: ({ view, currency }: { view: View; currency: string }): ListColumn<PaymentRow>[] => [
    titleColumn('Payment', ({ payment_id: id, client, concern }) => ({
      text: client,
      href: paymentPath(id),
      detail: concern === null ? id.slice(0, 8) : describeConcern(concern),
    })),
    { heading: 'Gateway', cell: ({ provider }) => provider },
    timeColumn('Begun', ({ created_at: at }) => at),
    {
      heading: 'State',
      as: 'state',
      cell: (row) => stateLabel(row.concern === null ? stateOfRow(row) : { name: 'Needs you', kind: 'bad' }),
    },
    ...(view === 'refunds'
      ? [amountColumn('On its way back', currency, ({ refunding }: PaymentRow) => minorFromAmount(refunding))]
      : []),
    amountColumn(
      'Amount',
      currency,
      ({ amount, received }) => minorFromAmount(Math.max(amount, received)),
      'amount',
    ),
  ],
  empty: { none: ({ view }) => EMPTY[view] },
});

const ALL_PAYMENTS = PAYMENT_LIST.path({ view: 'all' });

export function paymentsHead(view: View, counts: MoneyCounts) {
  const { needing_a_person: concerning = 0, refunding = 0 } = counts;
  const heads = {
    concerning: {
      title:
        concerning === 0
          ? 'No payment needs you'
          : `${countOf(concerning, 'payment needs', 'payments need')} you`,
      lead: 'What the gateway says is not as it was asked for. Check each payment.',
    },
    refunds: {
      title:
        refunding === 0
          ? 'No refund is under way'
          : `${countOf(refunding, 'refund is', 'refunds are')} under way`,
      lead: 'Wallet money on its way back through the gateway. A refund that fails returns to the wallet.',
    },
    all: { title: 'All payments through the gateway' },
  };
  return {
    ...heads[view],
    actions: view !== 'all' && <ButtonLink href={ALL_PAYMENTS}>All payments</ButtonLink>,
    above: <MoneyTabs at={view === 'refunds' ? REFUNDS : PAYMENTS} counts={counts} />,
  };
}

interface Props {
  payment: PaymentView;
  client: string;
  currency: string;
}

export function paymentPage({ payment, client, currency, mayRefund }: Props & { mayRefund: boolean }): Page {
  const { payment_id: id, status, orders, receipts, refunds } = payment;
  const path = paymentPath(id);
  const concerns = [payment, ...refunds].flatMap(({ concern }) => describeConcern(concern) ?? []);
  const isOpen = isUnderway(status) || refunds.some((refund) => OPEN_REFUNDS.has(refund.status));
  const amount = minorFromAmount(payment.amount);
  const [received, refundable] = [sumOf(receipts, 'amount'), sumOf(receipts, 'refundable')];
  const refundsThat = (...are: GatewayRefundView['status'][]) =>
    sumOf(
      refunds.filter((refund) => are.includes(refund.status)),
      'amount',
    );
  const [underway, refunded] = [refundsThat('requested', 'pending'), refundsThat('processed')];
  const state = stateOf({ status, received, refunded });
  const times = receipts.length > 1 ? `${receipts.length} × ` : '';
  const money = moneyRenderer(currency);
  return {
    title: `${times}${formatMoney(amount, currency)} of ${client}: ${state.name.toLowerCase()}`,
    back:
      concerns.length > 0
        ? { href: PAYMENTS, text: 'Payments' }
        : { href: ALL_PAYMENTS, text: 'All payments' },
    actions: (
      <>
        {status === 'open' && (
          <Form
            action={`${path}/give-up`}
            confirm="The orders can then be paid in another way. Late money goes to the wallet."
            bare
          >
            <Button>Give up</Button>
          </Form>
        )}
        {isOpen && (
          <Form action={`${path}/settle`} bare>
            <Button>Ask the gateway now</Button>
          </Form>
        )}
        {mayRefund && refundable > 0 && <ButtonLink href={`${path}/refund`}>Send money back</ButtonLink>}
      </>
    ),
    content: (
      <>
        {concerns.map((concern) => (
          <Notice kind="bad">Check this payment: {concern}.</Notice>
        ))}
        {!mayRefund && refundable > 0 && <Notice kind="info">Only admins can send money back.</Notice>}
        <div class="columns">
          <Card title="Payment">
            <Facts
              of={{
                Client: <a href={clientPath(payment.client_id)}>{client}</a>,
                [times === '' ? 'Amount' : 'Asked for']: money(amount),
                Received: times !== '' && (
                  <>
                    {times}
                    {money(amount)} = {money(received)}
                  </>
                ),
                'On its way back': underway > 0 && money(underway),
                'Sent back': refunded > 0 && money(refunded),
                'Can still go back': refundable > 0 && refundable < received && money(refundable),
                State: stateLabel(state),
                Gateway: payment.provider,
                'Gateway’s order id': payment.gateway_order_id && <code>{payment.gateway_order_id}</code>,
                'Gateway’s payments': receipts.length > 0 && (
                  <>
                    {receipts.map(({ gateway_payment_id: gatewayPayment }, at) => (
                      <>
                        {at > 0 && ', '}
                        <code>{gatewayPayment}</code>
                      </>
                    ))}
                  </>
                ),
                'Payment id': <code>{id}</code>,
                Begun: <DoneBy at={payment.created_at} by={payment.actor} />,
                Paid: payment.paid_at && <ExactTime at={payment.paid_at} />,
                'Last answer of the gateway': payment.answered_at && (
                  <RelativeTime at={payment.answered_at} />
                ),
                'Next check': payment.next_check_at && <RelativeTime at={payment.next_check_at} />,
                'Result of the check': payment.resolution,
              }}
            />
          </Card>
          {concerns.length > 0 && (
            <FormCard title="You have checked it" action={`${path}/resolve`}>
              <p>This moves no money. Correct the wallet of the client first if that is needed.</p>
              <Field label="Result" name="note" maxlength={200} required />
              <Button kind="primary">Save the result</Button>
            </FormCard>
          )}
        </div>
        <ListCard title="Orders that it is meant for" columns={orderColumns(currency)} rows={orders} />
        <ListCard title="Refunds to the source" columns={refundColumns(currency)} rows={refunds} />
      </>
    ),
  };
}

const sumOf = <Field extends string>(parts: readonly Record<Field, number>[], field: Field): Minor =>
  parts.reduce((sum, part) => sum + minorFromAmount(part[field]), 0);

type GatewayRefundView = PaymentView['refunds'][number];

const OPEN_REFUNDS: ReadonlySet<GatewayRefundView['status']> = new Set(['requested', 'pending']);

const orderColumns = (currency: string): ListColumn<PaymentView['orders'][number]>[] => [
  titleColumn('Order', ({ order_number: number }) => ({
    text: <ShortNumber of={number} />,
    href: orderPath(number),
  })),
  amountColumn('Amount', currency, ({ amount }) => minorFromAmount(amount), 'amount'),
];

const REFUND_STATES: States<GatewayRefundView['status']> = {
  requested: { name: 'Requested', kind: 'info' },
  pending: { name: 'On its way', kind: 'info' },
  processed: { name: 'Sent back', kind: 'accent' },
  failed: { name: 'Failed: back in the wallet', kind: 'bad' },
};

const refundColumns = (currency: string): ListColumn<GatewayRefundView>[] => [
  titleColumn('Refund', ({ gateway_refund_id: gateway, actor }) => ({
    text: gateway ?? 'Not at the gateway yet',
    detail: authorWords(actor),
  })),
  timeColumn('Begun', ({ created_at: at }) => at),
  { heading: 'State', as: 'state', cell: ({ status }) => stateLabel(REFUND_STATES[status]) },
  amountColumn('Amount', currency, ({ amount }) => minorFromAmount(amount), 'amount'),
];

/** The form with the amount. Its review is the next page. */
export function refundForm({ payment: { payment_id: id, receipts }, client, currency }: Props): Page {
  const max = Math.max(...receipts.map(({ refundable }) => minorFromAmount(refundable)));
  const inOne = receipts.filter(({ refundable }) => refundable > 0).length > 1;
  return reviewedForm({
    title: `Send money back to ${client}`,
    lead: 'Money leaves the wallet and goes back to the card or account that paid.',
    back: { href: paymentPath(id), text: 'Payment' },
    fields: (
      <AmountField
        label="Amount"
        name="amount"
        hint={
          inOne
            ? `One of the payments goes back at once. Leave it empty for ${formatMoney(max, currency)}.`
            : 'Leave it empty for all that can go back.'
        }
        currency={currency}
      />
    ),
  });
}

export function refundReview({ client, preview, currency }: Props & { preview: RefundPreview }): Review {
  const { amount, left, funds } = preview;
  const [money, isEnough] = [moneyRenderer(currency), amount <= funds.available];
  const sum = formatMoney(amount, currency);
  return {
    title: `Send ${sum} back to ${client}?`,
    lead: 'The gateway sends it to the card or account that paid. This cannot be undone.',
    sums: true,
    effects: {
      'Can go back of this payment': money(left),
      ...fundsNow(funds, currency),
      'Goes back': money(-amount, true),
      'In the wallet afterwards': isEnough && money(funds.balance - amount),
    },
    warnings: isEnough
      ? []
      : [`The wallet has ${formatMoney(funds.available, currency)} to spend. Choose a smaller amount.`],
    reviewedFields: { key: randomUUID(), amount: numericFromMinor(amount), left: String(left) },
    button: isEnough && `Send ${sum} back`,
  };
}
