import type { ComponentChildren } from 'preact';
import type { TaxDocumentRow } from '../../modules/invoices/tax-documents.repository.js';
import type { OrderReturn } from '../../modules/orders/entities/after-sale.entity.js';
import type { CorrectedFields } from '../../modules/orders/entities/order.entity.js';
import type { Payment } from '../../modules/orders/entities/payment.entity.js';
import type { OrderPayment } from '../../modules/payments/payment-history.repository.js';
import type {
  OrderContent,
  OrderDetails,
  OrderedProduct,
} from '../../modules/orders/records/order-details.js';
import {
  groupOf,
  ORDER_STATUSES,
  type OrderGroup,
  type OrderStatus,
} from '../../modules/orders/rules/order-transitions.js';
import { cancelledUnits, sumOfLine, type LineQuantity } from '../../modules/orders/rules/order-units.js';
import { formatReturnState, isReceived, WITHDRAWN } from '../../modules/orders/rules/return-request.js';
import { isUndoneShipment } from '../../modules/orders/rules/undo-steps.js';
import { describeGoods, type ParcelException } from '../../modules/orders/rules/goods-state.js';
import {
  awaitsDelivery,
  describeReport,
  EXCEPTION_WORDS,
} from '../../modules/orders/rules/parcel-exception.js';
import { addressLines, EXTRA_NAMES, ORDER_FIELDS } from '../../modules/orders/rules/order-fields.js';
import { normaliseOrderNumber } from '../../modules/orders/rules/order-number.js';
import { formatMetadata, REPLACED_ORDER } from '../../modules/orders/rules/order-metadata.js';
import { Card, Facts } from '../../shared/ui/components/layout.js';
import {
  amountColumn,
  type ListColumn,
  countColumn,
  Table,
  titleColumn,
} from '../../shared/ui/components/lists.js';
import {
  ExactTime,
  LoggedValue,
  Money,
  stateLabel,
  type States,
  Timeline,
  RelativeTime,
  ShortNumber,
  TimeOrDay,
} from '../../shared/ui/components/values.js';
import { formatDay, formatMoney, formatNumber } from '../../platform/formats.js';
import { minorFromNumeric } from '../../platform/money/money.js';
import { capitalised, isWebAddress } from '../../platform/validation/texts.js';
import { DocumentLink, type DocumentPaths } from './documents-page.js';
import { CANCEL_REASONS } from '../../modules/orders/cancel-reasons.js';
import { formatVariation } from '../../read-model/products/variations.js';

interface Props {
  order: OrderContent;
}

type LinesProps = Props & Partial<Record<'hidesAmounts', boolean> & Record<'priceNote', string | undefined>>;

/** A packer sees no amounts and no refunds. */
export const LinesCard = ({ order, hidesAmounts = false, priceNote = '' }: LinesProps) => {
  const { items, subtotal, delivery, total, refundedAmount, currency } = order;
  const totals = Object.entries({
    Goods: subtotal,
    Delivery: delivery,
    Total: total,
    ...(refundedAmount > 0 && { Refunded: -refundedAmount, 'Total after refunds': total - refundedAmount }),
  });
  const columns = [productOf(order, hidesAmounts), QUANTITY];
  return (
    <Card title="Items" actions={<OrderState order={order} />} flush>
      <Table
        caption="Order items"
        columns={hidesAmounts ? columns : [...columns, ...amountsIn(currency, priceNote)]}
        rows={items}
        totals={
          hidesAmounts
            ? undefined
            : totals.map(([label, minor]) => ({ label, value: <Money minor={minor} currency={currency} /> }))
        }
      />
    </Card>
  );
};

const productOf = (order: OrderContent, hidesAmounts: boolean): ListColumn<OrderedProduct> =>
  titleColumn('Product', (line) => {
    const { sku, variation, name } = line;
    const units = describeUnits(order, hidesAmounts ? { ...line, refunded: 0 } : line);
    const words = [sku, variation && formatVariation(variation), ...units, ...formatMetadata(line)];
    return { text: name, detail: words.filter(Boolean).join(' · ') };
  });

