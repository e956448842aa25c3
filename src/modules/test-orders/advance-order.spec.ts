import { units } from '../../../test/support/line-units.js';
import type { Order } from '../orders/entities/order.entity.js';
import type { StoreOrder } from '../orders/records/order-record.js';
import { advanceOrder, type NextStep, withReturn } from './advance-order.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const AT = NOW.getTime();
const PLACED = { status: 'awaiting_payment', changedAt: AT - 1 } as const;
const MOMENT = { now: NOW, returnNumber: 'RT-1' };

const item = (line: number, quantity: number) => ({
  line,
  sku: `SKU-${line}`,
  name: 'Thing',
  variationKey: '',
  remark: null,
  metadata: null,
  quantity,
  unitPrice: '10.00',
  lineTotal: `${quantity}0.00`,
  shipped: 0,
  cancelled: 0,
  refunded: 0,
  returned: 0,
});

type TestOrder = StoreOrder & Pick<Order, 'delivery'>;

const UNPAID: TestOrder = {
  orderNumber: 'WO-20261125-7K3M9-QXA2B',
  storeOrderId: 'S-1',
  status: 'awaiting_payment',
  paymentStatus: 'unpaid',
  currency: 'INR',
  delivery: '7.00',
  total: '57.00',
  refundedAmount: '0.00',
  courier: null,
  trackingNumber: null,
  trackingUrl: null,
  shippedAt: null,
  cancelReason: null,
  metadata: null,
  placedAt: new Date(AT - 1),
  paymentDueAt: new Date(AT + 1),
  items: [item(1, 2), item(2, 3)],
  timeline: [PLACED],
  parcels: null,
  parcelItems: null,
  returns: null,
  returnItems: null,
  refunds: null,
  refundItems: null,
};

const advance = (order: TestOrder, step: NextStep, moment = MOMENT) => {
  const next = advanceOrder(order, step, moment);
  if ('refused' in next) throw new Error(`${step}: ${next.refused}`);
  return next;
};

/** The order after these steps. A return has the number of its step. */
const after = (...steps: NextStep[]) =>
  steps.reduce((order, step, at) => advance(order, step, { ...MOMENT, returnNumber: `RT-${at}` }), UNPAID);

type UnitCount = 'shipped' | 'cancelled' | 'refunded' | 'returned';
const counts = (order: Pick<TestOrder, 'items'>, count: UnitCount) => order.items.map((one) => one[count]);

const PAID = after('paid');
const SHIPPED = after('paid', 'shipped');

