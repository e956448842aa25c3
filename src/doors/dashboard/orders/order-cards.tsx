import type { ComponentChildren } from 'preact';
import type { DocumentListed } from '../../../invoices/tax-documents.repository.js';
import type { OrderDetails, OrderedProduct, DeedBy } from '../../../orders/view/client-order.mapper.js';
import type { OrderStatus } from '../../../orders/rules/order-transitions.js';
import { ButtonLink } from '../../../pages/components/controls.js';
import { Card, Facts } from '../../../pages/components/layout.js';
import { amounts, type Column, counts, Table } from '../../../pages/components/lists.js';
import { ExactTime, Money, Named, Timeline } from '../../../pages/components/values.js';
import type { Payment } from '../../../orders/entities/payment.entity.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { PaymentState } from '../paying/payment-pages.js';
import { DocumentLink } from '../invoices/invoices-page.js';
import { deliveryPath, paymentPath } from '../paths.js';
import { cancelledBecause, OrderState } from './orders-table.js';

interface Props {
  order: OrderDetails;
}

export const LinesCard = ({ order }: Props) => {
  const { items, subtotal, delivery, total, refundedAmount, currency } = order;
  const totals = Object.entries({
    Goods: subtotal,
    Delivery: delivery,
    Total: total,
    ...(refundedAmount > 0 && { Refunded: -refundedAmount, 'Total after refunds': total - refundedAmount }),
  });
  return (
    <Card title="Items" actions={<OrderState order={order} />} flush>
      <Table
        caption="Order items"
        columns={columnsIn(currency)}
        rows={items}
        totals={totals.map(([label, minor]) => ({
          label,
          value: <Money minor={minor} currency={currency} />,
        }))}
      />
    </Card>
  );
};

function columnsIn(currency: string): Column<OrderedProduct>[] {
  return [
    {
      heading: 'Product',
      as: 'title',
      cell: ({ sku, variation, ...item }) => (
        <Named detail={[sku, variation, ...unitWords(item)].filter((word) => word !== null).join(' · ')}>
          {item.name}
        </Named>
      ),
    },
    counts('Quantity', ({ quantity }) => quantity),
    amounts('Price', currency, ({ unitPrice }) => unitPrice),
    amounts('Amount', currency, ({ lineTotal }) => lineTotal, 'amount'),
  ];
}

/** Words for units that the quantity alone does not tell. All units of most lines have left or will leave. */
function unitWords({ quantity, shipped, ...units }: OrderedUnits): string[] {
  const told = { sent: shipped < quantity ? shipped : 0, ...units };
  return (['sent', 'cancelled', 'refunded', 'returned'] as const)
    .filter((what) => told[what] > 0)
    .map((what) => `${told[what]} ${what}`);
}

type OrderedUnits = Pick<OrderedProduct, 'quantity' | 'shipped' | 'cancelled' | 'refunded' | 'returned'>;

export const DeliveryCard = ({ order, mayChange }: Props & { mayChange: boolean }) => (
  <Card
    title="Delivery"
    actions={mayChange && <ButtonLink href={deliveryPath(order.orderNumber)}>Change</ButtonLink>}
  >
    <Facts
      of={{
        To: <Address order={order} />,
        Phone: order.customerPhone,
        'E-mail': order.customerEmail,
        Notes: order.notes,
      }}
    />
  </Card>
);

const Address = ({ order }: Props) => (
  <>
    {order.customerName}
    <br />
    {order.shippingAddress}
    <br />
    {order.shippingCity} {order.shippingPincode}
    <br />
    {order.shippingState}, {order.shippingCountry}
  </>
);

interface PaymentProps extends Props {
  payments: Payment[];
  documents: readonly DocumentListed[];
}

export const PaymentCard = ({ order, payments, documents }: PaymentProps) => (
  <Card title="Payment">
    <Facts
      of={{
        Total: <Money minor={order.total} currency={order.currency} />,
        ...paidOrDue(order, documents),
        'Through the gateway':
          payments.length > 0 && payments.map((payment) => <ThroughGateway payment={payment} />),
      }}
    />
  </Card>
);

const ThroughGateway = ({ payment }: { payment: Payment }) => (
  <div>
    <a href={paymentPath(payment.paymentId)}>
      <Money minor={minorFromNumeric(payment.amount)} currency={payment.currency} />
    </a>{' '}
    <PaymentState payment={payment} />
    <br />
    <span class="small">
      started <ExactTime at={payment.createdAt} />
    </span>
  </div>
);

function paidOrDue(
  order: OrderDetails,
  documents: readonly DocumentListed[],
): Record<string, ComponentChildren> {
  const { status, paidAt, paymentDueAt, paymentMethod, paymentReference, refunds } = order;
  if (paidAt === null)
    return status === 'cancelled' ? { Paid: 'No' } : { 'Pay by': <ExactTime at={paymentDueAt} /> };
  return {
    Paid: <ExactTime at={paidAt} />,
    'Paid by': paymentMethod && [paymentMethod, paymentReference].filter((word) => word !== null).join(' '),
    Refunded:
      refunds.length > 0 &&
      refunds.map((refund) => (
        <Refunded
          refund={refund}
          order={order}
          notes={documents.filter((document) => document.refund === refund.refund)}
        />
      )),
  };
}

interface RefundedProps extends Props {
  refund: OrderDetails['refunds'][number];
  /** The credit notes that follow it. */
  notes: readonly DocumentListed[];
}

const Refunded = ({ refund, order, notes }: RefundedProps) => (
  <div>
    <Money minor={refund.amount} currency={order.currency} /> to your wallet
    <br />
    <span class="small">
      <ExactTime at={refund.refundedAt} />: {cancelledBecause(refund.reason)}
      {notes.map((document) => (
        <>
          <br />
          <DocumentLink document={document} />
        </>
      ))}
    </span>
  </div>
);

const EVENTS: Record<OrderStatus, string> = {
  awaiting_payment: 'Placed',
  pending: 'Paid',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

/** The order's events and corrections, oldest first. */
export const HistoryCard = ({ order: { timeline, corrections } }: Props) => {
  const events = timeline.map(({ status, changedAt, note, ...deed }) => ({
    at: changedAt,
    title: EVENTS[status],
    note: [byWords(deed), note && cancelledBecause(note)].filter(Boolean).join(': '),
  }));
  const changes = corrections.map(({ changedAt, before, after, reason, ...deed }) => {
    const told = Object.keys(after)
      .map((field) => `${field.replaceAll('_', ' ')}: ${before[field] ?? 'none'} → ${after[field] ?? 'none'}`)
      .concat(reason === null ? [] : [`because ${reason}`])
      .join(', ');
    return { at: changedAt, title: 'Corrected', note: `${byWords(deed)}: ${told}` };
  });
  return (
    <Card title="History">
      <Timeline entries={[...events, ...changes].sort((a, b) => a.at.getTime() - b.at.getTime())} />
    </Card>
  );
};

const AUTHORS: Record<Exclude<DeedBy['by'], 'person'>, string> = {
  store: 'by your store',
  'auto-pay': 'by auto-pay',
  gateway: 'by gateway payment',
  service: 'automatically',
  wholesaler: 'by the wholesaler',
};

function byWords(deed: DeedBy): string {
  return deed.by === 'person' ? `by ${deed.email}` : AUTHORS[deed.by];
}
