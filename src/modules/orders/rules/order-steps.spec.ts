import { createHash } from 'node:crypto';
import { orderLine, units } from '../../../../test/support/line-units.js';
import { cancelStep, deliverStep, requestKey, refundStep, shipStep } from './order-steps.js';
import type { PricedOrder, RefundRequest } from './order-steps.js';
import type { OrderState } from './order-transitions.js';
import type { PricedLine } from './order-units.js';

const paid = (order: Partial<PricedOrder> = {}): PricedOrder => ({
  status: 'pending',
  paymentStatus: 'paid',
  total: 55_00,
  delivery: 5_00,
  refunded: 0,
  ...order,
});
const PAID = paid();
const UNPAID = paid({ status: 'awaiting_payment', paymentStatus: 'unpaid' });
const SHIPPED = paid({ status: 'shipped' });
const FREE = paid({ total: 0, delivery: 0 });
/** Three units of line 1 and two of line 2. */
const TWO = [orderLine(1, 3), orderLine(2, 2)];
const WHY = { reason: 'broken', key: 'k' };

const item = (line: number, refunded: number, amount: number, more: object = {}) => ({
  line,
  refunded,
  amount,
  ...more,
});

describe('a parcel', () => {
  const shipped = (status: OrderState['status'], text: string) => ({
    status,
    paymentStatus: 'paid',
    stock: 'take',
    units: units(text),
  });

  it('takes all units that are left, and the order is shipped', () => {
    const lines = [orderLine(1, 3, { shipped: 1, cancelled: 1 }), orderLine(2, 2)];
    expect(shipStep(PAID, lines)).toEqual(shipped('shipped', '1=1 2=2'));
  });

  it('takes some units, and the order stays pending until the last unit leaves', () => {
    expect(shipStep(PAID, TWO, units('1=3'))).toEqual(shipped('pending', '1=3'));
    const rest = [orderLine(1, 3, { shipped: 3 }), orderLine(2, 2)];
    expect(shipStep(PAID, rest, units('2=2'))).toEqual(shipped('shipped', '2=2'));
  });

  it.each([undefined, units('1=1')])('leaves only from a pending order: %j', (requested) => {
    const refused = 'An order that is shipped cannot be shipped.';
    expect(shipStep(SHIPPED, TWO, requested)).toEqual({ refused });
  });

  it('without lines is a further box of a shipped order', () => {
    const unchanged = { status: 'shipped', paymentStatus: 'paid', stock: 'none' };
    expect(shipStep(SHIPPED, TWO, [])).toEqual({ ...unchanged, units: [] });
    const refused = 'A parcel without lines belongs to a shipped order. This one is pending.';
    expect(shipStep(PAID, TWO, [])).toEqual({ refused });
  });
});

