import type { StoreOrder } from '../../orders/records/order-view.js';
import { type OrderAction, transition } from '../../orders/rules/order-transitions.js';
import { allUnits } from '../../orders/rules/order-units.js';
import type { ReturnRequest } from '../../orders/rules/return-request.js';

export const STEPS = [
  'paid',
  'shipped',
  'delivered',
  'cancelled',
  'expired',
  'return_requested',
  'return_refused',
] as const;

/** What happens next to a test order. */
export type NextStep = (typeof STEPS)[number];

interface Moment {
  now: Date;
  returnNumber: string;
}

type Change = Partial<StoreOrder> | { refused: string };

/** The order after the step, or the reason for a refusal, by the rules of real orders. */
export function advanced<Order extends StoreOrder>(
  order: Order,
  step: NextStep,
  moment: Moment,
): Order | { refused: string } {
  const change = CHANGES[step](order, moment);
  return 'refused' in change ? change : { ...order, ...change };
}

const CHANGES: Record<NextStep, (order: StoreOrder, moment: Moment) => Change> = {
  paid: (order, moment) => moved('pay', order, moment),
  shipped: (order, moment) => moved('ship', order, moment, () => shipped(order, moment)),
  delivered: (order, moment) =>
    moved('deliver', order, moment, () => ({
      parcels: order.parcels?.map((parcel) => ({ ...parcel, deliveredAt: moment.now.getTime() })) ?? null,
    })),
  cancelled: (order, moment) =>
    moved('cancel', order, moment, ({ isRefunded }) => ({
      cancelReason: 'cancelled by the wholesaler',
      ...(isRefunded && refunded(order)),
    })),
  expired: (order, moment) => moved('expire', order, moment, () => ({ cancelReason: 'expired' })),
  return_requested: requested,
  return_refused: (order, { now }) => {
    const open = order.returns?.find(({ state }) => state === 'requested');
    if (!open) return { refused: 'The order has no return that waits for a decision.' };
    const decided = { state: 'refused', decidedAt: now.getTime(), decision: 'refused for a test' } as const;
    return {
      returns: order.returns!.map((one) => (one === open ? { ...one, ...decided } : one)),
      items: order.items.map((item) => ({
        ...item,
        returned: item.returned - unitsOf(order, open.returnNumber, item.line),
      })),
    };
  },
};

function moved(
  action: OrderAction,
  order: StoreOrder,
  { now }: Moment,
  more?: (next: { isRefunded: boolean }) => Partial<StoreOrder>,
): Change {
  const next = transition(action, order);
  if ('refused' in next) return next;
  const { status, paymentStatus, money } = next;
  return {
    status,
    paymentStatus,
    timeline: [...order.timeline, { status, changedAt: now.getTime() }],
    ...more?.({ isRefunded: money === 'refund' }),
  };
}

/** All in one parcel. */
function shipped({ orderNumber, items }: StoreOrder, { now }: Moment): Partial<StoreOrder> {
  const trackingNumber = orderNumber.replaceAll('-', '');
  const facts = {
    courier: 'Test courier',
    trackingNumber,
    trackingUrl: `https://courier.example/track/${trackingNumber}`,
  };
  return {
    ...facts,
    shippedAt: now,
    parcels: [{ ...facts, parcel: 1, shippedAt: now.getTime(), deliveredAt: null }],
    parcelItems: allUnits(items, 'shipped').map((units) => ({ ...units, parcel: 1 })),
    items: items.map((item) => ({ ...item, shipped: item.quantity })),
  };
}

/** As when the wholesaler cancels a paid order. */
function refunded({ total, items }: StoreOrder): Partial<StoreOrder> {
  return { refundedAmount: total, items: items.map((item) => ({ ...item, refunded: item.quantity })) };
}

/** All units that can come back. */
function requested(order: StoreOrder, moment: Moment): Change {
  const lines = allUnits(order.items, 'returned');
  if (lines.length === 0)
    return { refused: `No unit of the order can be returned. The order is ${order.status}.` };
  return withReturn(order, { lines, reason: 'Test', note: null }, moment);
}

/** The order with a return of these units. */
export function withReturn(
  { items, returns, returnItems }: StoreOrder,
  { lines, reason, note, storeReturnId = null }: ReturnGiven,
  { now, returnNumber }: Moment,
): Pick<StoreOrder, 'items' | 'returns' | 'returnItems'> {
  const asked = { returnNumber, storeReturnId, state: 'requested', reason, note, actor: 'store' } as const;
  const units = lines.map((line) => ({ returnNumber, ...line, received: null, restocked: 0 }));
  const unitsOfLine = (line: number) => lines.find((one) => one.line === line)?.quantity ?? 0;
  return {
    returns: [...(returns ?? []), { ...asked, requestedAt: now.getTime(), decidedAt: null, decision: null }],
    returnItems: [...(returnItems ?? []), ...units],
    items: items.map((item) => ({ ...item, returned: item.returned + unitsOfLine(item.line) })),
  };
}

type ReturnGiven = Pick<ReturnRequest, 'lines' | 'reason' | 'note'> & { storeReturnId?: string | null };

function unitsOf({ returnItems }: StoreOrder, number: string, line: number): number {
  const own = returnItems?.find((item) => item.returnNumber === number && item.line === line);
  return own?.quantity ?? 0;
}
