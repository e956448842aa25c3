import {
  correctionRefusal,
  groupOf,
  isPayable,
  ORDER_STATUSES,
  type OrderState,
  type OrderStatus,
  redirectRefusal,
  transition,
  type TransitionName,
  unchanged,
} from './order-transitions.js';

type State = [OrderState['status'], OrderState['paymentStatus']];
const stateOf = ([status, paymentStatus]: State): OrderState => ({ status, paymentStatus });

describe('A transition', () => {
  it('may leave the state', () => {
    const state = { status: 'shipped', paymentStatus: 'paid' } as const;
    expect(unchanged({ ...state, shippedAt: null } as OrderState)).toEqual({ ...state, stock: 'none' });
  });

  it.each<[TransitionName, State, State, string]>([
    ['pay', ['awaiting_payment', 'unpaid'], ['pending', 'paid'], 'none'],
    ['ship', ['pending', 'paid'], ['shipped', 'paid'], 'take'],
    ['deliver', ['shipped', 'paid'], ['delivered', 'paid'], 'none'],
    ['cancel', ['awaiting_payment', 'unpaid'], ['cancelled', 'unpaid'], 'release'],
    ['cancel', ['pending', 'paid'], ['cancelled', 'refunded'], 'release'],
    ['expire', ['awaiting_payment', 'unpaid'], ['cancelled', 'unpaid'], 'release'],
  ])('%s makes an order that is %j %j; stock: %s', (action, before, after, stock) => {
    expect(transition(action, stateOf(before))).toEqual({ ...stateOf(after), stock });
  });

  it.each<[TransitionName, string, OrderStatus[]]>([
    ['pay', 'paid', ['awaiting_payment']],
    ['ship', 'shipped', ['pending']],
    ['deliver', 'delivered', ['shipped']],
    ['cancel', 'cancelled', ['awaiting_payment', 'pending']],
    ['expire', 'expired', ['awaiting_payment']],
  ])('%s is refused, because an order "cannot be %s", unless it is one of %j', (action, done, possible) => {
    for (const status of ORDER_STATUSES) {
      const refused = `An order that is ${status.replace('_', ' ')} cannot be ${done}.`;
      const step = transition(action, { status, paymentStatus: 'paid' });
      if (possible.includes(status)) expect(step).not.toHaveProperty('refused');
      else expect(step).toEqual({ refused });
    }
  });
});

const SETTLED = 'The address of an order that is shipped cannot be changed.';

it('A correction of the delivery is possible before shipment', () => {
  const possible = ORDER_STATUSES.filter((status) => correctionRefusal(status) === undefined);
  expect(possible).toEqual(['awaiting_payment', 'pending']);
  expect(correctionRefusal('shipped')).toBe(SETTLED);
});

describe('A client', () => {
  it.each<[Partial<Parameters<typeof redirectRefusal>[0]>, string | undefined]>([
    [{}, undefined],
    [{ status: 'awaiting_payment' }, undefined],
    [{ preparedParcel: null }, undefined],
    [{ packingList: 7 }, 'The order is being packed.'],
    [{ preparedParcel: 2 }, 'The invoice of parcel 2 is issued, with the present address.'],
    [{ shippedAt: new Date(0) }, 'A part of the order has left already.'],
    [{ status: 'shipped' }, SETTLED],
    [{ status: 'shipped', packingList: 7, shippedAt: new Date(0) }, SETTLED],
  ])('may change the delivery of a pending order with %j, or not: %s', (order, refused) => {
    const facts = { status: 'pending', packingList: null, shippedAt: null, ...order } as const;
    expect(redirectRefusal(facts)).toBe(refused);
  });
});

describe('The group of an order', () => {
  const facts = (status: OrderStatus, openPayment: string | null = null) => ({
    status,
    openPayment,
    goodsState: null,
  });

  it.each<[OrderStatus, string | null, 'lost' | null, string]>([
    ['awaiting_payment', null, null, 'to_pay'],
    ['awaiting_payment', 'an id', null, 'processing'],
    ['pending', null, null, 'paid'],
    ['pending', 'an id', null, 'paid'],
    ['pending', null, 'lost', 'paid'],
    ['shipped', null, null, 'shipped'],
    ['shipped', null, 'lost', 'not_arriving'],
    ['delivered', null, null, 'delivered'],
    ['cancelled', null, null, 'cancelled'],
  ])('follows from its next action: %s, open payment %s, goods %s', (status, payment, goodsState, group) => {
    expect(groupOf({ ...facts(status, payment), goodsState })).toBe(group);
  });

  it('is payable if it awaits payment without an open payment', () => {
    expect(isPayable(facts('awaiting_payment'))).toBe(true);
    expect(isPayable(facts('awaiting_payment', 'an id'))).toBe(false);
    expect(isPayable(facts('pending'))).toBe(false);
  });
});
