import { randomUUID } from 'node:crypto';
import {
  AmountField,
  Button,
  ButtonLink,
  Field,
  Form,
  FormCard,
} from '../../../pages/components/controls.js';
import { Card, Empty, Facts, Notice } from '../../../pages/components/layout.js';
import { amounts, type Column, ListCard, Pager, times, titles } from '../../../pages/components/lists.js';
import {
  ExactTime,
  Money,
  Named,
  StateLabel,
  type StateKind,
  When,
} from '../../../pages/components/values.js';
import { countOf, formatMoney } from '../../../pages/formats.js';
import { type Link, type Page, withQuery } from '../../../pages/page.js';
import type { RefundPreview } from '../../../payments/gateway-refunds.service.js';
import type { PaymentShown } from '../../../payments/payment-desk.service.js';
import type { PaymentListed } from '../../../payments/payments.repository.js';
import { describeConcern, isUnderway, type PaymentStatus } from '../../../payments/rules/payment-status.js';
import { minorFromAmount, numericFromMinor } from '../../../platform/money/money.js';
import { authorWords } from '../author-words.js';
import {
  clientPath,
  CONCERNING,
  orderPath,
  paymentPath,
  PAYMENTS,
  paymentRefundPath,
  REFUNDS,
} from '../paths.js';
import { fundsNow } from '../clients/client-wallet-pages.js';
import type { Review } from '../review.js';
import { type MoneyCounts, MoneyTabs } from './money-frame.js';

export interface PaymentsQuery {
  /** Payments that need a person, with a refund under way, or all. */
  view: 'concerning' | 'refunds' | 'all';
  before: string | undefined;
}

interface ListProps {
  payments: readonly PaymentListed[];
  older: string | undefined;
  chosen: PaymentsQuery;
  counts: MoneyCounts;
  currency: string;
}

const STATES: Record<PaymentStatus, { name: string; kind: StateKind }> = {
  opening: { name: 'Opening', kind: 'info' },
  open: { name: 'Open', kind: 'info' },
  paid: { name: 'Paid', kind: 'accent' },
  given_up: { name: 'Given up', kind: 'quiet' },
  failed: { name: 'Failed', kind: 'bad' },
};

export function paymentsPage({ payments, older, chosen, counts, currency }: ListProps): Page {
  const { view, before } = chosen;
  const at = withQuery(PAYMENTS, { view: view === 'concerning' ? undefined : view });
  return {
    ...HEADS[view](counts),
    actions:
      view === 'all' ? undefined : (
        <ButtonLink href={withQuery(PAYMENTS, { view: 'all' })}>All payments</ButtonLink>
      ),
    content: (
      <>
        <MoneyTabs at={view === 'refunds' ? REFUNDS : CONCERNING} counts={counts} />
        <ListCard
          caption="Payments, newest first"
          columns={columnsIn(view, currency)}
          rows={payments}
          empty={<Empty>{EMPTY[view]}</Empty>}
          pager={<Pager at={before} next={older} path={(from) => withQuery(at, { before: from })} />}
        />
      </>
    ),
  };
}

const HEADS: Record<PaymentsQuery['view'], (counts: MoneyCounts) => Pick<Page, 'title' | 'lead'>> = {
  concerning: ({ needing_a_person: count = 0 }) => ({
    title: count === 0 ? 'No payment needs you' : `${countOf(count, 'payment needs', 'payments need')} you`,
    lead: 'The gateway’s answer and our books differ. Check each payment.',
  }),
  refunds: ({ refunding: count = 0 }) => ({
    title: count === 0 ? 'No refund is under way' : `${countOf(count, 'refund is', 'refunds are')} under way`,
    lead: 'Wallet money on its way back through the gateway. A refund that fails returns to the wallet.',
  }),
  all: () => ({ title: 'All payments through the gateway' }),
};

const EMPTY: Record<PaymentsQuery['view'], string> = {
  concerning: 'Every payment matches what was asked for.',
  refunds: 'Nothing is on its way back. Begin a refund on the page of a payment.',
  all: 'No payments yet.',
};