describe('a cancellation', () => {
  const cancel = (order: PricedOrder, lines: PricedLine[], requested?: string, writtenOff?: string) =>
    cancelStep(order, lines, {
      ...WHY,
      requested: requested === undefined ? undefined : units(requested),
      writtenOff: writtenOff === undefined ? undefined : units(writtenOff),
    });
  const cancelled = (state: string, text: string, amount: number, ...items: object[]) => {
    const [status, paymentStatus] = state.split(' ');
    const refund = { ...WHY, kind: 'cancelled', amount, items };
    return { status, paymentStatus, stock: 'release', units: units(text), refund };
  };

  it('of an unpaid order releases the whole order', () => {
    const whole = { status: 'cancelled', paymentStatus: 'unpaid', stock: 'release' };
    expect(cancel(UNPAID, [])).toEqual(whole);
    const refused = 'Lines of an unpaid order cannot be cancelled, only the whole order.';
    expect(cancel(UNPAID, TWO, '1=1')).toEqual({ refused });
    expect(cancel(UNPAID, TWO, undefined, '1=1')).toEqual({ refused });
  });

  it('is refused when nothing can be cancelled any more', () => {
    expect(cancel(SHIPPED, TWO)).toEqual({ refused: 'An order that is shipped cannot be cancelled.' });
    const message = 'Only 3 units of line 1 can be cancelled: 3 ordered.';
    expect(() => cancel(PAID, TWO, '1=4')).toThrow(message);
  });

  it('of some units refunds their price, and the order stays pending', () => {
    const some = cancelled('pending paid', '1=2', 20_00, item(1, 2, 20_00, { cancelled: 2 }));
    expect(cancel(PAID, TWO, '1=2')).toEqual(some);
  });

  it('refunds nothing twice, but counts all units', () => {
    const lines = [orderLine(1, 3, { refunded: 2 }), orderLine(2, 2)];
    const rest = cancelled('pending refunded', '1=3', 6_00, item(1, 1, 6_00, { cancelled: 3 }));
    expect(cancel(paid({ refunded: 49_00 }), lines, '1=3')).toEqual(rest);
    const nothing = cancelled('pending paid', '1=3', 0, item(1, 3, 0, { cancelled: 3 }));
    expect(cancel(FREE, TWO, '1=3')).toEqual(nothing);
  });

  it('of all that has not left makes the order shipped', () => {
    const lines = [orderLine(1, 3, { shipped: 3 }), orderLine(2, 2, { cancelled: 1, refunded: 1 })];
    const rest = cancelled('shipped paid', '2=1', 10_00, item(2, 1, 10_00, { cancelled: 1 }));
    expect(cancel(paid({ refunded: 10_00 }), lines)).toEqual(rest);
  });

  it.each([undefined, '1=2 2=2'])('of everything refunds all that is left: %s', (requested) => {
    const lines = [orderLine(1, 3, { cancelled: 1, refunded: 1 }), orderLine(2, 2)];
    const items = [item(1, 2, 20_00), item(2, 2, 20_00)];
    const whole = cancelled('cancelled refunded', '1=2 2=2', 45_00, ...items);
    expect(cancel(paid({ refunded: 10_00 }), lines, requested)).toEqual(whole);
    expect(cancel(FREE, lines, requested)).toEqual({ ...whole, refund: undefined });
  });

  it('keeps what is written off of each line', () => {
    expect(cancel(PAID, TWO, '1=2 2=1', '1=1')).toMatchObject({
      writtenOff: units('1=1'),
      refund: {
        items: [item(1, 2, 20_00, { cancelled: 2, writtenOff: 1 }), item(2, 1, 10_00, { cancelled: 1 })],
      },
    });
    expect(cancel(PAID, TWO, undefined, '1=2 2=1')).toMatchObject({
      writtenOff: units('1=2 2=1'),
      refund: { items: [{ writtenOff: 2 }, { writtenOff: 1 }] },
    });
    const items = [item(1, 3, 30_00), item(2, 2, 20_00, { writtenOff: 1 })];
    expect(cancel(PAID, TWO, undefined, '2=1')).toHaveProperty('refund.items', items);
  });

  it('keeps what is written off although all was refunded before', () => {
    const lines = [orderLine(1, 3, { refunded: 3 }), orderLine(2, 2)];
    const items = [item(2, 2, 0), item(1, 0, 0, { writtenOff: 1 })];
    expect(cancel(paid({ refunded: 55_00 }), lines, undefined, '1=1')).toMatchObject({
      status: 'cancelled',
      refund: { amount: 0, items },
    });
  });

  it('writes off no more than is cancelled', () => {
    const attempt = (writtenOff: string) => () => cancel(PAID, TWO, '1=1', writtenOff);
    expect(attempt('1=1')).not.toThrow();
    expect(attempt('1=2')).toThrow('Only 1 unit of line 1 can be written off: only cancelled units can.');
    expect(attempt('2=1')).toThrow('No unit of line 2 can be written off: only cancelled units can.');
  });
});

describe('a delivery', () => {
  it.each([
    ['of the last parcel ends the order', SHIPPED, { parcel: 2, delivered: 1, open: 0 }, 'delivered'],
    ['waits for goods that have not left', PAID, { parcel: 2, delivered: 1, open: 0 }, 'pending'],
    ['waits for other parcels', SHIPPED, { parcel: 2, delivered: 1, open: 1 }, 'shipped'],
    ['may find all parcels arrived', SHIPPED, { parcel: undefined, delivered: 0, open: 0 }, 'delivered'],
  ])('%s', (_, order, parcels, status) => {
    expect(deliverStep(order, parcels)).toEqual({ status, paymentStatus: 'paid', stock: 'none' });
  });

  const RTO = 'Its parcels came back by RTO. If one was delivered after all, choose this parcel.';

  it.each([
    ['The order has no parcel 3 on its way.', SHIPPED, { parcel: 3, open: 1 }],
    [RTO, SHIPPED, { parcel: undefined, open: 1 }],
    ['An order that is pending cannot be delivered.', PAID, { parcel: undefined, open: 0 }],
  ])('needs a parcel on its way: %s', (refused, order, parcels) => {
    expect(deliverStep(order, { ...parcels, delivered: 0 })).toEqual({ refused });
  });
});

