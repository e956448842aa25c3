import { orderLine } from '../../../../test/support/line-units.js';
import type { LineUnits } from './order-units.js';
import { formatParcel, isUndoneShipment, undoStep, unpayStep } from './undo-steps.js';
import type { ParcelFacts, UndoAction } from './undo-steps.js';

const parcel = (number: number, quantity: number, given: Partial<ParcelFacts> = {}): ParcelFacts => ({
  parcel: number,
  courier: 'Delhivery',
  trackingNumber: `DL${number}`,
  deliveredAt: null,
  exception: null,
  lines: quantity === 0 ? [] : [{ line: 1, quantity }],
  ...given,
});
const ARRIVED = { deliveredAt: new Date('2026-11-20T10:00:00Z') };
const LOST = { exception: 'lost' } as const;

const shipped = (count: number, done: Partial<LineUnits> = {}) =>
  orderLine(1, 9, { shipped: count, ...done });
const OTHER_LINE = orderLine(2, 9, { shipped: 9 });

/** Undoes a step of a shipped order, of whose line 1 five units left. */
function undo(
  action: UndoAction,
  parcels: ParcelFacts[],
  {
    line = shipped(5),
    number,
    ...order
  }: { line?: LineUnits; number?: number } & Partial<Parameters<typeof undoStep>[0]> = {},
) {
  const state = { status: 'shipped', paymentStatus: 'paid', ...order } as const;
  return undoStep(state, [OTHER_LINE, line], parcels, { action, parcel: number });
}

const SAME = { status: 'shipped', paymentStatus: 'paid', stock: 'none' };

describe('Undoing a shipment', () => {
  const BOTH = [parcel(1, 3), parcel(2, 2)];
  const SECOND_LOST = [parcel(1, 3), parcel(2, 2, LOST)];
  const PUT_BACK = { status: 'pending', stock: 'putBack' };

  it.each([undefined, 2])('puts the units of the newest one back (%s)', (number) => {
    const units = [{ line: 1, quantity: 2 }];
    expect(undo('withdraw', BOTH, { number })).toEqual({ ...SAME, ...PUT_BACK, units });
  });

  const REFUNDED = 'Its goods are refunded, and could be shipped again. Take the refund back first.';
  const IN_BOTH_LINES = [
    { line: 2, quantity: 1 },
    { line: 1, quantity: 2 },
  ];
  const PREPARED = [parcel(1, 3), parcel(2, 2, { isPrepared: true })];
  const NOT_NEWEST = 'Only the newest shipment can be undone: parcel 2.';
  const DELIVERED = 'Parcel 1 was delivered. Take back the delivery first.';
  const CAME_BACK = 'Units of line 1 came back, or are expected back.';

  it.each<[string, ParcelFacts[], Parameters<typeof undo>[2]]>([
    [REFUNDED, SECOND_LOST, { paymentStatus: 'refunded' }],
    [REFUNDED, SECOND_LOST, { line: shipped(5, { refunded: 1 }) }],
    [
      REFUNDED,
      [parcel(1, 3), parcel(2, 2, { ...LOST, lines: IN_BOTH_LINES })],
      { line: shipped(5, { refunded: 1 }) },
    ],
    [NOT_NEWEST, BOTH, { number: 1 }],
    [NOT_NEWEST, PREPARED, { number: 1 }],
    ['The order has no parcel 3.', BOTH, { number: 3 }],
    ['The order has no parcel.', [], {}],
    [DELIVERED, [parcel(1, 5, ARRIVED)], {}],
    [CAME_BACK, [parcel(1, 5)], { line: shipped(5, { returned: 1 }) }],
    [CAME_BACK, BOTH, { line: shipped(5, { returned: 4 }) }],
  ])('is refused: %s', (refused, parcels, given) => {
    expect(undo('withdraw', parcels, given)).toEqual({ refused });
  });

  it.each<[string, ParcelFacts[], Parameters<typeof undo>[2]]>([
    ['refunded goods, not lost', BOTH, { paymentStatus: 'refunded', line: shipped(5, { refunded: 1 }) }],
    ['lost goods that are not refunded', SECOND_LOST, {}],
    ['lost goods beside cancelled ones', SECOND_LOST, { line: shipped(5, { refunded: 1, cancelled: 1 }) }],
    ['goods beside returned ones', BOTH, { line: shipped(5, { returned: 3 }) }],
  ])('is possible for %s', (_, parcels, given) => {
    expect(undo('withdraw', parcels, given)).toMatchObject(PUT_BACK);
  });

  it('moves nothing if the goods of the newest one are still here', () => {
    expect(undo('withdraw', PREPARED, { status: 'pending' })).toEqual({ ...SAME, status: 'pending' });
  });

  it.each([
    ['on its way', 'shipped', 'shipped', [parcel(1, 3, ARRIVED), parcel(2, 2), parcel(3, 0)]],
    ['delivered', 'shipped', 'delivered', [parcel(1, 5, ARRIVED), parcel(2, 0)]],
    ['without a parcel', 'shipped', 'shipped', [parcel(1, 0)]],
    ['to ship', 'pending', 'pending', [parcel(1, 3, ARRIVED), parcel(2, 0)]],
  ] as const)('leaves an order %s when a box without units goes', (_, before, status, parcels) => {
    expect(undo('withdraw', [...parcels], { status: before })).toEqual({ ...SAME, status });
  });

  it.each([
    [true, { parcel_2: 'BlueDart BD2, 2 of line 1' }],
    [false, { parcel_2: 'invoiced, 2 of line 1' }],
    [false, { parcel_2_delivered_at: '2026-11-20T00:00:00.000Z' }],
    [false, { tracking_number: null }],
    [true, { tracking_number: null, parcel_12: 'BlueDart BD2' }],
    [false, { from_parcel_2: 'BlueDart BD2' }],
  ])('is recognized in the history: %s for %j', (isExpected, before) => {
    expect(isUndoneShipment(before)).toBe(isExpected);
  });
});