const QUANTITY: ListColumn<OrderedProduct> = countColumn('Quantity', ({ quantity }) => quantity);

const amountsIn = (currency: string, priceNote: string): ListColumn<OrderedProduct>[] => [
  amountColumn(`Price${priceNote}`, currency, ({ unitPrice }) => unitPrice),
  amountColumn('Amount', currency, ({ lineTotal }) => lineTotal, 'amount'),
];

/** Describes units that are not simply shipped, in the sequence of events. Most lines have none. */
function describeUnits({ status, parcels, refunds }: OrderContent, line: OrderedProduct): string[] {
  const { quantity, shipped, refunded, returned, awaited } = line;
  const countReported = (exception: ParcelException) => {
    const reported = parcels.filter((one) => awaitsDelivery(one) && one.exception === exception);
    return sumOfLine(reported, line.line, 'quantity');
  };
  const cancelled = cancelledUnits(line, status);
  const isPartly = status === 'pending' && parcels.length > 0 && cancelled < quantity;
  const unitCounts = {
    'on the way back': countReported('returning'),
    lost: countReported('lost'),
    cancelled,
    'written off': sumOfLine(refunds, line.line, 'writtenOff'),
    'to be returned': awaited,
    returned: returned - awaited,
    refunded,
  };
  return [
    ...(isPartly || (shipped > 0 && shipped < quantity) ? [`${shipped} of ${quantity} shipped`] : []),
    ...Object.entries(unitCounts).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : [])),
  ];
}

/** The number of an order as a link, with the id of the store. */
export function orderColumn<Row>(
  of: (row: Row) => [number: string, id: string | null],
  href: (number: string, row: Row) => string,
): ListColumn<Row> {
  const title = (row: Row) => {
    const [text, detail] = of(row);
    return { text: <ShortNumber of={text} />, href: href(text, row), detail };
  };
  return { ...titleColumn('Order', title), nowrap: true };
}

interface DeliveryProps extends Props {
  /** Leads to another order. Undefined for readers who may not see it. */
  pathOf?: ((orderNumber: string) => string) | undefined;
  actions?: ComponentChildren;
}

export const DeliveryCard = ({ order, pathOf, actions }: DeliveryProps) => {
  const { [REPLACED_ORDER]: replaced = '', ...metadata } = order.metadata ?? {};
  // A store may write anything there.
  const replacedNumber = normaliseOrderNumber(replaced);
  const others = formatMetadata(replacedNumber === null ? order : { metadata });
  return (
    <Card title="Delivery" actions={actions}>
      <Facts
        of={{
          To: <Address order={order} />,
          Phone: order.customerPhone,
          ...Object.fromEntries(EXTRA_NAMES.map((name) => [ORDER_FIELDS[name].label, order[name]])),
          'Instead of':
            replacedNumber !== null &&
            (pathOf ? <a href={pathOf(replacedNumber)}>{replacedNumber}</a> : replacedNumber),
          Metadata: others.length > 0 && others.map((text) => <div>{text}</div>),
        }}
      />
    </Card>
  );
};

export const Address = ({ order }: Props) => (
  <>
    {order.customerName}
    {addressLines((name) => order[name]).map((line) => (
      <>
        <br />
        {line}
      </>
    ))}
  </>
);

/** The differences between the order pages of the dashboard and the desk. */
export interface OrderPageOptions<Action extends object> {
  orders: string;
  order: (orderNumber: string) => string;
  documents: DocumentPaths;
  /** Undefined: no links. */
  payment?: (paymentId: string) => string;
  returned?: (returnNumber: string) => string;
  /** "your wallet". */
  wallet: string;
  /** "by the wholesaler". */
  describeActor: (action: Action) => string;
  /** The author of a refund, if the page shows it. */
  refundedBy?: (actor: string) => string;
  titles: Pick<Record<OrderGroup, string>, 'paid' | 'cancelled'>;
}

