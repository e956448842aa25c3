export const ORDER_STATUSES = ['awaiting_payment', 'pending', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** For people: "awaiting payment". */
export const formatOrderStatus = (status: OrderStatus): string => status.replace('_', ' ');

export const PAYMENT_STATUSES = ['unpaid', 'paid', 'refunded'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export type OrderAction = 'pay' | 'ship' | 'deliver' | 'cancel' | 'expire';

/** `release` frees the held stock; `take` removes it from held and from on hand; `putBack` undoes that. */
type StockEffect = 'none' | 'release' | 'take' | 'putBack';

export type OrderState = { status: OrderStatus; paymentStatus: PaymentStatus };

/** `collect` takes the total from the client's wallet; `refund` returns it. */
type MoneyEffect = 'none' | 'collect' | 'refund';

export type Transition = OrderState & { stock: StockEffect; money: MoneyEffect };

type Rule = {
  from: readonly OrderStatus[];
  to: OrderStatus;
  money: MoneyEffect;
  stock: StockEffect;
  done: string;
};

const RULES: Record<OrderAction, Rule> = {
  pay: { from: ['awaiting_payment'], to: 'pending', money: 'collect', stock: 'none', done: 'paid' },
  ship: { from: ['pending'], to: 'shipped', money: 'none', stock: 'take', done: 'shipped' },
  deliver: { from: ['shipped'], to: 'delivered', money: 'none', stock: 'none', done: 'delivered' },
  cancel: {
    from: ['awaiting_payment', 'pending'],
    to: 'cancelled',
    money: 'refund',
    stock: 'release',
    done: 'cancelled',
  },
  expire: { from: ['awaiting_payment'], to: 'cancelled', money: 'none', stock: 'release', done: 'expired' },
};

/** The state and effects of an action, or the reason for a refusal. */
export function transition(action: OrderAction, order: OrderState): Transition | { refused: string } {
  const rule = RULES[action];
  if (!rule.from.includes(order.status)) {
    return { refused: `An order that is ${formatOrderStatus(order.status)} cannot be ${rule.done}.` };
  }
  const money = rule.money === 'refund' && order.paymentStatus !== 'paid' ? 'none' : rule.money;
  return {
    status: rule.to,
    paymentStatus: PAYMENT_AFTER[money] ?? order.paymentStatus,
    stock: rule.stock,
    money,
  };
}

const PAYMENT_AFTER: Partial<Record<MoneyEffect, PaymentStatus>> = { collect: 'paid', refund: 'refunded' };

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
export const ORDER_GROUPS = ['to_pay', 'processing', 'paid', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderGroup = (typeof ORDER_GROUPS)[number];

interface TransitionGroup {
  status: OrderStatus;
  /** The id of its open payment, besides which it must not be paid. */
  openPayment: string | null;
}

export function groupOf({ status, openPayment }: TransitionGroup): OrderGroup {
  if (status === 'awaiting_payment') return openPayment === null ? 'to_pay' : 'processing';
  return status === 'pending' ? 'paid' : status;
}

export function isPayable(order: TransitionGroup): boolean {
  return groupOf(order) === 'to_pay';
}
