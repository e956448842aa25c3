import type { Order } from '../orders/entities/order.entity.js';
import { cancelUnits } from '../orders/actions/cancel.js';
import { deliver } from '../orders/actions/deliver.js';
import { expire } from '../orders/actions/expire.js';
import type { OrderChange, OrderColumns, Refusal, SentParcel } from '../orders/actions/order-action.js';
import { payFromWallet } from '../orders/actions/pay.js';
import { refundPart, refundReturned } from '../orders/actions/refund.js';
import { factsFor } from '../orders/actions/order-facts.js';
import { send } from '../orders/actions/ship.js';
import { parcelsOf, refundsOf } from '../orders/records/order-details.js';
import type { StoreOrder } from '../orders/records/order-record.js';
import type { PlannedRefund } from '../orders/rules/order-steps.js';
import { formatOrderStatus } from '../orders/rules/order-transitions.js';
import { allUnits, type LineQuantity, receivedUnits } from '../orders/rules/order-units.js';
import { receivedState, type ReturnRequest } from '../orders/rules/return-request.js';
import { type Minor, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import { CANCEL_REASONS } from '../orders/cancel-reasons.js';

export const STEPS = [
  'paid',
  'partly_shipped',
  'shipped',
  'delivered',
  'line_cancelled',
  'cancelled',
  'expired',
  'line_refunded',
  'amount_refunded',
  'return_requested',
  'return_received',
  'return_partly_received',
  'return_refused',
] as const;

/** The next event of a test order. */
export type NextStep = (typeof STEPS)[number];

type SteppedOrder = StoreOrder & Pick<Order, 'delivery'>;

interface StepContext {
  now: Date;
  returnNumber: string;
}

type StepChange = Partial<StoreOrder> | Refusal;

/** One rupee. */
const REFUNDED_AMOUNT: Minor = 100;

const COURIER = 'Test courier';

/** Each of them makes the stored order longer, and its documents slower to compute. */
const MAX_EVENTS = 100;

/** The order after the step, or the reason for a refusal, by the rules of real orders. */
export function advanceOrder<Stepped extends SteppedOrder>(
  order: Stepped,
  step: NextStep,
  context: StepContext,
): Stepped | Refusal {
  const change = STEP_CHANGES[step](order, context);
  if ('refused' in change) return change;
  const next = { ...order, ...change };
  return countEvents(next) > MAX_EVENTS
    ? { refused: `A test order has at most ${MAX_EVENTS} parcels, refunds and returns together.` }
    : next;
}

const countEvents = ({ parcels, refunds, returns }: StoreOrder) =>
  [parcels, refunds, returns].reduce((sum, list) => sum + (list?.length ?? 0), 0);

const STEP_CHANGES: Record<NextStep, (order: SteppedOrder, context: StepContext) => StepChange> = {
  paid: by(() => payFromWallet()),
  partly_shipped: by((order) => {
    const [first, ...others] = allUnits(order.items, 'shipped');
    if (order.status === 'pending' && first!.quantity === 1 && others.length === 0)
      return { refused: 'Only one unit is left, so it leaves whole: use the step shipped.' };
    return shipping(order, first && [{ ...first, quantity: 1 }]);
  }),
  shipped: by((order) => shipping(order)),
  delivered: by(() => deliver.change({})),
  line_cancelled: by(({ status, items }) => {
    const waiting = allUnits(items, 'cancelled');
    if (status === 'pending' && waiting.length === 1 && items.every(({ shipped }) => shipped === 0))
      return { refused: 'Only one line waits: use the step cancelled for the whole order.' };
    return cancelUnits(CANCEL_REASONS.wholesaler, { lines: waiting.slice(-1) });
  }),
  cancelled: by(() => cancelUnits(CANCEL_REASONS.wholesaler)),
  expired: by(() => expire),
  line_refunded: by(({ items }) => {
    const [first] = allUnits(items, 'refunded');
    if (!first) return { refused: 'All units of the order are refunded already.' };
    return refunding({ kind: 'lines', lines: [{ ...first, quantity: 1 }] });
  }),
  amount_refunded: by(({ total, refundedAmount }) => {
    const left = minorFromNumeric(total) - minorFromNumeric(refundedAmount);
    return refunding({ kind: 'amount', amount: Math.min(REFUNDED_AMOUNT, left) });
  }),
  return_requested: requestReturn,
  return_received: (order, context) => decideReturn(order, context, { missing: 0 }),
  return_partly_received: (order, context) => decideReturn(order, context, { missing: 1 }),
  return_refused: (order, context) => decideReturn(order, context, { missing: Infinity }),
};

/** A step that makes a change of real orders. */
function by(changeOf: (order: SteppedOrder) => OrderChange | Refusal) {
  return (order: SteppedOrder, { now }: StepContext): StepChange => {
    const change = changeOf(order);
    return 'refused' in change ? change : applyChange(order, change, now);
  };
}

/** Ships these units, or all that are left, with a made-up tracking number. */
function shipping({ orderNumber, parcels }: StoreOrder, lines?: LineQuantity[]): OrderChange {
  const before = parcels?.length ?? 0;
  const trackingNumber = `${orderNumber.replaceAll('-', '')}${before === 0 ? '' : `P${before + 1}`}`;
  const trackingUrl = `https://courier.example/track/${trackingNumber}`;
  return send({ lines, courier: COURIER, trackingNumber, trackingUrl, shippedAt: null });
}

function refunding(
  part: { kind: 'lines'; lines: LineQuantity[] } | { kind: 'amount'; amount: Minor },
): OrderChange {
  return refundPart({ ...part, reason: 'refunded for a test', key: '' });
}

/** Writes what the actions of real orders decide. */
function applyChange(order: SteppedOrder, change: OrderChange, now: Date): StepChange {
  const { total, delivery, refundedAmount, status: before } = order;
  const effects = change.decide(
    factsFor(change, {
      ...order,
      total: minorFromNumeric(total),
      delivery: minorFromNumeric(delivery),
      refunded: minorFromNumeric(refundedAmount),
      lines: order.items.map((item) => ({ ...item, unitPrice: minorFromNumeric(item.unitPrice) })),
      parcels: parcelsOf(order),
      refunds: refundsOf(order),
      paymentsUndone: 0,
    }),
    { timeZone: 'UTC', servedCountries: [] },
  );
  if ('refused' in effects) return effects;
  const { status, paymentStatus, refund, sends, columns } = effects;
  return {
    status,
    paymentStatus,
    ...(status !== before && { timeline: [...order.timeline, { status, changedAt: now.getTime() }] }),
    ...(columns?.cancelReason && { cancelReason: columns.cancelReason }),
    ...(sends && withParcel(order, { ...columns, courier: columns!.courier!, ...sends }, now)),
    ...(effects.delivers && withDelivery(order, now)),
    ...(refund && withRefund(order, refund, now)),
  };
}

function withParcel(
  { parcels, parcelItems, items }: StoreOrder,
  { units, courier, trackingNumber, trackingUrl = null }: SentParcel & OrderColumns & { courier: string },
  shippedAt: Date,
): Partial<StoreOrder> {
  const facts = { courier, trackingNumber, trackingUrl };
  const parcel = (parcels?.length ?? 0) + 1;
  const open = { deliveredAt: null, exception: null, noInvoice: null, withoutIrn: null };
  return {
    ...facts,
    shippedAt,
    parcels: [...(parcels ?? []), { ...facts, parcel, shippedAt: shippedAt.getTime(), ...open }],
    parcelItems: [...(parcelItems ?? []), ...units.map((unit) => ({ ...unit, parcel }))],
    items: items.map((item) => ({ ...item, shipped: item.shipped + unitsOf(units, item.line) })),
  };
}

function withDelivery({ parcels }: StoreOrder, now: Date): Pick<StoreOrder, 'parcels'> {
  const deliveredAt = now.getTime();
  return {
    parcels: parcels?.map((one) => ({ ...one, deliveredAt: one.deliveredAt ?? deliveredAt })) ?? null,
  };
}

function withRefund(
  order: StoreOrder,
  { kind, amount: total, reason, returnNumber, items }: PlannedRefund,
  now: Date,
): Partial<StoreOrder> {
  const refund = (order.refunds?.length ?? 0) + 1;
  const head = { refund, kind, reason, returnNumber: returnNumber ?? null, takesBack: null, actor: 'test' };
  return {
    refundedAmount: numericFromMinor(minorFromNumeric(order.refundedAmount) + total),
    items: order.items.map((item) => {
      const own = items.find(({ line }) => line === item.line);
      const { refunded, cancelled } = item;
      return {
        ...item,
        refunded: refunded + (own?.refunded ?? 0),
        cancelled: cancelled + (own?.cancelled ?? 0),
      };
    }),
    refunds: [
      ...(order.refunds ?? []),
      { ...head, amount: numericFromMinor(total), refundedAt: now.getTime() },
    ],
    refundItems: [
      ...(order.refundItems ?? []),
      ...items.map((item) => {
        const amount = numericFromMinor(item.amount);
        return { cancelled: 0, writtenOff: 0, ...item, refund, amount };
      }),
    ],
  };
}

const unitsOf = (units: readonly LineQuantity[], line: number) =>
  units.find((one) => one.line === line)?.quantity ?? 0;

/**
 * Decides the oldest open return. All but the missing units arrive and are refunded. If one is missing,
 * another one is written off. If all are missing, the return is refused.
 */
function decideReturn(
  order: SteppedOrder,
  { now }: StepContext,
  { missing }: { missing: number },
): StepChange {
  const open = order.returns?.find(({ state }) => state === 'requested');
  if (!open) return { refused: 'The order has no return that waits for a decision.' };
  const { returnNumber, reason } = open;
  const isOwn = (item: { returnNumber: string }) => item.returnNumber === returnNumber;
  const requested = order.returnItems!.filter(isOwn);
  const lines = withoutUnits(requested, missing);
  const isRefused = missing === Infinity;
  if (!isRefused && lines.length === 0)
    return { refused: 'The return has only one unit, so it cannot arrive in part.' };
  const received = isRefused
    ? requested.map(({ line }) => ({ line, received: 0, restocked: 0 }))
    : receivedUnits(requested, { lines, restock: withoutUnits(lines.toReversed(), missing) });
  const countsOf = (number: number) => received.find(({ line }) => line === number);
  const decided = requested.map((item) => ({ ...item, ...countsOf(item.line) }));
  const answer = {
    state: isRefused ? 'refused' : receivedState(decided),
    decidedAt: now.getTime(),
    decision: missing === 0 ? null : DECISIONS[isRefused ? 'refused' : 'partly'],
  } as const;
  const next = {
    ...order,
    returns: order.returns!.map((one) => (one === open ? { ...one, ...answer } : one)),
    returnItems: order.returnItems!.map((item) => (isOwn(item) ? { ...item, ...countsOf(item.line) } : item)),
    items: order.items.map((item) => ({
      ...item,
      returned: item.returned - unitsOf(requested, item.line) + (countsOf(item.line)?.received ?? 0),
    })),
  };
  if (isRefused || order.paymentStatus === 'refunded') return next;
  const refunded = applyChange(next, refundReturned({ number: returnNumber, reason }, lines), now);
  return 'refused' in refunded ? refunded : { ...next, ...refunded };
}

const DECISIONS = {
  refused: 'refused for a test',
  partly: 'One unit did not arrive, and one is damaged.',
};

/** The units without the first of them. */
function withoutUnits(units: readonly LineQuantity[], missing: number): LineQuantity[] {
  let left = missing;
  return units.flatMap(({ line, quantity }) => {
    const absent = Math.min(quantity, left);
    left -= absent;
    return quantity > absent ? [{ line, quantity: quantity - absent }] : [];
  });
}

/** Requests a return of all units that can come back. */
function requestReturn(order: StoreOrder, context: StepContext): StepChange {
  const lines = allUnits(order.items, 'returned');
  const status = formatOrderStatus(order.status);
  if (lines.length === 0) return { refused: `No unit of the order can be returned. The order is ${status}.` };
  return withReturn(order, { lines, reason: 'Test', note: null }, context);
}

/** The order with a return of these units. */
export function withReturn(
  { items, returns, returnItems }: StoreOrder,
  { lines, reason, note, storeReturnId = null }: NewReturn,
  { now, returnNumber }: StepContext,
): Pick<StoreOrder, 'items' | 'returns' | 'returnItems'> {
  const newReturn = {
    returnNumber,
    key: 'test',
    storeReturnId,
    state: 'requested',
    reason,
    note,
    actor: 'store',
    acceptedAt: null,
    sendTo: null,
    sendBy: null,
  } as const;
  const units = lines.map((line) => ({ returnNumber, ...line, received: null, restocked: 0 }));
  const unitsOfLine = (line: number) => lines.find((one) => one.line === line)?.quantity ?? 0;
  return {
    returns: [
      ...(returns ?? []),
      { ...newReturn, requestedAt: now.getTime(), decidedAt: null, decision: null },
    ],
    returnItems: [...(returnItems ?? []), ...units],
    items: items.map((item) => ({ ...item, returned: item.returned + unitsOfLine(item.line) })),
  };
}

type NewReturn = Pick<ReturnRequest, 'lines' | 'reason' | 'note'> & { storeReturnId?: string | null };