describe('A test order', () => {
  it('has a maximum number of parcels, refunds and returns', () => {
    const refused: NextStep[] = ['return_requested', 'return_refused'];
    const full = after('paid', 'shipped', 'delivered', ...Array.from({ length: 99 }, () => refused).flat());
    expect(full.returns).toHaveLength(99);
    expect(advanceOrder(full, 'return_requested', MOMENT)).toEqual({
      refused: 'A test order has at most 100 parcels, refunds and returns together.',
    });
  });

  it('is paid, and nothing else changes', () => {
    const timeline = [PLACED, { status: 'pending', changedAt: AT }];
    expect(PAID).toEqual({ ...UNPAID, status: 'pending', paymentStatus: 'paid', timeline });
  });

  const TRACKING = {
    courier: 'Test courier',
    trackingNumber: 'WO202611257K3M9QXA2B',
    trackingUrl: 'https://courier.example/track/WO202611257K3M9QXA2B',
  };
  const PARCEL = {
    ...TRACKING,
    parcel: 1,
    shippedAt: AT,
    deliveredAt: null,
    exception: null,
    noInvoice: null,
    withoutIrn: null,
  };

  it('is shipped in one parcel with a made-up number', () => {
    expect(SHIPPED).toEqual({
      ...PAID,
      ...TRACKING,
      status: 'shipped',
      shippedAt: NOW,
      items: [
        { ...item(1, 2), shipped: 2 },
        { ...item(2, 3), shipped: 3 },
      ],
      timeline: [...PAID.timeline, { status: 'shipped', changedAt: AT }],
      parcels: [PARCEL],
      parcelItems: units('1=2 2=3').map((of) => ({ parcel: 1, ...of })),
    });
  });

  it('is delivered with its parcels, or without any', () => {
    expect(after('paid', 'shipped', 'delivered')).toEqual({
      ...SHIPPED,
      status: 'delivered',
      timeline: [...SHIPPED.timeline, { status: 'delivered', changedAt: AT }],
      parcels: [{ ...PARCEL, deliveredAt: AT }],
    });
    const none = { status: 'delivered', parcels: null };
    expect(advance({ ...SHIPPED, parcels: null }, 'delivered')).toMatchObject(none);
  });

  it('is cancelled, with its money back if it was paid', () => {
    const cancelled = { status: 'cancelled', cancelReason: 'cancelled by the wholesaler' };
    const unpaid = { paymentStatus: 'unpaid', refundedAmount: '0.00', items: UNPAID.items };
    expect(after('cancelled')).toMatchObject({ ...cancelled, ...unpaid });
    expect(after('paid', 'cancelled')).toMatchObject({
      ...cancelled,
      paymentStatus: 'refunded',
      refundedAmount: '57.00',
      items: [{ refunded: 2 }, { refunded: 3 }],
      refunds: [{ refund: 1, kind: 'cancelled', amount: '57.00', returnNumber: null }],
    });
  });

  it('leaves in two parcels, the second without a cancelled line', () => {
    const order = after('paid', 'partly_shipped', 'line_cancelled', 'shipped', 'delivered');
    expect(order).toMatchObject({
      status: 'delivered',
      trackingNumber: 'WO202611257K3M9QXA2BP2',
      refundedAmount: '30.00',
      parcels: [
        { parcel: 1, trackingNumber: 'WO202611257K3M9QXA2B', deliveredAt: AT },
        { parcel: 2, trackingNumber: 'WO202611257K3M9QXA2BP2', deliveredAt: AT },
      ],
      parcelItems: [1, 2].map((parcel) => ({ parcel, line: 1, quantity: 1 })),
      refunds: [{ kind: 'cancelled', amount: '30.00', reason: 'cancelled by the wholesaler' }],
      refundItems: [{ refund: 1, line: 2, refunded: 3, cancelled: 3, amount: '30.00' }],
    });
    const statuses = order.timeline.map(({ status }) => status);
    expect(statuses).toEqual(['awaiting_payment', 'pending', 'shipped', 'delivered']);
  });

  it('has one line after the other cancelled, the last one first', () => {
    const one = after('paid', 'line_cancelled');
    expect([one.status, ...counts(one, 'cancelled')]).toEqual(['pending', 0, 3]);
    const rest = after('paid', 'partly_shipped', 'line_cancelled', 'line_cancelled');
    expect([rest.status, rest.cancelReason, ...counts(rest, 'cancelled')]).toEqual(['shipped', null, 1, 3]);
  });

  it.each([[[item(1, 2)]], [[item(1, 1), item(2, 1)]]])('ships one unit of several: %j', (items) => {
    const order = advance({ ...PAID, items }, 'partly_shipped');
    expect(order).toMatchObject({ status: 'pending', parcelItems: [{ parcel: 1, line: 1, quantity: 1 }] });
  });

  it('is refunded by units and by an amount', () => {
    const order = after('paid', 'shipped', 'line_refunded', 'amount_refunded');
    const refund = { refund: 1, kind: 'lines', amount: '10.00', refundedAt: AT };
    expect(order).toMatchObject({
      status: 'shipped',
      paymentStatus: 'paid',
      refundedAmount: '11.00',
      refunds: [
        { ...refund, reason: 'refunded for a test', actor: 'test' },
        { refund: 2, kind: 'amount', amount: '1.00' },
      ],
      refundItems: [{ refund: 1, line: 1, refunded: 1, cancelled: 0, amount: '10.00' }],
    });
    const all = { paymentStatus: 'refunded', refundedAmount: '57.00' };
    expect(advance({ ...order, refundedAmount: '56.50' }, 'amount_refunded')).toMatchObject(all);
  });

  it('expires', () => {
    expect(after('expired')).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
  });

  const ALL_UNITS_BACK = SHIPPED.items.map((one) => ({ ...one, refunded: one.quantity }));
  const ONE_LEFT = 'Only one unit is left, so it leaves whole: use the step shipped.';
  const NO_LINES = 'Lines of an unpaid order cannot be cancelled, only the whole order.';
  const ONE_LINE = 'Only one line waits: use the step cancelled for the whole order.';

  it.each<[NextStep, string, Partial<TestOrder>]>([
    ['paid', 'An order that is pending cannot be paid.', {}],
    ['expired', 'An order that is pending cannot be expired.', {}],
    ['partly_shipped', ONE_LEFT, { items: [item(1, 1)] }],
    ['line_cancelled', ONE_LINE, { items: [item(1, 1)] }],
    ['line_refunded', 'All units of the order are refunded already.', { items: ALL_UNITS_BACK }],
    ['return_refused', 'The order has no return that waits for a decision.', {}],
    ['return_requested', 'No unit of the order can be returned. The order is pending.', {}],
    // The rules of real orders refuse other statuses.
    [
      'partly_shipped',
      'An order that is awaiting payment cannot be shipped.',
      { ...UNPAID, items: [item(1, 1)] },
    ],
    ['line_cancelled', NO_LINES, { ...UNPAID, items: [item(1, 1)] }],
    ['line_refunded', 'An unpaid order cannot be refunded.', UNPAID],
  ])('is not %s: %s', (step, refused, changes) => {
    expect(advanceOrder({ ...PAID, ...changes }, step, MOMENT)).toEqual({ refused });
  });
});

