import type { ComponentChildren } from 'preact';
import type { OrderDetails, OrderedProduct, DeedBy } from '../../../orders/view/client-order.mapper.js';
import type { OrderStatus } from '../../../orders/rules/order-transitions.js';
import { ButtonLink } from '../../../pages/components/controls.js';
import { Card, Facts } from '../../../pages/components/layout.js';
import { amounts, type Column, counts, Table } from '../../../pages/components/lists.js';
import { ExactTime, Money, Named, Timeline } from '../../../pages/components/values.js';
import type { Payment } from '../../../orders/entities/payment.entity.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { isWebAddress } from '../../../platform/validation/texts.js';
import { PaymentState } from '../paying/payment-pages.js';
import { deliveryPath, paymentPath } from '../paths.js';
import { cancelledBecause, OrderState } from './orders-table.js';

interface Props {
  order: OrderDetails;
}

export const LinesCard = ({ order }: Props) => {
  const { items, subtotal, delivery, total, currency } = order;
  const totals = Object.entries({ Goods: subtotal, Delivery: delivery, Total: total });
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
      cell: ({ name, sku, variation }) => (
        <Named detail={variation === null ? sku : `${sku} · ${variation}`}>{name}</Named>
      ),
    },
    counts('Quantity', ({ quantity }) => quantity),
    amounts('Price', currency, ({ unitPrice }) => unitPrice),
    amounts('Amount', currency, ({ lineTotal }) => lineTotal, 'amount'),
  ];
}

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

export const ParcelCard = ({ order }: Props) => {
  const { courier, trackingNumber, trackingUrl, shippedAt, deliveredAt } = order;
  if (shippedAt === null) return null;
  return (
    <Card title="Parcel">
      <Facts
        of={{
          Courier: courier,
          Tracking: (trackingNumber ?? trackingUrl) !== null && <Tracking order={order} />,
          Shipped: <ExactTime at={shippedAt} />,
          Delivered: deliveredAt && <ExactTime at={deliveredAt} />,
        }}
      />
    </Card>
  );
};

/** A stored address may be older than its check. A browser would run `javascript:` addresses. */
const Tracking = ({ order: { trackingNumber, trackingUrl } }: Props) =>
  trackingUrl === null || !isWebAddress(trackingUrl) ? (
    <>{trackingNumber}</>
  ) : (
    <a href={trackingUrl} rel="noopener noreferrer external">
      {trackingNumber ?? 'Track the parcel'}
    </a>
  );

export const PaymentCard = ({ order, payments }: Props & { payments: Payment[] }) => (
  <Card title="Payment">
    <Facts
      of={{
        Total: <Money minor={order.total} currency={order.currency} />,
        ...paidOrDue(order),
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

function paidOrDue(order: OrderDetails): Record<string, ComponentChildren> {
  const { status, paymentStatus, paidAt, paymentDueAt, paymentMethod, paymentReference } = order;
  if (paidAt === null)
    return status === 'cancelled' ? { Paid: 'No' } : { 'Pay by': <ExactTime at={paymentDueAt} /> };
  return {
    Paid: <ExactTime at={paidAt} />,
    'Paid by': paymentMethod && [paymentMethod, paymentReference].filter((word) => word !== null).join(' '),
    Refunded: paymentStatus === 'refunded' && 'to your wallet',
  };
}

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
