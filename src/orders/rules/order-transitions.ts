export const ORDER_STATUSES = ['awaiting_payment', 'pending', 'shipped', 'delivered', 'cancelled'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const PAYMENT_STATUSES = ['unpaid', 'paid', 'refunded'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export type OrderAction = 'pay' | 'ship' | 'deliver' | 'cancel' | 'expire';

/** `release` gives back what the order holds; `take` removes it from what is held and from what is on hand. */
export type StockEffect = 'none' | 'release' | 'take';

export type OrderState = { status: OrderStatus; paymentStatus: PaymentStatus };

export type Transition = OrderState & { stock: StockEffect };

type Rule = {
  from: readonly OrderStatus[];
  to: OrderStatus;
  payment: 'keep' | 'collect' | 'refund';
  stock: StockEffect;
  done: string;
};

const RULES: Record<OrderAction, Rule> = {
  pay: { from: ['awaiting_payment'], to: 'pending', payment: 'collect', stock: 'none', done: 'paid' },
  ship: { from: ['pending'], to: 'shipped', payment: 'keep', stock: 'take', done: 'shipped' },
  deliver: { from: ['shipped'], to: 'delivered', payment: 'keep', stock: 'none', done: 'delivered' },
  cancel: {
    from: ['awaiting_payment', 'pending'],
    to: 'cancelled',
    payment: 'refund',
    stock: 'release',
    done: 'cancelled',
  },
  expire: { from: ['awaiting_payment'], to: 'cancelled', payment: 'keep', stock: 'release', done: 'expired' },
};

/** The state after the action and what it does to the stock, or the reason why it may not be done. */
export function transition(action: OrderAction, order: OrderState): Transition | { refused: string } {
  const rule = RULES[action];
  if (!rule.from.includes(order.status)) {
    return { refused: `An order that is ${order.status} cannot be ${rule.done}.` };
  }
  return {
    status: rule.to,
    paymentStatus: paymentAfter(rule.payment, order.paymentStatus),
    stock: rule.stock,
  };
}

function paymentAfter(effect: Rule['payment'], before: PaymentStatus): PaymentStatus {
  if (effect === 'collect') return 'paid';
  if (effect === 'refund' && before === 'paid') return 'refunded';
  return before;
}
