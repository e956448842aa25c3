import type { LineUnits } from './order-units.js';
import type { OrderStatus, PaymentStatus } from './order-transitions.js';
import { type ParcelFacts, formatParcel, type UndoAction, undoStep, isUndoneShipment } from './undo-steps.js';

const ARRIVED = new Date('2026-11-20T10:00:00Z');

const parcel = (number: number, quantity: number, deliveredAt: Date | null = null): ParcelFacts => ({
  parcel: number,
  courier: 'Delhivery',
  trackingNumber: `DL${number}`,
  deliveredAt,
  exception: null,
  lines: quantity === 0 ? [] : [{ line: 1, quantity }],
});
const line = (shipped: number, returned = 0, number = 1): LineUnits => ({
  line: number,
  quantity: 9,
  cancelled: 0,
  refunded: 0,
  shipped,
  returned,
});
const undo = (
  action: UndoAction,
  parcels: ParcelFacts[],
  {
    status = 'shipped' as OrderStatus,
    lines = [line(9, 0, 2), line(5)],
    number = undefined as number | undefined,
    paymentStatus = 'paid' as PaymentStatus,
  } = {},
) => undoStep({ status, paymentStatus }, lines, parcels, { action, parcel: number });

const SAME = { status: 'shipped', paymentStatus: 'paid', stock: 'none', money: 'none' };

describe('Undoing a shipment', () => {
  const both = [parcel(1, 3), parcel(2, 2)];

  it.each([undefined, 2])('puts the units of the newest one back (%s)', (number) => {
    const units = [{ line: 1, quantity: 2 }];
    expect(undo('withdraw', both, { number })).toEqual({
      ...SAME,
      status: 'pending',
      stock: 'putBack',
      units,
    });
  });

  it('is refused if it is lost and refunded: its goods could be shipped again for nothing', () => {
    const refused = 'Its goods are refunded, and could be shipped again. Take the refund back first.';
    const lost = { ...parcel(2, 2), exception: 'lost' as const };
    const refunded = (of: Partial<LineUnits>) => [line(9, 0, 2), { ...line(5), ...of }];
    expect(undo('withdraw', [parcel(1, 3), lost], { paymentStatus: 'refunded' })).toEqual({ refused });
    expect(undo('withdraw', [parcel(1, 3), lost], { lines: refunded({ refunded: 1 }) })).toEqual({ refused });
    const allowed = { status: 'pending', stock: 'putBack' };
    expect(
      undo('withdraw', both, { paymentStatus: 'refunded', lines: refunded({ refunded: 1 }) }),
    ).toMatchObject(allowed);
    expect(undo('withdraw', [parcel(1, 3), lost])).toMatchObject(allowed);
    const other = { ...lost, lines: [{ line: 2, quantity: 1 }, ...lost.lines] };
    expect(undo('withdraw', [parcel(1, 3), other], { lines: refunded({ refunded: 1 }) })).toEqual({
      refused,
    });
    const cancelled = refunded({ refunded: 1, cancelled: 1 });
    expect(undo('withdraw', [parcel(1, 3), lost], { lines: cancelled })).toMatchObject(allowed);
    const box = [parcel(1, 5), parcel(2, 0)];
    expect(undo('withdraw', box, { paymentStatus: 'refunded' })).toHaveProperty('status', 'shipped');
  });

  it('moves nothing if the goods of the newest one are still here', () => {
    const prepared = { ...parcel(2, 2), isPrepared: true };
    expect(undo('withdraw', [parcel(1, 3), prepared], { status: 'pending' })).toEqual({
      ...SAME,
      status: 'pending',
    });
    expect(undo('withdraw', [parcel(1, 3), prepared], { number: 1 })).toEqual({
      refused: 'Only the newest shipment can be undone: parcel 2.',
    });
  });

  it.each([
    [{ parcel_2: 'BlueDart BD2, 2 of line 1' }, true],
    [{ parcel_2: 'invoiced, 2 of line 1' }, false],
    [{ parcel_2_delivered_at: '2026-11-20T00:00:00.000Z' }, false],
    [{ tracking_number: null }, false],
    [{ tracking_number: null, parcel_12: 'BlueDart BD2' }, true],
    [{ from_parcel_2: 'BlueDart BD2' }, false],
  ])('differs from other corrections: %j %s', (before, isExpected) => {
    expect(isUndoneShipment(before)).toBe(isExpected);
  });

  it.each([
    ['on its way', [parcel(1, 3, ARRIVED), parcel(2, 2), parcel(3, 0)], 'shipped', 'shipped'],
    ['delivered', [parcel(1, 5, ARRIVED), parcel(2, 0)], 'shipped', 'delivered'],
    ['without a parcel', [parcel(1, 0)], 'shipped', 'shipped'],
    ['to ship', [parcel(1, 3, ARRIVED), parcel(2, 0)], 'pending', 'pending'],
  ] as const)('leaves an order %s when a box without units goes', (_, parcels, before, status) => {
    expect(undo('withdraw', [...parcels], { status: before })).toEqual({ ...SAME, status });
  });

  it.each([
    ['an older one', both, { number: 1 }, 'Only the newest shipment can be undone: parcel 2.'],
    ['an unknown one', both, { number: 3 }, 'The order has no parcel 3.'],
    ['none', [], {}, 'The order has no parcel.'],
    [
      'one that arrived',
      [parcel(1, 5, ARRIVED)],
      {},
      'Parcel 1 was delivered. Take back the delivery first.',
    ],
    [
      'returned units',
      [parcel(1, 5)],
      { lines: [line(9, 0, 2), line(5, 1)] },
      'Units of line 1 came back, or are expected back.',
    ],
  ])('refuses %s', (_, parcels, given, refused) => {
    expect(undo('withdraw', parcels, given)).toEqual({ refused });
  });

  it('goes by the units that stay: these may be the returned ones', () => {
    expect(undo('withdraw', both, { lines: [line(5, 3)] })).toMatchObject({ status: 'pending' });
    expect(undo('withdraw', both, { lines: [line(5, 4)] })).toHaveProperty('refused');
  });
});

