import type { OrderDetails, OrderedProduct, DeedBy } from '../../../orders/view/client-order.mapper.js';
import type { OrderStatus } from '../../../orders/rules/order-transitions.js';
import { Card, Fact, Facts } from '../../../pages/components/layout.js';
import { Money, Timeline, ExactTime } from '../../../pages/components/values.js';
import { type Column, Table } from '../../../pages/components/table.js';
import type { Payment } from '../../../orders/entities/payment.entity.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { isWebAddress } from '../../../platform/validation/texts.js';
import { PaymentState } from '../paying/payment-pages.js';
import { paymentPath } from '../paths.js';
import { cancelledBecause, OrderState } from './orders-table.js';

interface Props {
  order: OrderDetails;
}

export const LinesCard = ({ order }: Props) => {
  const { items, subtotal, delivery, total, currency } = order;
  return (
    <Card title="Items" actions={<OrderState order={order} />} flush>
      <Table
        caption="Order items"
        columns={columnsIn(currency)}
        rows={items}
        totals={[
          { label: 'Goods', value: <Money minor={subtotal} currency={currency} /> },
          { label: 'Delivery', value: <Money minor={delivery} currency={currency} /> },
          { label: 'Total', value: <Money minor={total} currency={currency} /> },
        ]}
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
        <>
          {name}
          <small>{variation === null ? sku : `${sku} · ${variation}`}</small>
        </>
      ),
    },
    { heading: 'Quantity', align: 'end', cell: ({ quantity }) => quantity.toLocaleString('en-IN') },
    {
      heading: 'Price',
      align: 'end',
      cell: ({ unitPrice }) => <Money minor={unitPrice} currency={currency} />,
    },
    {
      heading: 'Amount',
      align: 'end',
      as: 'amount',
      cell: ({ lineTotal }) => <Money minor={lineTotal} currency={currency} />,
    },
  ];
}

export const DeliveryCard = ({ order }: Props) => (
  <Card title="Delivery">
    <Facts>
      <Fact term="To">
        {order.customerName}
        <br />
        {order.shippingAddress}
        <br />
        {order.shippingCity} {order.shippingPincode}
        <br />
        {order.shippingState}, {order.shippingCountry}
      </Fact>
      <Fact term="Phone">{order.customerPhone}</Fact>
      {order.customerEmail !== null && <Fact term="E-mail">{order.customerEmail}</Fact>}
      {order.notes !== null && <Fact term="Notes">{order.notes}</Fact>}
    </Facts>
  </Card>
);

export const ParcelCard = ({ order }: Props) => {
  const { courier, trackingNumber, trackingUrl, shippedAt, deliveredAt } = order;
  if (shippedAt === null) return null;
  return (
    <Card title="Parcel">
      <Facts>
        <Fact term="Courier">{courier}</Fact>
        {(trackingNumber ?? trackingUrl) !== null && (
          <Fact term="Tracking">
            <Tracking order={order} />
          </Fact>
        )}
        <Fact term="Shipped">
          <ExactTime at={shippedAt} />
        </Fact>
        {deliveredAt !== null && (
          <Fact term="Delivered">
            <ExactTime at={deliveredAt} />
          </Fact>
        )}
      </Facts>
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
    <Facts>
      <Fact term="Total">
        <Money minor={order.total} currency={order.currency} />
      </Fact>
      <PaidOrDue order={order} />
      {payments.map(({ paymentId, amount, currency, createdAt, status }) => (
        <Fact term="Through the gateway">
          <a href={paymentPath(paymentId)}>
            <Money minor={minorFromNumeric(amount)} currency={currency} />
          </a>{' '}
          <PaymentState status={status} />
          <br />
          <span class="small">
            {' '}
            started <ExactTime at={createdAt} />
          </span>
        </Fact>
      ))}
    </Facts>
  </Card>
);

const PaidOrDue = ({ order }: Props) => {
  const { status, paymentStatus, paidAt, paymentDueAt, paymentMethod, paymentReference } = order;
  if (paidAt === null)
    return status === 'cancelled' ? (
      <Fact term="Paid">No</Fact>
    ) : (
      <Fact term="Pay by">
        <ExactTime at={paymentDueAt} />
      </Fact>
    );
  return (
    <>
      <Fact term="Paid">
        <ExactTime at={paidAt} />
      </Fact>
      {paymentMethod !== null && (
        <Fact term="Paid by">
          {[paymentMethod, paymentReference].filter((word) => word !== null).join(' ')}
        </Fact>
      )}
      {paymentStatus === 'refunded' && <Fact term="Refunded">to your wallet</Fact>}
    </>
  );
};

const EVENTS: Record<OrderStatus, string> = {
  awaiting_payment: 'Placed',
  pending: 'Paid',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

/** The order's events and the wholesaler's corrections, oldest first. */
export const HistoryCard = ({ order: { timeline, corrections } }: Props) => {
  const events = timeline.map(({ status, changedAt, note, ...deed }) => ({
    at: changedAt,
    title: EVENTS[status],
    note: [byWords(deed), note && cancelledBecause(note)].filter(Boolean).join(': '),
  }));
  const changes = corrections.map(({ changedAt, before, after }) => ({
    at: changedAt,
    title: 'Corrected',
    note: Object.keys(after)
      .map((field) => `${field.replaceAll('_', ' ')}: ${before[field] ?? 'none'} → ${after[field] ?? 'none'}`)
      .join(', '),
  }));
  return (
    <Card title="History">
      <Timeline entries={[...events, ...changes].sort((a, b) => a.at.getTime() - b.at.getTime())} />
    </Card>
  );
};

function byWords(deed: DeedBy): string {
  switch (deed.by) {
    case 'person':
      return `by ${deed.email}`;
    case 'store':
      return 'by your store';
    case 'auto-pay':
      return 'by auto-pay';
    case 'gateway':
      return 'by gateway payment';
    case 'service':
      return 'automatically';
    case 'wholesaler':
      return 'by the wholesaler';
  }
}