describe('Taking back a delivery', () => {
  it.each([
    ['delivered', 'shipped'],
    ['pending', 'pending'],
  ] as const)('makes an order that is %s %s', (status, after) => {
    expect(undo('undeliver', [parcel(1, 5, ARRIVED)], { status })).toEqual({ ...SAME, status: after });
  });

  const BY_RTO = [parcel(1, 4, { exception: 'returned' }), parcel(2, 5, ARRIVED)];
  const HAD_ARRIVED = 'Goods of the order came back, or are expected back, so they had arrived.';

  it.each<[string, ParcelFacts[], LineUnits]>([
    ['Parcel 1 was not delivered.', [parcel(1, 5)], shipped(5)],
    [HAD_ARRIVED, [parcel(1, 5, ARRIVED)], shipped(5, { returned: 1 })],
    [HAD_ARRIVED, BY_RTO, shipped(9, { returned: 5 })],
    [HAD_ARRIVED, BY_RTO, orderLine(3, 1, { shipped: 1, returned: 1 })],
    [HAD_ARRIVED, [parcel(1, 4, LOST), parcel(2, 5, ARRIVED)], shipped(9, { returned: 4 })],
  ])('is refused: %s', (refused, parcels, line) => {
    expect(undo('undeliver', parcels, { line })).toEqual({ refused });
  });

  it('does not count goods that came back by RTO as arrived', () => {
    expect(undo('undeliver', BY_RTO, { line: shipped(9, { returned: 4 }) })).toEqual(SAME);
  });
});

it('An invoice is issued again, even after its goods arrived and came back', () => {
  const order = { status: 'delivered', line: shipped(5, { returned: 5 }) } as const;
  expect(undo('reissue', [parcel(1, 5, ARRIVED)], order)).toEqual({ ...SAME, status: 'delivered' });
});

it('A parcel is named by its tracking and its units', () => {
  expect(formatParcel(parcel(1, 2))).toBe('Delhivery DL1, 2 of line 1');
  expect(formatParcel(parcel(1, 0, { trackingNumber: null }))).toBe('Delhivery');
});

describe('Undoing a payment', () => {
  const PAID = { status: 'pending', paymentStatus: 'paid', total: 900, delivery: 0, refunded: 0 } as const;

  it('makes the order wait for payment; goods stay held', () => {
    const unpaid = { status: 'awaiting_payment', paymentStatus: 'unpaid', stock: 'none' };
    expect(unpayStep(PAID, [shipped(0)], null)).toEqual(unpaid);
  });

  it.each([
    ['is not paid', { status: 'awaiting_payment', paymentStatus: 'unpaid' }, {}],
    ['is not paid', { status: 'cancelled', paymentStatus: 'unpaid' }, {}],
    ['is cancelled', { status: 'cancelled', paymentStatus: 'refunded', refunded: 900 }, {}],
    ['Goods of the order have left', {}, { shipped: 1 }],
    ['is refunded or cancelled', { refunded: 1 }, {}],
    ['is refunded or cancelled', {}, { cancelled: 1 }],
  ] as const)('is refused, because it %s: %j %j', (refused, order, done) => {
    expect(unpayStep({ ...PAID, ...order }, [orderLine(2, 9), orderLine(1, 9, done)], null)).toEqual({
      refused: expect.stringContaining(refused) as string,
    });
  });

  it('is refused once the invoice of a parcel is issued', () => {
    const refused = 'Parcel 1 has its invoice already. Take back the invoice first.';
    expect(unpayStep(PAID, [shipped(0)], { parcel: 1 })).toEqual({ refused });
  });
});
