import { createHash } from 'node:crypto';
import {
  cancelStep,
  deliverStep,
  requestKey,
  type PricedOrder,
  type RefundRequest,
  refundStep,
  shipStep,
} from './order-steps.js';
import type { PricedLine } from './order-units.js';

const line = (number: number, quantity: number, done: Partial<PricedLine> = {}): PricedLine => ({
  line: number,
  quantity,
  shipped: 0,
  cancelled: 0,
  refunded: 0,
  returned: 0,
  unitPrice: 1_000,
  ...done,
});
const paid = (order: Partial<PricedOrder> = {}): PricedOrder => ({
  status: 'pending',
  paymentStatus: 'paid',
  total: 5_500,
  delivery: 500,
  refunded: 0,
  ...order,
});
const TWO = [line(1, 3), line(2, 2)];

describe('a parcel', () => {
  const shipped = { paymentStatus: 'paid', stock: 'take', money: 'none' };

  it('takes all units that are left, and the order is shipped', () => {
    expect(shipStep(paid(), [line(1, 3, { shipped: 1, cancelled: 1 }), line(2, 2)])).toEqual({
      ...shipped,
      status: 'shipped',
      units: [
        { line: 1, quantity: 1 },
        { line: 2, quantity: 2 },
      ],
    });
  });

  it('takes some units, and the order stays pending until the last unit leaves', () => {
    const some = [{ line: 1, quantity: 3 }];
    expect(shipStep(paid(), TWO, some)).toEqual({ ...shipped, status: 'pending', units: some });
    const rest = [{ line: 2, quantity: 2 }];
    expect(shipStep(paid(), [line(1, 3, { shipped: 3 }), line(2, 2)], rest)).toEqual({
      ...shipped,
      status: 'shipped',
      units: rest,
    });
  });

  it('takes no more units than there are', () => {
    expect(() => shipStep(paid(), TWO, [{ line: 2, quantity: 3 }])).toThrow(
      'Only 2 units of line 2 can be shipped: 2 ordered.',
    );
  });

  it('leaves only from a pending order', () => {
    for (const requested of [undefined, [{ line: 1, quantity: 1 }]])
      expect(shipStep(paid({ status: 'shipped' }), TWO, requested)).toEqual({
        refused: 'An order that is shipped cannot be shipped.',
      });
  });

  it('without lines is a further box of a shipped order', () => {
    expect(shipStep(paid({ status: 'shipped' }), TWO, [])).toEqual({
      status: 'shipped',
      paymentStatus: 'paid',
      stock: 'none',
      money: 'none',
      units: [],
    });
    expect(shipStep(paid(), TWO, [])).toEqual({
      refused: 'A parcel without lines belongs to a shipped order. This one is pending.',
    });
  });
});