interface PaymentProps extends Props {
  options: Pick<OrderPageOptions<never>, 'wallet' | 'documents' | 'payment' | 'refundedBy'>;
  /** Gateway payments, newest first. */
  payments: readonly OrderPayment[];
  documents: readonly TaxDocumentRow[];
}

export const PaymentCard = (props: PaymentProps) => (
  <Card title="Payment">
    <Facts
      of={{
        Total: <Money minor={props.order.total} currency={props.order.currency} />,
        ...paidOrDue(props),
        'Through the gateway':
          props.payments.length > 0 &&
          props.payments.map((payment) => (
            <ThroughGateway payment={payment} path={props.options.payment?.(payment.paymentId)} />
          )),
      }}
    />
  </Card>
);

const PAYMENT_STATES: States<Payment['status']> = {
  opening: { kind: 'info', name: 'Being prepared' },
  open: { kind: 'warn', name: 'Not finished' },
  paid: { kind: 'accent', name: 'Paid' },
  given_up: { kind: 'quiet', name: 'Given up' },
  failed: { kind: 'bad', name: 'Could not be opened' },
};

export const PaymentState = ({ payment }: { payment: Pick<Payment, 'status' | 'authorized'> }) =>
  stateLabel(payment.authorized ? { kind: 'info', name: 'On its way' } : PAYMENT_STATES[payment.status]);

/** A payment in a card of its order. With a path the amount is a link. */
const ThroughGateway = ({ payment, path }: { payment: OrderPayment; path: string | undefined }) => {
  const money = <Money minor={minorFromNumeric(payment.amount)} currency={payment.currency} />;
  return (
    <div>
      {path === undefined ? money : <a href={path}>{money}</a>}
      {payment.orders > 1 && ` for ${payment.orders} orders together`} <PaymentState payment={payment} />
      <br />
      <span class="small">
        started <ExactTime at={payment.createdAt} />
      </span>
    </div>
  );
};

function paidOrDue({ order, options, documents }: PaymentProps): Record<string, ComponentChildren> {
  const { status, paidAt, paymentDueAt, paymentMethod, paymentReference, refunds } = order;
  if (paidAt === null)
    return status === 'cancelled' ? { Paid: 'No' } : { 'Pay by': <ExactTime at={paymentDueAt} /> };
  return {
    Paid: <ExactTime at={paidAt} />,
    'Paid by': paymentMethod && [paymentMethod, paymentReference].filter((word) => word !== null).join(': '),
    Refunded:
      refunds.length > 0 &&
      refunds.map(({ refund, amount, takesBack, refundedAt, actor, reason }) => (
        <div>
          {refunds.length > 1 && `${refund}: `}
          <Money minor={Math.abs(amount)} currency={order.currency} />
          {takesBack === null ? ' to ' : ` of refund ${takesBack} back from `}
          {options.wallet}
          <br />
          <span class="small">
            <ExactTime at={refundedAt} />
            {options.refundedBy && ` ${options.refundedBy(actor)}`}: {cancelReasonText(reason)}
            {documents
              .filter((document) => document.refund === refund)
              .map((document) => (
                <>
                  <br />
                  <DocumentLink paths={options.documents} document={document} />
                </>
              ))}
          </span>
        </div>
      )),
  };
}