describe('a refund', () => {
  const ofAmount = (amount: number, more?: object): RefundRequest => ({
    ...WHY,
    kind: 'amount',
    amount,
    ...more,
  });
  const delivery: RefundRequest = { ...WHY, kind: 'delivery' };
  const ofLines = (text: string): RefundRequest => ({ ...WHY, kind: 'lines', lines: units(text) });
  const returned = (text: string): RefundRequest => ({
    ...WHY,
    kind: 'returned',
    returnNumber: 'RT-1',
    lines: units(text),
  });
  const shipped = (refunded: number) => paid({ status: 'shipped', refunded });
  const ONE = [orderLine(1, 3, { refunded: 3 })];

  it.each<[string, PricedOrder, PricedLine[], RefundRequest, string, number, object[]]>([
    ['an amount', SHIPPED, TWO, ofAmount(7_00), 'paid', 7_00, []],
    ['the delivery', SHIPPED, TWO, delivery, 'paid', 5_00, []],
    ['lines', PAID, TWO, ofLines('2=1'), 'paid', 10_00, [item(2, 1, 10_00)]],
    ['all that is left', shipped(50_00), TWO, ofAmount(5_00), 'refunded', 5_00, []],
    ['almost all of a pending order', paid({ refunded: 5_00 }), TWO, ofAmount(49_99), 'paid', 49_99, []],
    ['a return at last', shipped(40_00), TWO, returned('1=3'), 'refunded', 15_00, [item(1, 3, 15_00)]],
    ['a return that was refunded before', SHIPPED, ONE, returned('1=1'), 'paid', 0, [item(1, 0, 0)]],
    ['a return', paid({ refunded: 40_00 }), TWO, returned('1=3'), 'refunded', 15_00, [item(1, 3, 15_00)]],
  ])('of %s leaves the status of the order', (_, order, lines, request, paymentStatus, refunded, items) => {
    const { status } = order;
    const refund = { ...WHY, kind: request.kind, amount: refunded, items };
    const number = request.kind === 'returned' && { returnNumber: 'RT-1' };
    const step = { status, paymentStatus, stock: 'none', refund: { ...refund, ...number } };
    expect(refundStep(order, lines, request)).toEqual(step);
  });

  const FREE_DELIVERY = { ...SHIPPED, delivery: 0 };
  const ALL_BACK = { ...shipped(55_00), paymentStatus: 'refunded' as const };
  const WHOLE = 'This would refund the whole payment, but some goods have not left. Cancel them instead.';

  it.each([
    ['Only 5.00 of the order can still be refunded.', shipped(50_00), ofAmount(5_01)],
    ['Only 5.00 of the order can still be refunded.', shipped(50_00), ofLines('1=3')],
    ['An unpaid order cannot be refunded.', UNPAID, ofAmount(1)],
    ['All that was paid for the order is refunded already.', ALL_BACK, ofAmount(1)],
    ['There is nothing to refund: this part of the order cost nothing.', FREE_DELIVERY, delivery],
    [WHOLE, paid({ refunded: 5_00 }), ofAmount(50_00)],
  ])('is refused: %s', (refused, order, request) => {
    expect(refundStep(order, TWO, request)).toEqual({ refused });
  });

  it.each([
    ['keeps the code of its reason', ofAmount(7_00, { reasonCode: '03' }), { reasonCode: '03' }],
    ['of an amount may be commercial', ofAmount(7_00, { isCommercial: true }), { isCommercial: true }],
    ['of an amount may change tax', ofAmount(7_00, { isCommercial: false }), {}],
    ['has no commercial delivery', { ...delivery, isCommercial: true }, { kind: 'delivery', amount: 5_00 }],
  ])('%s', (_, request, parts) => {
    const refund = { ...WHY, kind: 'amount', amount: 7_00, items: [], ...parts };
    expect(refundStep(SHIPPED, TWO, request)).toHaveProperty('refund', refund);
  });
});

describe('the key of a refund', () => {
  it('is the given one', () => {
    expect(requestKey(' first ', 'content')).toBe('first');
    expect(() => requestKey('x'.repeat(101), 'content')).toThrow('The key must have at most 100 characters.');
  });

  it.each([undefined, ' '])('is the hash of the content without one: %j', (key) => {
    const hash = createHash('sha256').update('["content",1]').digest('hex');
    expect(requestKey(key, ['content', 1])).toBe(hash);
  });
});