function columnsIn(view: PaymentsQuery['view'], currency: string): Column<PaymentListed>[] {
  return [
    titles('Payment', ({ payment_id: id, client, concern }) => ({
      text: client,
      href: paymentPath(id),
      detail: concern === null ? id.slice(0, 8) : describeConcern(concern),
    })),
    { heading: 'Gateway', cell: ({ provider }) => provider },
    times('Begun', ({ created_at: at }) => at),
    { heading: 'State', as: 'state', cell: (payment) => <State payment={payment} /> },
    ...(view === 'refunds'
      ? [amounts('On its way back', currency, ({ refunding }: PaymentListed) => minorFromAmount(refunding))]
      : []),
    amounts('Amount', currency, ({ amount }) => minorFromAmount(amount), 'amount'),
  ];
}

const State = ({ payment: { status, concern } }: { payment: Pick<PaymentListed, 'status' | 'concern'> }) =>
  concern === null ? (
    <StateLabel kind={STATES[status].kind}>{STATES[status].name}</StateLabel>
  ) : (
    <StateLabel kind="bad">Needs you</StateLabel>
  );

interface PaymentProps {
  payment: PaymentShown;
  client: string;
  /** An admin may send money back. */
  mayRefund: boolean;
  currency: string;
}

export function paymentPage(props: PaymentProps): Page {
  const { payment, client, mayRefund, currency } = props;
  const { payment_id: id, status, amount, orders, refunds } = payment;
  const money = formatMoney(minorFromAmount(amount), currency);
  const concerns = [payment.concern, ...refunds.map(({ concern }) => concern)].flatMap(
    (concern) => describeConcern(concern) ?? [],
  );
  return {
    title: `${money} of ${client}: ${STATES[status].name.toLowerCase()}`,
    back: back(concerns.length > 0),
    actions: (
      <>
        {status === 'open' && (
          <Form
            action={`${paymentPath(id)}/give-up`}
            confirm="The orders can then be paid in another way. Late money goes to the wallet."
            bare
          >
            <Button>Give up</Button>
          </Form>
        )}
        {(isUnderway(status) || refunds.some(isOpen)) && (
          <Form action={`${paymentPath(id)}/settle`} bare>
            <Button>Ask the gateway now</Button>
          </Form>
        )}
        {mayRefund && status === 'paid' && (
          <ButtonLink href={paymentRefundPath(id)}>Send money back</ButtonLink>
        )}
      </>
    ),
    content: (
      <>
        {concerns.map((concern) => (
          <Notice kind="bad">Check this payment: {concern}.</Notice>
        ))}
        <div class="columns">
          <Card title="Payment">
            <PaymentFacts {...props} />
          </Card>
          {concerns.length > 0 && (
            <FormCard title="You have checked it" action={`${paymentPath(id)}/resolve`}>
              <p>This moves no money. Correct the wallet of the client first if that is needed.</p>
              <Field label="Result" name="note" maxlength={200} required />
              <Button kind="primary">Save the result</Button>
            </FormCard>
          )}
        </div>
        {orders.length > 0 && (
          <ListCard title="Orders that it is meant for" columns={orderColumns(currency)} rows={orders} />
        )}
        {refunds.length > 0 && (
          <ListCard title="Refunds to the source" columns={refundColumns(currency)} rows={refunds} />
        )}
      </>
    ),
  };
}

const back = (concerning: boolean): Link =>
  concerning
    ? { href: CONCERNING, text: 'Payments' }
    : { href: withQuery(PAYMENTS, { view: 'all' }), text: 'All payments' };

type Refund = PaymentShown['refunds'][number];

function isOpen({ status }: Refund): boolean {
  return status === 'requested' || status === 'pending';
}

