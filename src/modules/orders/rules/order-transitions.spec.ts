import {
  correctionRefusal,
  groupOf,
  isPayable,
  ORDER_STATUSES,
  type OrderAction,
  type OrderState,
  type OrderStatus,
  redirectRefusal,
  transition,
} from './order-transitions.js';

const AWAITING: OrderState = { status: 'awaiting_payment', paymentStatus: 'unpaid' };
const PENDING: OrderState = { status: 'pending', paymentStatus: 'paid' };
const SHIPPED: OrderState = { status: 'shipped', paymentStatus: 'paid' };

const ALLOWED: Record<OrderAction, OrderStatus[]> = {
  pay: ['awaiting_payment'],
  ship: ['pending'],
  deliver: ['shipped'],
  cancel: ['awaiting_payment', 'pending'],
  expire: ['awaiting_payment'],
};

const EVERY_PAIR = Object.entries(ALLOWED).flatMap(([action, from]) =>
  ORDER_STATUSES.map((status) => [action as OrderAction, status, from.includes(status)] as const),
);

describe('transition', () => {
  it('makes a paid order pending and keeps its stock held', () => {
    expect(transition('pay', AWAITING)).toEqual({
      status: 'pending',
      paymentStatus: 'paid',
      stock: 'none',
      money: 'collect',
    });
  });

  it('takes the stock of a shipped order', () => {
    expect(transition('ship', PENDING)).toEqual({
      status: 'shipped',
      paymentStatus: 'paid',
      stock: 'take',
      money: 'none',
    });
  });

  it('keeps the stock of a delivered order', () => {
    expect(transition('deliver', SHIPPED)).toEqual({
      status: 'delivered',
      paymentStatus: 'paid',
      stock: 'none',
      money: 'none',
    });
  });

  it('releases the stock of a cancelled unpaid order without a refund', () => {
    expect(transition('cancel', AWAITING)).toEqual({
      status: 'cancelled',
      paymentStatus: 'unpaid',
      stock: 'release',
      money: 'none',
    });
  });

  it('refunds a cancelled paid order', () => {
    expect(transition('cancel', PENDING)).toEqual({
      status: 'cancelled',
      paymentStatus: 'refunded',
      stock: 'release',
      money: 'refund',
    });
  });

  it('releases the stock of an expired order', () => {
    expect(transition('expire', AWAITING)).toEqual({
      status: 'cancelled',
      paymentStatus: 'unpaid',
      stock: 'release',
      money: 'none',
    });
  });

  it('explains a refusal', () => {
    expect(transition('ship', AWAITING)).toEqual({
      refused: 'An order that is awaiting payment cannot be shipped.',
    });
  });

  it.each(EVERY_PAIR)('decides whether to %s an order that is %s: %s', (action, status, allowed) => {
    expect('refused' in transition(action, { status, paymentStatus: 'paid' })).toBe(!allowed);
  });

  it.each([
    ['pay', 'paid'],
    ['ship', 'shipped'],
    ['deliver', 'delivered'],
    ['cancel', 'cancelled'],
    ['expire', 'expired'],
  ] as const)('explains that %s is impossible with the words "cannot be %s"', (action, done) => {
    expect(transition(action, { status: 'cancelled', paymentStatus: 'unpaid' })).toEqual({
      refused: `An order that is cancelled cannot be ${done}.`,
    });
  });
});

describe('A correction of the delivery', () => {
  it('is possible before shipment', () => {
    const possible = ORDER_STATUSES.filter((status) => correctionRefusal(status) === undefined);
    expect(possible).toEqual(['awaiting_payment', 'pending']);
  });

  it('is refused with a reason', () => {
    expect(correctionRefusal('shipped')).toBe('The address of an order that is shipped cannot be changed.');
  });
});

describe('redirectRefusal', () => {
  const order = { status: 'pending', packingList: null, shippedAt: null } as const;

  it('lets a client change the delivery until the order is packed or a part has left', () => {
    expect(redirectRefusal(order)).toBeUndefined();
    expect(redirectRefusal({ ...order, status: 'awaiting_payment' })).toBeUndefined();
    expect(redirectRefusal({ ...order, packingList: 7 })).toBe('The order is being packed.');
    expect(redirectRefusal({ ...order, preparedParcel: null })).toBeUndefined();
    expect(redirectRefusal({ ...order, preparedParcel: 2 })).toBe(
      'The invoice of parcel 2 is issued, with the present address.',
    );
    expect(redirectRefusal({ ...order, shippedAt: new Date(0) })).toBe(
      'A part of the order has left already.',
    );
  });

  it('tells the status first', () => {
    const settled = 'The address of an order that is shipped cannot be changed.';
    expect(redirectRefusal({ ...order, status: 'shipped' })).toBe(settled);
    expect(redirectRefusal({ status: 'shipped', packingList: 7, shippedAt: new Date(0) })).toBe(settled);
  });
});

describe('groupOf', () => {
  it('groups orders by the next action', () => {
    const groups = (openPayment: string | null) =>
      ORDER_STATUSES.map((status) => [status, groupOf({ status, openPayment })]);
    const others = { pending: 'paid', shipped: 'shipped', delivered: 'delivered', cancelled: 'cancelled' };
    expect(Object.fromEntries(groups(null))).toEqual({ awaiting_payment: 'to_pay', ...others });
    expect(Object.fromEntries(groups('an id'))).toEqual({ awaiting_payment: 'processing', ...others });
  });
});

describe('isPayable', () => {
  it('is true for an order that awaits payment without an open payment', () => {
    expect(isPayable({ status: 'awaiting_payment', openPayment: null })).toBe(true);
    expect(isPayable({ status: 'awaiting_payment', openPayment: 'an id' })).toBe(false);
    expect(isPayable({ status: 'pending', openPayment: null })).toBe(false);
  });
});