describe('a cancellation', () => {
  const why = { reason: 'broken', key: 'k' };
  const cancelled = { stock: 'release', money: 'refund' };

  it('of an unpaid order is one of the whole order', () => {
    const unpaid = paid({ status: 'awaiting_payment', paymentStatus: 'unpaid' });
    expect(cancelStep(unpaid, [], why)).toEqual({
      status: 'cancelled',
      paymentStatus: 'unpaid',
      stock: 'release',
      money: 'none',
    });
    expect(cancelStep(unpaid, [], { ...why, requested: [{ line: 1, quantity: 1 }] })).toEqual({
      refused: 'Lines of an unpaid order cannot be cancelled, only the whole order.',
    });
  });

  it('is refused when nothing can be cancelled any more', () => {
    expect(cancelStep(paid({ status: 'shipped' }), TWO, why)).toEqual({
      refused: 'An order that is shipped cannot be cancelled.',
    });
    expect(() => cancelStep(paid(), TWO, { ...why, requested: [{ line: 1, quantity: 4 }] })).toThrow(
      'Only 3 units of line 1 can be cancelled: 3 ordered.',
    );
  });

  it('of some units refunds their price, and the order stays pending', () => {
    const requested = [{ line: 1, quantity: 2 }];
    expect(cancelStep(paid(), TWO, { ...why, requested })).toEqual({
      ...cancelled,
      status: 'pending',
      paymentStatus: 'paid',
      units: requested,
      refund: {
        kind: 'cancelled',
        ...why,
        amount: 2_000,
        items: [{ line: 1, refunded: 2, cancelled: 2, amount: 2_000 }],
      },
    });
  });

  it('refunds nothing twice, but counts all units', () => {
    const lines = [line(1, 3, { refunded: 2 }), line(2, 2)];
    const requested = [{ line: 1, quantity: 3 }];
    expect(cancelStep(paid({ refunded: 4_900 }), lines, { ...why, requested })).toMatchObject({
      status: 'pending',
      paymentStatus: 'refunded',
      refund: { amount: 600, items: [{ line: 1, refunded: 1, cancelled: 3, amount: 600 }] },
    });
    expect(cancelStep(paid({ total: 0, delivery: 0 }), TWO, { ...why, requested })).toMatchObject({
      status: 'pending',
      paymentStatus: 'paid',
      refund: { amount: 0, items: [{ line: 1, refunded: 3, cancelled: 3, amount: 0 }] },
    });
  });

  it('of all that has not left makes the order shipped', () => {
    const lines = [line(1, 3, { shipped: 3 }), line(2, 2, { cancelled: 1, refunded: 1 })];
    expect(cancelStep(paid({ refunded: 1_000 }), lines, why)).toEqual({
      ...cancelled,
      status: 'shipped',
      paymentStatus: 'paid',
      units: [{ line: 2, quantity: 1 }],
      refund: {
        kind: 'cancelled',
        ...why,
        amount: 1_000,
        items: [{ line: 2, refunded: 1, cancelled: 1, amount: 1_000 }],
      },
    });
  });

  it('of everything refunds all that is left, with the delivery', () => {
    const lines = [line(1, 3, { cancelled: 1, refunded: 1 }), line(2, 2)];
    const whole = {
      ...cancelled,
      status: 'cancelled',
      paymentStatus: 'refunded',
      units: [
        { line: 1, quantity: 2 },
        { line: 2, quantity: 2 },
      ],
    };
    const refund = {
      kind: 'cancelled',
      ...why,
      amount: 4_500,
      items: [
        { line: 1, refunded: 2, amount: 2_000 },
        { line: 2, refunded: 2, amount: 2_000 },
      ],
    };
    expect(cancelStep(paid({ refunded: 1_000 }), lines, why)).toEqual({ ...whole, refund });
    expect(cancelStep(paid({ refunded: 1_000 }), lines, { ...why, requested: whole.units })).toEqual({
      ...whole,
      refund,
    });
    expect(cancelStep(paid({ total: 0, delivery: 0 }), lines, why)).toEqual(whole);
  });

  it('keeps what is written off, of some units or of everything', () => {
    const writtenOff = [{ line: 1, quantity: 1 }];
    const requested = [
      { line: 1, quantity: 2 },
      { line: 2, quantity: 1 },
    ];
    expect(cancelStep(paid(), TWO, { ...why, requested, writtenOff })).toMatchObject({
      writtenOff,
      refund: {
        items: [
          { line: 1, refunded: 2, cancelled: 2, amount: 2_000, writtenOff: 1 },
          { line: 2, refunded: 1, cancelled: 1, amount: 1_000 },
        ],
      },
    });
    const refundedBefore = [line(1, 3, { refunded: 3 }), line(2, 2)];
    expect(cancelStep(paid({ refunded: 5_500 }), refundedBefore, { ...why, writtenOff })).toMatchObject({
      status: 'cancelled',
      writtenOff,
      refund: {
        amount: 0,
        items: [
          { line: 2, refunded: 2, amount: 0 },
          { line: 1, refunded: 0, amount: 0, writtenOff: 1 },
        ],
      },
    });
  });

  it('writes off of each line its own units', () => {
    const writtenOff = [
      { line: 1, quantity: 2 },
      { line: 2, quantity: 1 },
    ];
    expect(cancelStep(paid(), TWO, { ...why, writtenOff })).toMatchObject({
      refund: {
        items: [
          { line: 1, refunded: 3, writtenOff: 2 },
          { line: 2, refunded: 2, writtenOff: 1 },
        ],
      },
    });
    expect(cancelStep(paid(), TWO, { ...why, writtenOff: [writtenOff[1]!] })).toHaveProperty('refund.items', [
      { line: 1, refunded: 3, amount: 3_000 },
      { line: 2, refunded: 2, amount: 2_000, writtenOff: 1 },
    ]);
  });

  it('writes off no more than is cancelled, and nothing of an unpaid order', () => {
    const requested = [{ line: 1, quantity: 1 }];
    const attempt = (at: number, quantity: number) => () =>
      cancelStep(paid(), TWO, { ...why, requested, writtenOff: [{ line: at, quantity }] });
    expect(attempt(1, 1)).not.toThrow();
    expect(attempt(1, 2)).toThrow('Only 1 unit of line 1 can be written off: only cancelled units can.');
    expect(attempt(2, 1)).toThrow('No unit of line 2 can be written off: only cancelled units can.');
    const twice = [...requested, ...requested];
    expect(() => cancelStep(paid(), TWO, { ...why, writtenOff: twice })).toThrow('Line 1 is named twice.');
    const unpaid = paid({ status: 'awaiting_payment', paymentStatus: 'unpaid' });
    expect(cancelStep(unpaid, TWO, { ...why, writtenOff: requested })).toHaveProperty('refused');
  });
});

