import type { GoodsState } from './goods-state.js';

export const ORDER_STATUSES = ['awaiting_payment', 'pending', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** For people: "awaiting payment". */
export const formatOrderStatus = (status: OrderStatus): string => status.replace('_', ' ');

export const PAYMENT_STATUSES = ['unpaid', 'paid', 'refunded'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export type TransitionName = 'pay' | 'ship' | 'deliver' | 'cancel' | 'expire';

/** `release` frees the held stock; `take` removes it from held and from on hand; `putBack` undoes that. */
type StockEffect = 'none' | 'release' | 'take' | 'putBack';

export type OrderState = { status: OrderStatus; paymentStatus: PaymentStatus };

export type Transition = OrderState & { stock: StockEffect };

type Rule = {
  from: readonly OrderStatus[];
  to: OrderStatus;
  /** Paid money goes back only if there was some. */
  payment?: Exclude<PaymentStatus, 'unpaid'>;
  stock: StockEffect;
  done: string;
};

const RULES: Record<TransitionName, Rule> = {
  pay: { from: ['awaiting_payment'], to: 'pending', payment: 'paid', stock: 'none', done: 'paid' },
  ship: { from: ['pending'], to: 'shipped', stock: 'take', done: 'shipped' },
  deliver: { from: ['shipped'], to: 'delivered', stock: 'none', done: 'delivered' },
  cancel: {
    from: ['awaiting_payment', 'pending'],
    to: 'cancelled',
    payment: 'refunded',
    stock: 'release',
    done: 'cancelled',
  },
  expire: { from: ['awaiting_payment'], to: 'cancelled', stock: 'release', done: 'expired' },
};

/** The state and effects of an action, or the reason for a refusal. */
export function transition(
  action: TransitionName,
  { status, paymentStatus }: OrderState,
): Transition | { refused: string } {
  const { from, to, payment = paymentStatus, stock, done } = RULES[action];
  if (!from.includes(status)) {
    return { refused: `An order that is ${formatOrderStatus(status)} cannot be ${done}.` };
  }
  const isUnpaid = payment === 'refunded' && paymentStatus !== 'paid';
  return { status: to, paymentStatus: isUnpaid ? paymentStatus : payment, stock };
}

/** The order keeps its state. */
export const unchanged = ({ status, paymentStatus }: OrderState): Transition => ({
  status,
  paymentStatus,
  stock: 'none',
});

/** The reason why the delivery cannot be corrected now, if any. */
export function correctionRefusal(status: OrderStatus): string | undefined {
  const isOpen = status === 'awaiting_payment' || status === 'pending';
  return isOpen ? undefined : `The address of an order that is ${status} cannot be changed.`;
}

/** The invoice of the next parcel has the address. */
export function invoicedRefusal(preparedParcel: number | null): string | undefined {
  if (preparedParcel === null) return undefined;
  return `The invoice of parcel ${preparedParcel} is issued, with the present address.`;
}

/** The reason why its client cannot change the delivery now, if any. */
export function redirectRefusal(order: {
  status: OrderStatus;
  packingList: number | null;
  shippedAt: Date | null;
  preparedParcel?: number | null;
}): string | undefined {
  const refusal = correctionRefusal(order.status);
  if (order.shippedAt !== null) return refusal ?? 'A part of the order has left already.';
  if (order.packingList !== null) return refusal ?? 'The order is being packed.';
  return refusal ?? invoicedRefusal(order.preparedParcel ?? null);
}

/** Groups of orders on a client's pages, by the next action. */
export const ORDER_GROUPS = [
  'to_pay',
  'processing',
  'paid',
  'shipped',
  'not_arriving',
  'delivered',
  'cancelled',
] as const;
export type OrderGroup = (typeof ORDER_GROUPS)[number];

interface TransitionGroup {
  status: OrderStatus;
  /** The id of its open payment, besides which it must not be paid. */
  openPayment: string | null;
  goodsState: GoodsState | null;
}

/** The list of a client has the same groups in SQL. */
export function groupOf({ status, openPayment, goodsState }: TransitionGroup): OrderGroup {
  if (status === 'awaiting_payment') return openPayment === null ? 'to_pay' : 'processing';
  if (status === 'shipped' && goodsState !== null) return 'not_arriving';
  return status === 'pending' ? 'paid' : status;
}

export function isPayable(order: TransitionGroup): boolean {
  return groupOf(order) === 'to_pay';
}