describe('A return of a test order', () => {
  const TORN = { reason: 'torn', note: null };
  const REQUESTED = {
    key: 'test',
    storeReturnId: null,
    state: 'requested',
    note: null,
    actor: 'store',
    requestedAt: AT,
    acceptedAt: null,
    sendTo: null,
    sendBy: null,
    decidedAt: null,
    decision: null,
  };
  const NONE_WAITS = { refused: 'The order has no return that waits for a decision.' };

  const request = (order: TestOrder, text: string, moment = MOMENT) => ({
    ...order,
    ...withReturn(order, { lines: units(text), ...TORN }, moment),
  });

  it('is asked for with all units', () => {
    const order = after('paid', 'shipped', 'return_requested');
    expect(order.returns).toEqual([{ ...REQUESTED, returnNumber: 'RT-2', reason: 'Test' }]);
    expect(order.returnItems).toEqual([
      { returnNumber: 'RT-2', line: 1, quantity: 2, received: null, restocked: 0 },
      { returnNumber: 'RT-2', line: 2, quantity: 3, received: null, restocked: 0 },
    ]);
    expect(counts(order, 'returned')).toEqual([2, 3]);
    const refused = 'No unit of the order can be returned. The order is shipped.';
    expect(advanceOrder(order, 'return_requested', MOMENT)).toEqual({ refused });
  });

  it('names some units, with the id and the note of the store, beside another one', () => {
    const given = {
      lines: units('2=2 1=1').toReversed(),
      reason: 'torn',
      note: 'red',
      storeReturnId: 'R-7',
    };
    const second = withReturn(request(SHIPPED, '2=1'), given, { ...MOMENT, returnNumber: 'RT-9' });
    expect(second.returns).toEqual([
      { ...REQUESTED, returnNumber: 'RT-1', ...TORN },
      { ...REQUESTED, returnNumber: 'RT-9', reason: 'torn', note: 'red', storeReturnId: 'R-7' },
    ]);
    expect(counts(second, 'returned')).toEqual([1, 3]);
  });

  it('is received but for one unit, with one written off, and the rest later, each with its refund', () => {
    const decision = 'One unit did not arrive, and one is damaged.';
    const partly = after('paid', 'shipped', 'return_requested', 'return_partly_received');
    expect(partly).toMatchObject({
      paymentStatus: 'paid',
      refundedAmount: '40.00',
      items: [1, 3].map((count) => ({ returned: count, refunded: count })),
      returns: [{ returnNumber: 'RT-2', state: 'partly_received', decidedAt: AT, decision }],
      returnItems: [
        { line: 1, quantity: 2, received: 1, restocked: 1 },
        { line: 2, quantity: 3, received: 3, restocked: 2 },
      ],
      refunds: [{ refund: 1, kind: 'returned', amount: '40.00', returnNumber: 'RT-2', refundedAt: AT }],
    });
    const rest = advance(partly, 'return_requested', { ...MOMENT, returnNumber: 'RT-9' });
    const refused = 'The return has only one unit, so it cannot arrive in part.';
    expect(advanceOrder(rest, 'return_partly_received', MOMENT)).toEqual({ refused });
    const whole = advance(rest, 'return_received');
    expect(whole).toMatchObject({
      paymentStatus: 'paid',
      refundedAmount: '50.00',
      items: [2, 3].map((count) => ({ returned: count, refunded: count })),
      returns: [{ state: 'partly_received' }, { returnNumber: 'RT-9', state: 'received' }],
      refunds: [{ refund: 1 }, { refund: 2, amount: '10.00', returnNumber: 'RT-9' }],
    });
    for (const step of ['return_received', 'return_partly_received'] as const)
      expect(advanceOrder(whole, step, MOMENT)).toEqual(NONE_WAITS);
  });

  it.each([
    ['a part', { refundedAmount: '45.00' }, [{ amount: '12.00' }]],
    ['nothing', { refundedAmount: '57.00', paymentStatus: 'refunded' }, null],
  ] as const)('refunds no more than was paid: %s', (_, before, refunds) => {
    const order = advance({ ...request(SHIPPED, '1=1 2=3'), ...before }, 'return_received');
    const all = { paymentStatus: 'refunded', refundedAmount: '57.00', returns: [{ state: 'received' }] };
    expect(order).toMatchObject({ ...all, refunds });
  });

  it('is refused: its units, and no others, can come back again', () => {
    const first = request(SHIPPED, '2=1');
    const refused = advance(first, 'return_refused');
    const decided = { state: 'refused', decidedAt: AT, decision: 'refused for a test' };
    expect(refused).toEqual({
      ...first,
      returns: [{ ...REQUESTED, returnNumber: 'RT-1', ...TORN, ...decided }],
      returnItems: first.returnItems!.map((one) => ({ ...one, received: 0 })),
      items: SHIPPED.items,
    });
    expect(advanceOrder(refused, 'return_refused', MOMENT)).toEqual(NONE_WAITS);
    const later = { now: new Date(AT + 5), returnNumber: 'RT-2' };
    const last = advance(request(refused, '2=2', later), 'return_refused', later);
    expect(last.returns).toMatchObject([refused.returns![0]!, { state: 'refused' }]);
    expect(last.returnItems!.map(({ received }) => received)).toEqual([0, 0]);
  });
});