describe('a delivery', () => {
  const shipped = paid({ status: 'shipped' });

  it('of the last parcel ends an order of which all goods have left', () => {
    const last = { parcel: 2, delivered: 1, open: 0 };
    const still = { paymentStatus: 'paid', stock: 'none', money: 'none' };
    expect(deliverStep(shipped, last)).toEqual({ ...still, status: 'delivered' });
    expect(deliverStep(paid(), last)).toEqual({ ...still, status: 'pending' });
    expect(deliverStep(shipped, { ...last, open: 1 })).toEqual({ ...still, status: 'shipped' });
  });

  it('needs a parcel on its way', () => {
    expect(deliverStep(shipped, { parcel: 3, delivered: 0, open: 1 })).toEqual({
      refused: 'The order has no parcel 3 on its way.',
    });
    expect(deliverStep(shipped, { parcel: undefined, delivered: 0, open: 1 })).toEqual({
      refused: 'Its parcels came back by RTO. If one was delivered after all, choose this parcel.',
    });
    expect(deliverStep(paid(), { parcel: undefined, delivered: 0, open: 0 })).toHaveProperty('refused');
    // Without a number, a shipped order whose parcels have all arrived is delivered.
    expect(deliverStep(shipped, { parcel: undefined, delivered: 0, open: 0 })).toHaveProperty(
      'status',
      'delivered',
    );
  });
});