const PaymentFacts = ({ payment, client, currency }: PaymentProps) => (
  <Facts
    of={{
      Client: <a href={clientPath(payment.client_id)}>{client}</a>,
      Amount: <Money minor={minorFromAmount(payment.amount)} currency={currency} />,
      State: <StateLabel kind={STATES[payment.status].kind}>{STATES[payment.status].name}</StateLabel>,
      Gateway: payment.provider,
      'Gateway’s order id': payment.gateway_order_id && <code>{payment.gateway_order_id}</code>,
      'Payment id': <code>{payment.payment_id}</code>,
      Begun: (
        <>
          <ExactTime at={payment.created_at} /> {authorWords(payment.actor)}
        </>
      ),
      Paid: payment.paid_at && <ExactTime at={payment.paid_at} />,
      'Last answer of the gateway': payment.answered_at && <When at={payment.answered_at} />,
      'Next check': payment.next_check_at && <When at={payment.next_check_at} />,
      'Result of the check': payment.resolution,
    }}
  />
);

function orderColumns(currency: string): Column<PaymentShown['orders'][number]>[] {
  return [
    titles('Order', ({ order_number: number }) => ({ text: number, href: orderPath(number) })),
    amounts('Amount', currency, ({ amount }) => minorFromAmount(amount), 'amount'),
  ];
}

const REFUND_STATES: Record<Refund['status'], { name: string; kind: StateKind }> = {
  requested: { name: 'Requested', kind: 'info' },
  pending: { name: 'On its way', kind: 'info' },
  processed: { name: 'Sent back', kind: 'accent' },
  failed: { name: 'Failed: back in the wallet', kind: 'bad' },
};

function refundColumns(currency: string): Column<Refund>[] {
  return [
    {
      heading: 'Refund',
      as: 'title',
      cell: ({ gateway_refund_id: gateway, actor }) => (
        <Named detail={authorWords(actor)}>{gateway ?? 'Not at the gateway yet'}</Named>
      ),
    },
    times('Begun', ({ created_at: at }) => at),
    {
      heading: 'State',
      as: 'state',
      cell: ({ status }) => (
        <StateLabel kind={REFUND_STATES[status].kind}>{REFUND_STATES[status].name}</StateLabel>
      ),
    },
    amounts('Amount', currency, ({ amount }) => minorFromAmount(amount), 'amount'),
  ];
}

interface RefundProps {
  payment: PaymentShown;
  client: string;
  currency: string;
}

/** Asks for the amount. The next page says what it does. */
export function refundPage({ payment: { payment_id: id }, client, currency }: RefundProps): Page {
  return {
    title: `Send money back to ${client}`,
    lead: 'Money leaves the wallet and goes back to the card or account that paid.',
    back: { href: paymentPath(id), text: 'Payment' },
    content: (
      <FormCard action={paymentRefundPath(id)}>
        <AmountField
          label="Amount"
          name="amount"
          hint="Leave it empty for all that can go back."
          currency={currency}
        />
        <Button kind="primary">Continue</Button>
      </FormCard>
    ),
  };
}

export function refundReview({
  client,
  preview,
  currency,
}: RefundProps & { preview: RefundPreview }): Review {
  const { amount, left, funds } = preview;
  const money = formatMoney(amount, currency);
  const isEnough = amount <= funds.available;
  return {
    title: `Send ${money} back to ${client}?`,
    lead: 'The gateway sends it to the card or account that paid. This cannot be undone.',
    sums: true,
    effects: {
      'Can go back of this payment': <Money minor={left} currency={currency} />,
      ...fundsNow(funds, currency),
      'Goes back': <Money minor={-amount} currency={currency} signed />,
      'In the wallet afterwards': isEnough && <Money minor={funds.balance - amount} currency={currency} />,
    },
    warnings: isEnough
      ? []
      : [`The wallet has ${formatMoney(funds.available, currency)} to spend. Choose a smaller amount.`],
    seen: { key: randomUUID(), amount: numericFromMinor(amount), left: String(left) },
    button: isEnough && `Send ${money} back`,
  };
}
