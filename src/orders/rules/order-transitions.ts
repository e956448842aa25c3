export const ORDER_STATUSES = ['awaiting_payment', 'pending', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = ['unpaid', 'paid', 'refunded'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export type OrderAction = 'pay' | 'ship' | 'deliver' | 'cancel' | 'expire';

/** `release` gives back what the order holds; `take` removes it from what is held and from what is on hand. */
export type StockEffect = 'none' | 'release' | 'take';

export type OrderState = { status: OrderStatus; paymentStatus: PaymentStatus };

/** `collect` takes what the order costs from its client's wallet, `refund` gives it back. */
export type MoneyEffect = 'none' | 'collect' | 'refund';

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

/** The state after the action and what it does to the stock, or the reason why it may not be done. */
export function transition(action: OrderAction, order: OrderState): Transition | { refused: string } {
  const rule = RULES[action];
  if (!rule.from.includes(order.status)) {
    return { refused: `An order that is ${order.status} cannot be ${rule.done}.` };
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