describe('a refund', () => {
  const by = { reason: 'broken', key: 'k' };
  const shipped = (order: Partial<PricedOrder> = {}) => paid({ status: 'shipped', ...order });
  const amount = (of: number): RefundRequest => ({ ...by, kind: 'amount', amount: of });
  const still = { status: 'shipped', stock: 'none', money: 'refund' };

  it('of an amount, the delivery or lines leaves the order paid', () => {
    expect(refundStep(shipped(), TWO, amount(700))).toEqual({
      ...still,
      paymentStatus: 'paid',
      refund: { ...by, kind: 'amount', amount: 700, items: [] },
    });
    expect(refundStep(shipped(), TWO, { ...by, kind: 'delivery' })).toEqual({
      ...still,
      paymentStatus: 'paid',
      refund: { ...by, kind: 'delivery', amount: 500, items: [] },
    });
    const lines = [{ line: 2, quantity: 1 }];
    expect(refundStep(paid(), TWO, { ...by, kind: 'lines', lines })).toEqual({
      ...still,
      status: 'pending',
      paymentStatus: 'paid',
      refund: { ...by, kind: 'lines', amount: 1_000, items: [{ line: 2, refunded: 1, amount: 1_000 }] },
    });
  });

  it('of all that is left makes it refunded', () => {
    expect(refundStep(shipped({ refunded: 5_000 }), TWO, amount(500))).toMatchObject({
      status: 'shipped',
      paymentStatus: 'refunded',
    });
  });

  it('is never more than what is left', () => {
    expect(refundStep(shipped({ refunded: 5_000 }), TWO, amount(501))).toEqual({
      refused: 'Only 5.00 of the order can still be refunded.',
    });
    const lines = [{ line: 1, quantity: 3 }];
    expect(refundStep(shipped({ refunded: 5_000 }), TWO, { ...by, kind: 'lines', lines })).toEqual({
      refused: 'Only 5.00 of the order can still be refunded.',
    });
    expect(() =>
      refundStep(shipped(), TWO, { ...by, kind: 'lines', lines: [{ line: 2, quantity: 3 }] }),
    ).toThrow('Only 2 units of line 2 can be refunded: 2 ordered.');
  });

  it('of a return is capped by what is left, and may be nothing', () => {
    const returned = (quantity: number): RefundRequest => ({
      ...by,
      kind: 'returned',
      returnNumber: 'RT-1',
      lines: [{ line: 1, quantity }],
    });
    const refund = { ...by, kind: 'returned', returnNumber: 'RT-1' };
    expect(refundStep(shipped({ refunded: 4_000 }), TWO, returned(3))).toEqual({
      ...still,
      paymentStatus: 'refunded',
      refund: { ...refund, amount: 1_500, items: [{ line: 1, refunded: 3, amount: 1_500 }] },
    });
    const before = [line(1, 3, { refunded: 3 })];
    expect(refundStep(shipped(), before, returned(1))).toEqual({
      ...still,
      paymentStatus: 'paid',
      refund: { ...refund, amount: 0, items: [{ line: 1, refunded: 0, amount: 0 }] },
    });
    expect(refundStep(paid({ refunded: 4_000 }), TWO, returned(3))).toMatchObject({
      status: 'pending',
      paymentStatus: 'refunded',
    });
  });

  it('keeps the code of its reason', () => {
    expect(refundStep(shipped(), TWO, { ...amount(700), reasonCode: '03' })).toHaveProperty('refund', {
      ...by,
      kind: 'amount',
      amount: 700,
      items: [],
      reasonCode: '03',
    });
  });

  it('is commercial only if it is one of an amount', () => {
    const refund = { ...by, kind: 'amount', amount: 700, items: [] };
    const commercial = (isCommercial: boolean) =>
      refundStep(shipped(), TWO, { ...by, kind: 'amount', amount: 700, isCommercial });
    expect(commercial(true)).toHaveProperty('refund', { ...refund, isCommercial: true });
    expect(commercial(false)).toHaveProperty('refund', refund);
    const delivery = { ...by, kind: 'delivery' as const, isCommercial: true };
    expect(refundStep(shipped(), TWO, delivery)).not.toHaveProperty('refund.isCommercial');
  });

  it('needs something that was paid', () => {
    expect(refundStep(paid({ status: 'awaiting_payment', paymentStatus: 'unpaid' }), TWO, amount(1))).toEqual(
      { refused: 'An unpaid order cannot be refunded.' },
    );
    expect(refundStep(shipped({ paymentStatus: 'refunded', refunded: 5_500 }), TWO, amount(1))).toEqual({
      refused: 'All that was paid for the order is refunded already.',
    });
    expect(refundStep(shipped({ delivery: 0 }), TWO, { ...by, kind: 'delivery' })).toEqual({
      refused: 'There is nothing to refund: this part of the order cost nothing.',
    });
  });

  it('of all money of a pending order is a cancellation', () => {
    expect(refundStep(paid({ refunded: 500 }), TWO, amount(5_000))).toEqual({
      refused: 'This would refund the whole payment, but some goods have not left. Cancel them instead.',
    });
    expect(refundStep(paid({ refunded: 500 }), TWO, amount(4_999))).toMatchObject({ status: 'pending' });
  });
});

describe('the key of a refund', () => {
  it('is the given one', () => {
    expect(requestKey(' first ', 'content')).toBe('first');
    expect(() => requestKey('x'.repeat(101), 'content')).toThrow('The key must have at most 100 characters.');
  });

  it('is the hash of the content without one', () => {
    const hash = createHash('sha256').update('["content",1]').digest('hex');
    expect(requestKey(undefined, ['content', 1])).toBe(hash);
    expect(requestKey(' ', ['content', 1])).toBe(hash);
  });
});
