import type { StoreOrder } from '../../orders/records/order-view.js';
import { formatOrderStatus, type OrderAction, transition } from '../../orders/rules/order-transitions.js';
import { allUnits, type LineQuantity, refundOfUnits } from '../../orders/rules/order-units.js';
import { receivedState, type ReturnRequest } from '../../orders/rules/return-request.js';
import { minorFromNumeric, numericFromMinor } from '../../../platform/money/money.js';
import { CANCEL_REASONS } from '../../orders/cancel-reasons.js';

export const STEPS = [
  'paid',
  'shipped',
  'delivered',
  'cancelled',
  'expired',
  'return_requested',
  'return_received',
  'return_partly_received',
  'return_refused',
] as const;

/** The next event of a test order. */
export type NextStep = (typeof STEPS)[number];

interface StepContext {
  now: Date;
  returnNumber: string;
}

type StepChange = Partial<StoreOrder> | { refused: string };

/** The order after the step, or the reason for a refusal, by the rules of real orders. */
export function advanceOrder<Order extends StoreOrder>(
  order: Order,
  step: NextStep,
  context: StepContext,
): Order | { refused: string } {
  const change = STEP_CHANGES[step](order, context);
  return 'refused' in change ? change : { ...order, ...change };
}

const STEP_CHANGES: Record<NextStep, (order: StoreOrder, context: StepContext) => StepChange> = {
  paid: (order, context) => applyTransition('pay', order, context),
  shipped: (order, context) => applyTransition('ship', order, context, () => shippedParcel(order, context)),
  delivered: (order, context) =>
    applyTransition('deliver', order, context, () => ({
      parcels: order.parcels?.map((parcel) => ({ ...parcel, deliveredAt: context.now.getTime() })) ?? null,
    })),
  cancelled: (order, context) =>
    applyTransition('cancel', order, context, ({ isRefunded }) => ({
      cancelReason: CANCEL_REASONS.wholesaler,
      ...(isRefunded && fullRefund(order)),
    })),
  expired: (order, context) =>
    applyTransition('expire', order, context, () => ({ cancelReason: CANCEL_REASONS.expired })),
  return_requested: requestReturn,
  return_received: (order, context) => decideReturn(order, context, { missing: 0 }),
  return_partly_received: (order, context) => decideReturn(order, context, { missing: 1 }),
  return_refused: (order, context) => decideReturn(order, context, { missing: Infinity }),
};

/**
 * Decides the oldest open return. All but the missing units arrive and are refunded. If all are missing, it
 * is refused.
 */
function decideReturn(order: StoreOrder, { now }: StepContext, { missing }: { missing: number }): StepChange {
  const open = order.returns?.find(({ state }) => state === 'requested');
  if (!open) return { refused: 'The order has no return that waits for a decision.' };
  const { returnNumber, reason } = open;
  const isOwn = (item: { returnNumber: string }) => item.returnNumber === returnNumber;
  let left = missing;
  const units = order.returnItems!.filter(isOwn).map((item) => {
    const absent = Math.min(item.quantity, left);
    left -= absent;
    return { ...item, received: item.quantity - absent, restocked: item.quantity - absent };
  });
  const isRefused = missing === Infinity;
  const arrived = units.map(({ line, received }) => ({ line, quantity: received }));
  if (!isRefused && arrived.every(({ quantity }) => quantity === 0))
    return { refused: 'The return has only one unit, so it cannot arrive in part.' };
  const answer = {
    state: isRefused ? 'refused' : receivedState(units),
    decidedAt: now.getTime(),
    decision: isRefused ? 'refused for a test' : null,
  } as const;
  const items = order.items.map((item) => {
    const own = units.find(({ line }) => line === item.line);
    return { ...item, returned: item.returned - (own ? own.quantity - own.received : 0) };
  });
  const change = {
    returns: order.returns!.map((one) => (one === open ? { ...one, ...answer } : one)),
    returnItems: order.returnItems!.map((item) => units.find((own) => isSameUnit(own, item)) ?? item),
    items,
  };
  return isRefused
    ? change
    : { ...change, ...withRefund({ ...order, items }, arrived, { returnNumber, reason, now }) };
}

type ReturnItem = NonNullable<StoreOrder['returnItems']>[number];

const isSameUnit = (one: ReturnItem, other: ReturnItem) =>
  one.returnNumber === other.returnNumber && one.line === other.line;

/** The order after a refund of these units. */
function withRefund(
  order: StoreOrder,
  units: readonly LineQuantity[],
  { returnNumber, reason, now }: { returnNumber: string; reason: string; now: Date },
): Partial<StoreOrder> {
  const total = minorFromNumeric(order.total);
  const before = minorFromNumeric(order.refundedAmount);
  const lines = order.items.map((item) => ({ ...item, unitPrice: minorFromNumeric(item.unitPrice) }));
  const { amount, items } = refundOfUnits(lines, units, total - before);
  const refund = (order.refunds?.length ?? 0) + 1;
  const by = { kind: 'returned', takesBack: null, actor: 'test' } as const;
  return {
    refundedAmount: numericFromMinor(before + amount),
    ...(before + amount === total && { paymentStatus: 'refunded' }),
    items: order.items.map((item) => {
      const own = items.find(({ line }) => line === item.line);
      return { ...item, refunded: item.refunded + (own?.refunded ?? 0) };
    }),
    refunds: [
      ...(order.refunds ?? []),
      { ...by, refund, amount: numericFromMinor(amount), reason, returnNumber, refundedAt: now.getTime() },
    ],
    refundItems: [
      ...(order.refundItems ?? []),
      ...items.map((item) => ({ ...item, refund, cancelled: 0, amount: numericFromMinor(item.amount) })),
    ],
  };
}

function applyTransition(
  action: OrderAction,
  order: StoreOrder,
  { now }: StepContext,
  furtherChanges?: (next: { isRefunded: boolean }) => Partial<StoreOrder>,
): StepChange {
  const next = transition(action, order);
  if ('refused' in next) return next;
  const { status, paymentStatus, money } = next;
  return {
    status,
    paymentStatus,
    timeline: [...order.timeline, { status, changedAt: now.getTime() }],
    ...furtherChanges?.({ isRefunded: money === 'refund' }),
  };
}

/** Ships all units in one parcel. */
function shippedParcel({ orderNumber, items }: StoreOrder, { now }: StepContext): Partial<StoreOrder> {
  const trackingNumber = orderNumber.replaceAll('-', '');
  const facts = {
    courier: 'Test courier',
    trackingNumber,
    trackingUrl: `https://courier.example/track/${trackingNumber}`,
  };
  return {
    ...facts,
    shippedAt: now,
    parcels: [
      {
        ...facts,
        parcel: 1,
        shippedAt: now.getTime(),
        deliveredAt: null,
        exception: null,
        noInvoice: null,
      },
    ],
    parcelItems: allUnits(items, 'shipped').map((units) => ({ ...units, parcel: 1 })),
    items: items.map((item) => ({ ...item, shipped: item.quantity })),
  };
}

/** Refunds as when the wholesaler cancels a paid order. */
function fullRefund({ total, items }: StoreOrder): Partial<StoreOrder> {
  return { refundedAmount: total, items: items.map((item) => ({ ...item, refunded: item.quantity })) };
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
    storeReturnId,
    state: 'requested',
    reason,
    note,
    actor: 'store',
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
