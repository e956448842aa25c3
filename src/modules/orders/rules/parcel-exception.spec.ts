import type { ParcelException } from './goods-state.js';
import {
  awaitsDelivery,
  describeReport,
  formatLoss,
  lossesToRefund,
  parcelsToDeliver,
  reportedFields,
  unitsToReturn,
} from './parcel-exception.js';
import type { RefundKind } from './order-steps.js';
import type { LineUnits } from './order-units.js';

const parcel = (exception: ParcelException | null, deliveredAt: Date | null = null) => ({
  exception,
  deliveredAt,
});
const ARRIVED = parcel(null, new Date(0));

describe('A parcel', () => {
  it.each([
    [parcel(null), true],
    [parcel('returning'), true],
    [parcel('lost'), true],
    [parcel('returned'), false],
    [ARRIVED, false],
  ])('waits for its delivery: %j %s', (one, isExpected) => {
    expect(awaitsDelivery(one)).toBe(isExpected);
  });

  it('that came back is delivered only by its number, and one that arrived by none', () => {
    const parcels = [ARRIVED, parcel('returned'), parcel(null)].map((one, at) => ({
      ...one,
      parcel: at + 1,
    }));
    const delivered = (number?: number) => parcelsToDeliver(parcels, number).map((one) => one.parcel);
    expect([undefined, 1, 2, 3, 4].map((number) => delivered(number))).toEqual([[3], [], [2], [3], []]);
  });
});

describe('A parcel that came back', () => {
  it.each([
    [2, 5, 0, 2],
    [2, 5, 3, 2],
    [2, 5, 4, 1],
    [2, 5, 5, 0],
  ])('of %s of %s shipped units, %s in returns, has %s to return', (quantity, shipped, returned, left) => {
    const lines = [
      { line: 1, shipped: 9, returned: 9 },
      { line: 2, shipped, returned },
    ];
    const units = unitsToReturn([{ line: 2, quantity }], lines);
    expect(units).toEqual(left > 0 ? [{ line: 2, quantity: left }] : []);
  });
});

describe('A lost parcel', () => {
  type Order = Parameters<typeof lossesToRefund>[0];
  /** Line 1 is in parcel 1, line 2 in parcel 2, each with all of its units. */
  const sent = (of: Partial<LineUnits>[], reports = ['lost']): Order => ({
    status: 'shipped',
    paymentStatus: 'paid',
    delivery: 30,
    items: of.map((units, at) => ({
      line: at + 1,
      quantity: 2,
      shipped: 2,
      cancelled: 0,
      returned: 0,
      refunded: 0,
      ...units,
    })),
    parcels: reports.map((exception, at) => ({
      ...parcel(exception as ParcelException),
      parcel: at + 1,
      lines: [{ line: at + 1, quantity: 2 }],
    })),
    refunds: [],
  });
  const refund = (kind: RefundKind, units: number, number = 1) => ({
    refund: number,
    kind,
    amount: 5,
    takesBack: null,
    returnNumber: null,
    lines: [{ line: number, refunded: units, amount: 5 }],
  });
  const loss = (order: Order) => lossesToRefund(order).map((one) => `${one.parcel}: ${formatLoss(one)}`);
  const both = ['1: its goods and the delivery charge'];

  it('has its goods to refund, and the delivery charge if all goods of the order are lost', () => {
    expect(loss(sent([{}]))).toEqual(both);
    expect(loss(sent([{}, {}], ['lost', 'returning']))).toEqual(['1: its goods']);
    expect(loss({ ...sent([{}]), status: 'pending' })).toEqual(['1: its goods']);
    expect(loss({ ...sent([{}, {}], ['lost', 'lost']), refunds: [refund('lines', 2)] })).toEqual([
      '1: the delivery charge',
      '2: its goods and the delivery charge',
    ]);
    expect(loss({ ...sent([{ refunded: 2 }]), refunds: [refund('delivery', 0)] })).toEqual([]);
    expect(loss({ ...sent([{ returned: 2 }]), delivery: 0 })).toEqual([]);
    expect(loss({ ...sent([{}]), paymentStatus: 'refunded' })).toEqual([]);
  });

  it('has no more to refund when its units are, although others of the line were delivered', () => {
    const order = { ...sent([{ quantity: 4, shipped: 4, refunded: 2 }]), delivery: 0 };
    expect(loss({ ...order, refunds: [refund('lines', 2)] })).toEqual([]);
    expect(loss({ ...order, refunds: [refund('lines', 1)] })).toEqual(['1: its goods']);
  });

  it('has goods to refund beside cancelled or returned units of the line', () => {
    const order = { ...sent([{ quantity: 4, cancelled: 2, refunded: 2 }]), delivery: 0 };
    expect(loss({ ...order, refunds: [refund('cancelled', 2)] })).toEqual(['1: its goods']);
    const returned = { ...sent([{ quantity: 4, shipped: 4, returned: 2, refunded: 2 }]), delivery: 0 };
    expect(loss({ ...returned, refunds: [refund('returned', 2)] })).toEqual(['1: its goods']);
  });

  it('that arrived after all has nothing to refund', () => {
    const order = sent([{}]);
    expect(loss({ ...order, parcels: [{ ...order.parcels[0]!, deliveredAt: new Date(0) }] })).toEqual([]);
  });

  it('that is a box has the goods of its order', () => {
    const order = sent([{ refunded: 2 }, { refunded: 1 }], ['lost']);
    const boxes = [{ ...order.parcels[0]!, lines: [] }];
    const refunds = [refund('lines', 2), refund('lines', 1, 2)];
    expect(loss({ ...order, parcels: boxes, refunds })).toEqual(both);
  });
});

describe('A report in the history of an order', () => {
  it('is told from a correction', () => {
    const { before, after } = reportedFields(2, 'returning', 'lost');
    expect(before).toEqual({ parcel_2_reported: 'returning' });
    expect(describeReport(after)).toBe('Parcel 2: Lost');
    expect(describeReport({ parcel_2_tracking_number: 'BD9' })).toBeUndefined();
    expect(describeReport({})).toBeUndefined();
  });
});
