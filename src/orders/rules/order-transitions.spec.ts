import {
  correctable,
  groupOf,
  isPayable,
  ORDER_STATUSES,
  type OrderAction,
  type OrderState,
  type OrderStatus,
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
  it('makes a paid order pending and leaves its stock held', () => {
    expect(transition('pay', AWAITING)).toEqual({
      status: 'pending',
      paymentStatus: 'paid',
      stock: 'none',
      money: 'collect',
    });
  });

  it('takes the stock of an order that is shipped', () => {
    expect(transition('ship', PENDING)).toEqual({
      status: 'shipped',
      paymentStatus: 'paid',
      stock: 'take',
      money: 'none',
    });
  });

  it('leaves the stock alone when a shipped order is delivered', () => {
    expect(transition('deliver', SHIPPED)).toEqual({
      status: 'delivered',
      paymentStatus: 'paid',
      stock: 'none',
      money: 'none',
    });
  });

  it('gives the stock of a cancelled unpaid order back and refunds nothing', () => {
    expect(transition('cancel', AWAITING)).toEqual({
      status: 'cancelled',
      paymentStatus: 'unpaid',
      stock: 'release',
      money: 'none',
    });
  });

  it('refunds a paid order that is cancelled', () => {
    expect(transition('cancel', PENDING)).toEqual({
      status: 'cancelled',
      paymentStatus: 'refunded',
      stock: 'release',
      money: 'refund',
    });
  });

  it('gives the stock of an expired order back', () => {
    expect(transition('expire', AWAITING)).toEqual({
      status: 'cancelled',
      paymentStatus: 'unpaid',
      stock: 'release',
      money: 'none',
    });
  });

  it('says why it refuses', () => {
    expect(transition('ship', AWAITING)).toEqual({
      refused: 'An order that is awaiting_payment cannot be shipped.',
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
  ] as const)('says in words that what cannot be done by %s cannot be %s', (action, done) => {
    expect(transition(action, { status: 'cancelled', paymentStatus: 'unpaid' })).toEqual({
      refused: `An order that is cancelled cannot be ${done}.`,
    });
  });
});

const possible = (what: 'shipment' | 'delivery') =>
  ORDER_STATUSES.filter((status) => correctable(what, status) === undefined);

describe('What can be corrected', () => {
  it('is a shipment once there is one, and an address for as long as the parcel is here', () => {
    expect(possible('shipment')).toEqual(['shipped', 'delivered']);
    expect(possible('delivery')).toEqual(['awaiting_payment', 'pending']);
  });

  it('is told why not', () => {
    expect(correctable('shipment', 'pending')).toBe('An order that is pending has no shipment to correct.');
    expect(correctable('delivery', 'shipped')).toBe(
      'The address of an order that is shipped cannot be changed.',
    );
  });
});

describe('groupOf', () => {
  it('tells orders apart by what is to be done about them', () => {
    const groups = (isProcessing: boolean) =>
      ORDER_STATUSES.map((status) => [status, groupOf({ status, isProcessing })]);
    const others = { pending: 'paid', shipped: 'shipped', delivered: 'delivered', cancelled: 'cancelled' };
    expect(Object.fromEntries(groups(false))).toEqual({ awaiting_payment: 'to_pay', ...others });
    expect(Object.fromEntries(groups(true))).toEqual({ awaiting_payment: 'processing', ...others });
  });
});

describe('isPayable', () => {
  it('is an order that awaits a payment of which none is on its way', () => {
    expect(isPayable({ status: 'awaiting_payment', isProcessing: false })).toBe(true);
    expect(isPayable({ status: 'awaiting_payment', isProcessing: true })).toBe(false);
    expect(isPayable({ status: 'pending', isProcessing: false })).toBe(false);
  });
});