describe('Taking back a delivery', () => {
  it.each([
    ['delivered', 'shipped'],
    ['pending', 'pending'],
  ] as const)('makes an order that is %s %s', (status, after) => {
    expect(undo('undeliver', [parcel(1, 5, ARRIVED)], { status })).toEqual({ ...SAME, status: after });
  });

  it('refuses a parcel on its way, and goods that came back', () => {
    expect(undo('undeliver', [parcel(1, 5)])).toEqual({ refused: 'Parcel 1 was not delivered.' });
    expect(undo('undeliver', [parcel(1, 5, ARRIVED)], { lines: [line(9, 0, 2), line(5, 1)] })).toEqual({
      refused: 'Goods of the order came back, or are expected back, so they had arrived.',
    });
  });

  it('does not count goods that came back by RTO as arrived', () => {
    const parcels = [{ ...parcel(1, 4), exception: 'returned' as const }, parcel(2, 5, ARRIVED)];
    expect(undo('undeliver', parcels, { lines: [line(9, 4)], status: 'shipped' })).toEqual(SAME);
    expect(undo('undeliver', parcels, { lines: [line(9, 5)] })).toHaveProperty('refused');
    expect(undo('undeliver', parcels, { lines: [line(9, 4), line(1, 1, 2)] })).toHaveProperty('refused');
  });

  it('counts goods as arrived that came back while another parcel is lost', () => {
    const parcels = [{ ...parcel(1, 4), exception: 'lost' as const }, parcel(2, 5, ARRIVED)];
    expect(undo('undeliver', parcels, { lines: [line(9, 4)] })).toHaveProperty('refused');
  });
});

it('An invoice is issued again, even after its goods arrived and came back', () => {
  expect(undo('reissue', [parcel(1, 5, ARRIVED)], { lines: [line(5, 5)], status: 'delivered' })).toEqual({
    ...SAME,
    status: 'delivered',
  });
});

it('A parcel is named by its tracking and its units', () => {
  expect(formatParcel(parcel(1, 2))).toBe('Delhivery DL1, 2 of line 1');
  expect(formatParcel({ ...parcel(1, 0), trackingNumber: null })).toBe('Delhivery');
});