const EVENTS: Record<OrderStatus, string> = {
  awaiting_payment: 'Placed',
  pending: 'Paid',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

/** Statuses after a later one: a payment was undone, a parcel never left, or did not arrive. */
const REPEATED: Readonly<Partial<Record<OrderStatus, string>>> = {
  awaiting_payment: 'To be paid again',
  pending: 'To ship again',
  shipped: 'On its way again',
};

interface HistoryProps<Action extends object> {
  order: OrderDetails<Action>;
  hidesAmounts?: boolean;
  /** "by the wholesaler". */
  describeActor: (action: Action) => string;
}

/** The events of the order, oldest first. */
export function HistoryCard<Action extends object>({
  order,
  describeActor,
  hidesAmounts,
}: HistoryProps<Action>) {
  const { timeline, corrections, unlisted } = order;
  const rankOf = (status: OrderStatus) => ORDER_STATUSES.indexOf(status);
  const events = timeline.map((action, at) => ({
    at: action.changedAt,
    title:
      (at > 0 && rankOf(action.status) < rankOf(timeline[at - 1]!.status) && REPEATED[action.status]) ||
      EVENTS[action.status],
    note: [describeActor(action), action.note && cancelReasonText(action.note)].filter(Boolean).join(': '),
  }));
  const changes = corrections.map((action) => {
    const { changedAt, before, after, reason } = action;
    const changedFields = Object.keys(after).map((field, at) => (
      <>
        {at > 0 && ', '}
        {field.replaceAll('_', ' ')}: <LoggedValue of={before[field]} /> → <LoggedValue of={after[field]} />
      </>
    ));
    const note = (
      <>
        {describeActor(action)}: {changedFields}
        {reason !== null && `, because ${reason}`}
      </>
    );
    const report = describeReport(after);
    if (report !== undefined) return { at: changedAt, title: report, note: describeActor(action) };
    return { at: changedAt, title: correctionTitle(before), note };
  });
  return (
    <Card title="History">
      <Timeline
        entries={[...events, ...changes, ...afterSaleEntries(order, hidesAmounts)].sort(
          (a, b) => a.at.getTime() - b.at.getTime(),
        )}
      />
      {unlisted > 0 && <p>And {formatNumber(unlisted)} earlier corrections and returns.</p>}
    </Card>
  );
}

function correctionTitle(before: CorrectedFields): string {
  if (isUndoneShipment(before)) return 'Shipment undone';
  return 'payment' in before ? 'Payment undone' : 'Corrected';
}

/** A single parcel with all units needs no entries: the order's own events cover it. */
function afterSaleEntries(order: OrderContent, hidesAmounts = false) {
  const { parcels, returns, refunds, status, currency } = order;
  const separateParcels = parcels.length === 1 && status !== 'pending' ? [] : parcels;
  const entries = [
    ...separateParcels.flatMap(({ parcel, courier, trackingNumber, shippedAt, deliveredAt }) => [
      {
        at: shippedAt,
        title: `Parcel ${parcel} left`,
        note: [courier, trackingNumber].filter((text) => text !== null).join(', '),
      },
      { at: deliveredAt, title: `Parcel ${parcel} delivered`, note: '' },
    ]),
    ...returns.flatMap(({ returnNumber, reason, requestedAt, acceptedAt, state, decidedAt, decision }) => [
      { at: requestedAt, title: 'Return requested', note: `${returnNumber}: ${reason}` },
      { at: acceptedAt, title: 'Return accepted', note: returnNumber },
      {
        at: decidedAt,
        title: `Return ${formatReturnState(state, decision)}`,
        note: [returnNumber, decision === WITHDRAWN ? null : decision]
          .filter((text) => text !== null)
          .join(': '),
      },
    ]),
    ...refunds.flatMap(({ lines, refundedAt, reason }) =>
      (
        [
          ['Cancelled', lines.map(({ line, cancelled }) => ({ line, quantity: cancelled }))],
          ['Written off', lines.map(({ line, writtenOff }) => ({ line, quantity: writtenOff }))],
        ] as const
      ).flatMap(([what, units]) => {
        const some = units.filter(({ quantity }) => quantity > 0);
        return some.length > 0
          ? [{ at: refundedAt, title: `${what} ${unitNames(order, some)}`, note: reason }]
          : [];
      }),
    ),
    ...refunds
      .filter(({ amount }) => amount !== 0 && !hidesAmounts)
      .map(({ amount, refundedAt, reason }) => ({
        at: refundedAt,
        title: `${amount > 0 ? 'Refunded' : 'Refund taken back'} ${formatMoney(Math.abs(amount), currency)}`,
        note: reason,
      })),
  ];
  return entries.flatMap(({ at, ...entry }) => (at === null ? [] : [{ at, ...entry }]));
}

export interface ParcelActions {
  /** Buttons for a parcel. */
  parcelActions?: ((parcel: number, isOnItsWay: boolean) => ComponentChildren) | undefined;
  /** The reason why a parcel has no invoice is for the wholesaler alone. */
  showsNoInvoiceReason?: boolean;
}

/** Each parcel with its tracking; with its items, unless one parcel has all of them. */
export const ParcelCards = ({ order, parcelActions, showsNoInvoiceReason }: Props & ParcelActions) => {
  const { parcels, status } = order;
  const isWhole = parcels.length === 1 && status !== 'pending';
  return (
    <>
      {parcels.map(({ parcel, courier, trackingNumber, trackingUrl, shippedAt, deliveredAt, ...rest }) => (
        <Card
          title={isWhole ? 'Parcel' : `Parcel ${parcel}`}
          actions={parcelActions?.(parcel, deliveredAt === null)}
        >
          <Facts
            of={{
              Courier: courier,
              Tracking: (trackingNumber ?? trackingUrl) !== null && (
                <Tracking number={trackingNumber} url={trackingUrl} />
              ),
              Shipped: <TimeOrDay at={shippedAt} />,
              Delivered: deliveredAt && <TimeOrDay at={deliveredAt} />,
              'The courier reports': rest.exception && EXCEPTION_WORDS[rest.exception],
              Items: !isWhole && rest.lines.length > 0 && <Units order={order} lines={rest.lines} />,
              'No invoice': showsNoInvoiceReason && rest.noInvoice,
              'Left without an IRN': showsNoInvoiceReason && rest.withoutIrn,
            }}
          />
        </Card>
      ))}
    </>
  );
};

/** A stored address may be older than its check. A browser would run `javascript:` addresses. */
const Tracking = ({ number, url }: { number: string | null; url: string | null }) =>
  url === null || !isWebAddress(url) ? (
    <>{number}</>
  ) : (
    <a href={url} rel="noopener noreferrer external">
      {number ?? 'Track the parcel'}
    </a>
  );

/** "Kurta, Size: M": two lines may be variations of one product. */
export const nameWithVariation = (name: string, variation: string | null) =>
  variation ? `${name}, ${formatVariation(variation)}` : name;

function itemName({ items }: OrderContent, line: number): string {
  const item = items.find((one) => one.line === line);
  return item ? nameWithVariation(item.name, item.variation) : '';
}

export const Units = ({ order, lines }: Props & { lines: readonly LineQuantity[] }) => (
  <>
    {lines.map(({ line, quantity }) => (
      <div>
        {quantity} × {itemName(order, line)}
      </div>
    ))}
  </>
);

const unitNames = (order: OrderContent, lines: readonly LineQuantity[]) =>
  lines.map(({ line, quantity }) => `${quantity} × ${itemName(order, line)}`).join(', ');

const RETURN_KINDS = {
  requested: 'info',
  received: 'accent',
  partly_received: 'warn',
  refused: 'bad',
} as const;

/** An accepted return is still requested until its goods come. People read whether they may send them. */
export const ReturnState = ({
  state,
  acceptedAt,
  decision,
}: Pick<OrderReturn, 'state' | 'acceptedAt' | 'decision'>) =>
  stateLabel({
    kind: decision === WITHDRAWN ? 'quiet' : RETURN_KINDS[state],
    name: state === 'requested' && acceptedAt ? 'Accepted' : capitalised(formatReturnState(state, decision)),
  });

/** Where and until when to send the goods. */
export const acceptanceFacts = ({ sendTo, sendBy }: Pick<OrderReturn, 'sendTo' | 'sendBy'>) => ({
  'Send the goods to': sendTo?.split('\n').map((line) => <div>{line}</div>),
  'Send them by': sendBy && formatDay(sendBy),
});

export interface ReturnActions {
  /** Buttons for a return. */
  returnActions?: ((returned: OrderContent['returns'][number]) => ComponentChildren) | undefined;
}

interface ReturnLinks extends ReturnActions {
  /** With it, the number is a link. */
  pathOf: ((returnNumber: string) => string) | undefined;
  hidesAmounts?: boolean;
}

export const ReturnCards = ({ order, pathOf, hidesAmounts = false, returnActions }: Props & ReturnLinks) => (
  <>
    {order.returns.map((returned) => {
      const { returnNumber, state, reason, note, requestedAt, decision, refunded, ...rest } = returned;
      const title = `Return ${returnNumber}`;
      return (
        <Card
          title={pathOf ? <a href={pathOf(returnNumber)}>{title}</a> : title}
          actions={
            <>
              <ReturnState {...returned} />
              {returnActions?.(returned)}
            </>
          }
        >
          <Facts
            of={{
              Items: <Units order={order} lines={rest.lines} />,
              Received: isReceived(state) && (
                <Units order={order} lines={unitsIn(rest.lines, ({ received }) => received ?? 0)} />
              ),
              'Not received': state === 'partly_received' && (
                <Units
                  order={order}
                  lines={unitsIn(rest.lines, ({ quantity, received }) => quantity - (received ?? 0))}
                />
              ),
              'Return of the store': rest.storeReturnId,
              Reason: [reason, note].filter((text) => text !== null).join(': '),
              Requested: <ExactTime at={requestedAt} />,
              ...acceptanceFacts(rest),
              Answer: decision,
              Refunded: !hidesAmounts && refunded > 0 && <Money minor={refunded} currency={order.currency} />,
            }}
          />
        </Card>
      );
    })}
  </>
);

type ReturnedLine = OrderContent['returns'][number]['lines'][number];

const unitsIn = (lines: readonly ReturnedLine[], countOf: (line: ReturnedLine) => number): LineQuantity[] =>
  lines.map((one) => ({ line: one.line, quantity: countOf(one) })).filter(({ quantity }) => quantity > 0);

/** For the tabs and for the labels. */
export const GROUPS: States<OrderGroup> = {
  to_pay: { kind: 'warn', name: 'Awaiting payment' },
  processing: { kind: 'info', name: 'Being processed' },
  paid: { kind: 'accent', name: 'Paid' },
  shipped: { kind: 'info', name: 'Shipped' },
  not_arriving: { kind: 'warn', name: 'Came back or lost' },
  delivered: { kind: 'quiet', name: 'Delivered' },
  cancelled: { kind: 'bad', name: 'Cancelled' },
};

type StatedOrder = Pick<OrderContent, 'status' | 'openPayment' | 'goodsState' | 'shippedAt'>;

/** Some goods of a part-shipped order have left. Its status stays `pending` in the API. */
export const isPartlyShipped = ({ status, shippedAt }: Pick<StatedOrder, 'status' | 'shippedAt'>) =>
  status === 'pending' && shippedAt !== null;

/** The state of an order for pages and files. */
export function stateOf(order: StatedOrder): States<OrderGroup>[OrderGroup] {
  if (isPartlyShipped(order)) return { kind: 'info', name: 'Partly shipped' };
  const goods = order.status === 'shipped' && describeGoods(order.goodsState)?.replace(/^(is|was) /, '');
  return goods ? { kind: 'warn', name: capitalised(goods) } : GROUPS[groupOf(order)];
}

export const OrderState = ({ order }: { order: StatedOrder }) => stateLabel(stateOf(order));

/** An overdue order can be paid until the expiry job cancels it. */
export const PaymentDue = ({ at }: { at: Date }) =>
  at.getTime() < Date.now() ? (
    <>overdue</>
  ) : (
    <>
      due <RelativeTime at={at} />
    </>
  );

/** The service's own reason codes need a text. */
export function cancelReasonText(reason: string | null): string {
  return reason === CANCEL_REASONS.expired ? 'not paid in time' : (reason ?? 'cancelled');
}
