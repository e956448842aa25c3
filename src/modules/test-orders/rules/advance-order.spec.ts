import type { Order } from '../../orders/entities/order.entity.js';
import type { StoreOrder } from '../../orders/records/order-view.js';
import { advanceOrder, type NextStep, withReturn } from './advance-order.js';

const NOW = new Date('2026-11-25T10:00:00Z');
const AT = NOW.getTime();
const PLACED = { status: 'awaiting_payment', changedAt: AT - 1 } as const;

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

const PLACED_ORDER: TestOrder = {
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

const TORN = { reason: 'torn', note: null };

const MOMENT = { now: NOW, returnNumber: 'RT-1' };

/** The order after these steps. */
function after(...steps: NextStep[]): TestOrder {
  return steps.reduce((order, step, at) => {
    const next = advanceOrder(order, step, { ...MOMENT, returnNumber: `RT-${at}` });
    if ('refused' in next) throw new Error(`${step}: ${next.refused}`);
    return next;
  }, PLACED_ORDER);
}

const refusal = (step: NextStep, order = PLACED_ORDER) => advanceOrder(order, step, MOMENT);

describe('A test order', () => {
  it('has a maximum number of parcels, refunds and returns', () => {
    const refused: NextStep[] = ['return_requested', 'return_refused'];
    const returns = Array.from({ length: 99 }, () => refused).flat();
    const full = after('paid', 'shipped', 'delivered', ...returns);
    expect(full.returns).toHaveLength(99);
    expect(refusal('return_requested', full)).toEqual({
      refused: 'A test order has at most 100 parcels, refunds and returns together.',
    });
  });

  it('is paid, and nothing else changes', () => {
    expect(after('paid')).toEqual({
      ...PLACED_ORDER,
      status: 'pending',
      paymentStatus: 'paid',
      timeline: [PLACED, { status: 'pending', changedAt: AT }],
    });
  });

  it('is shipped in one parcel with a made-up number, then delivered', () => {
    const facts = {
      courier: 'Test courier',
      trackingNumber: 'WO202611257K3M9QXA2B',
      trackingUrl: 'https://courier.example/track/WO202611257K3M9QXA2B',
    };
    const shipped = after('paid', 'shipped');
    const parcel = {
      ...facts,
      parcel: 1,
      shippedAt: AT,
      deliveredAt: null,
      exception: null,
      noInvoice: null,
      withoutIrn: null,
    };
    expect(shipped).toMatchObject({ ...facts, status: 'shipped', shippedAt: NOW, parcels: [parcel] });
    expect(shipped.parcelItems).toEqual([
      { parcel: 1, line: 1, quantity: 2 },
      { parcel: 1, line: 2, quantity: 3 },
    ]);
    expect(shipped.items).toEqual([
      { ...item(1, 2), shipped: 2 },
      { ...item(2, 3), shipped: 3 },
    ]);
    expect(after('paid', 'shipped', 'delivered')).toEqual({
      ...shipped,
      status: 'delivered',
      timeline: [...shipped.timeline, { status: 'delivered', changedAt: AT }],
      parcels: [{ ...parcel, deliveredAt: AT }],
    });
    const lost = advanceOrder({ ...shipped, parcels: null }, 'delivered', MOMENT);
    expect(lost).toMatchObject({ status: 'delivered', parcels: null });
  });

  it('is cancelled, with its money back if it was paid', () => {
    const reason = { status: 'cancelled', cancelReason: 'cancelled by the wholesaler' };
    const unpaid = after('cancelled');
    expect(unpaid).toMatchObject({ ...reason, paymentStatus: 'unpaid', refundedAmount: '0.00' });
    expect(unpaid.items).toEqual(PLACED_ORDER.items);
    const paid = after('paid', 'cancelled');
    expect(paid).toMatchObject({
      ...reason,
      paymentStatus: 'refunded',
      refundedAmount: '57.00',
      items: [{ refunded: 2 }, { refunded: 3 }],
      refunds: [{ refund: 1, kind: 'cancelled', amount: '57.00', returnNumber: null }],
      refundItems: [
        { refund: 1, line: 1, refunded: 2, amount: '20.00' },
        { refund: 1, line: 2, refunded: 3, amount: '30.00' },
      ],
    });
  });

  it('leaves in two parcels, the second without a cancelled line', () => {
    const parts = after('paid', 'partly_shipped', 'line_cancelled', 'shipped', 'delivered');
    expect(parts).toMatchObject({
      status: 'delivered',
      trackingNumber: 'WO202611257K3M9QXA2BP2',
      refundedAmount: '30.00',
      items: [
        { shipped: 2, cancelled: 0, refunded: 0 },
        { shipped: 0, cancelled: 3, refunded: 3 },
      ],
      parcels: [
        { parcel: 1, trackingNumber: 'WO202611257K3M9QXA2B', deliveredAt: AT },
        { parcel: 2, trackingNumber: 'WO202611257K3M9QXA2BP2', deliveredAt: AT },
      ],
      parcelItems: [
        { parcel: 1, line: 1, quantity: 1 },
        { parcel: 2, line: 1, quantity: 1 },
      ],
      refunds: [{ kind: 'cancelled', amount: '30.00', reason: 'cancelled by the wholesaler' }],
      refundItems: [{ refund: 1, line: 2, refunded: 3, cancelled: 3, amount: '30.00' }],
    });
    expect(parts.timeline.map(({ status }) => status)).toEqual([
      'awaiting_payment',
      'pending',
      'shipped',
      'delivered',
    ]);
    const rest = after('paid', 'partly_shipped', 'line_cancelled', 'line_cancelled');
    expect(rest).toMatchObject({ status: 'shipped', cancelReason: null, items: [{ cancelled: 1 }, {}] });
  });

  it('delivers the parcels that left, and waits for the rest', () => {
    const delivered = after('paid', 'partly_shipped', 'delivered');
    expect(delivered).toMatchObject({ status: 'pending', parcels: [{ deliveredAt: AT }] });
    const one = { ...after('paid'), items: [item(1, 1)] };
    expect(refusal('partly_shipped', one)).toEqual({
      refused: 'Only one unit is left, so it leaves whole: use the step shipped.',
    });
    expect(refusal('line_cancelled', one)).toEqual({
      refused: 'Only one line waits: use the step cancelled for the whole order.',
    });
    for (const items of [[item(1, 2)], [item(1, 1), item(2, 1)]])
      expect(refusal('partly_shipped', { ...one, items })).toMatchObject({
        status: 'pending',
        parcelItems: [{ parcel: 1, line: 1, quantity: 1 }],
      });
    expect(after('paid', 'line_cancelled')).toMatchObject({
      status: 'pending',
      items: [{ cancelled: 0 }, { cancelled: 3 }],
    });
    // The rules of real orders refuse other statuses.
    const unpaid = { ...PLACED_ORDER, items: [item(1, 1)] };
    expect(refusal('partly_shipped', unpaid)).toEqual({
      refused: 'An order that is awaiting payment cannot be shipped.',
    });
    expect(refusal('line_cancelled', unpaid)).toEqual({
      refused: 'Lines of an unpaid order cannot be cancelled, only the whole order.',
    });
    expect(refusal('partly_shipped', after('paid', 'shipped'))).toHaveProperty('refused');
  });

  it('is refunded by units and by an amount', () => {
    const refunded = after('paid', 'shipped', 'line_refunded', 'amount_refunded');
    expect(refunded).toMatchObject({
      status: 'shipped',
      paymentStatus: 'paid',
      refundedAmount: '11.00',
      items: [{ refunded: 1 }, { refunded: 0 }],
      refunds: [
        {
          refund: 1,
          kind: 'lines',
          amount: '10.00',
          refundedAt: AT,
          reason: 'refunded for a test',
          actor: 'test',
        },
        { refund: 2, kind: 'amount', amount: '1.00' },
      ],
      refundItems: [{ refund: 1, line: 1, refunded: 1, cancelled: 0, amount: '10.00' }],
    });
    const almost = { ...refunded, refundedAmount: '56.50' };
    const all = advanceOrder(almost, 'amount_refunded', MOMENT) as TestOrder;
    expect(all).toMatchObject({ paymentStatus: 'refunded', refundedAmount: '57.00' });
    expect(refusal('amount_refunded', all)).toEqual({
      refused: 'All that was paid for the order is refunded already.',
    });
    const items = refunded.items.map((one) => ({ ...one, refunded: one.quantity }));
    expect(refusal('line_refunded', { ...refunded, items })).toEqual({
      refused: 'All units of the order are refunded already.',
    });
  });

  it('expires', () => {
    expect(after('expired')).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
  });

  it.each([
    ['shipped', 'An order that is awaiting payment cannot be shipped.'],
    ['delivered', 'An order that is awaiting payment cannot be delivered.'],
    ['partly_shipped', 'An order that is awaiting payment cannot be shipped.'],
    ['line_cancelled', 'Lines of an unpaid order cannot be cancelled, only the whole order.'],
    ['line_refunded', 'An unpaid order cannot be refunded.'],
    ['amount_refunded', 'An unpaid order cannot be refunded.'],
    ['return_requested', 'No unit of the order can be returned. The order is awaiting payment.'],
    ['return_refused', 'The order has no return that waits for a decision.'],
  ] as const)('is not %s before it is paid', (step, refused) => {
    expect(refusal(step)).toEqual({ refused });
  });

  it('is not paid or expired twice', () => {
    expect(refusal('paid', after('paid'))).toEqual({ refused: 'An order that is pending cannot be paid.' });
    expect(refusal('expired', after('paid'))).toEqual({
      refused: 'An order that is pending cannot be expired.',
    });
  });
});

const PARTLY = 'One unit did not arrive, and one is damaged.';

describe('A return of a test order', () => {
  const shipped = after('paid', 'shipped');
  const made = {
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

  it('is asked for with all units', () => {
    const requested = after('paid', 'shipped', 'return_requested');
    expect(requested.returns).toEqual([{ ...made, returnNumber: 'RT-2', reason: 'Test' }]);
    expect(requested.returnItems).toEqual([
      { returnNumber: 'RT-2', line: 1, quantity: 2, received: null, restocked: 0 },
      { returnNumber: 'RT-2', line: 2, quantity: 3, received: null, restocked: 0 },
    ]);
    expect(requested.items.map(({ returned }) => returned)).toEqual([2, 3]);
    expect(refusal('return_requested', requested)).toEqual({
      refused: 'No unit of the order can be returned. The order is shipped.',
    });
  });

  it('names some units, with the id and the note of the store, beside another one', () => {
    const first = {
      ...shipped,
      ...withReturn(shipped, { lines: [{ line: 2, quantity: 1 }], ...TORN }, MOMENT),
    };
    const lines = [
      { line: 2, quantity: 2 },
      { line: 1, quantity: 1 },
    ];
    const given = { lines, reason: 'torn', note: 'blue', storeReturnId: 'R-7' };
    const second = withReturn(first, given, { ...MOMENT, returnNumber: 'RT-9' });
    expect(second.returns).toEqual([
      { ...made, returnNumber: 'RT-1', ...TORN },
      { ...made, returnNumber: 'RT-9', reason: 'torn', note: 'blue', storeReturnId: 'R-7' },
    ]);
    expect(second.returnItems!.map(({ returnNumber, line }) => [returnNumber, line])).toEqual([
      ['RT-1', 2],
      ['RT-9', 2],
      ['RT-9', 1],
    ]);
    expect(second.items.map(({ returned }) => returned)).toEqual([1, 3]);
  });

  it('is received but for one unit, with one written off, and the rest later, each with its refund', () => {
    const partly = after('paid', 'shipped', 'return_requested', 'return_partly_received');
    expect(partly).toMatchObject({
      paymentStatus: 'paid',
      refundedAmount: '40.00',
      items: [
        { returned: 1, refunded: 1 },
        { returned: 3, refunded: 3 },
      ],
      returns: [{ returnNumber: 'RT-2', state: 'partly_received', decidedAt: AT, decision: PARTLY }],
      returnItems: [
        { line: 1, quantity: 2, received: 1, restocked: 1 },
        { line: 2, quantity: 3, received: 3, restocked: 2 },
      ],
      refunds: [{ refund: 1, kind: 'returned', amount: '40.00', returnNumber: 'RT-2', refundedAt: AT }],
      refundItems: [
        { refund: 1, line: 1, refunded: 1, amount: '10.00' },
        { refund: 1, line: 2, refunded: 3, amount: '30.00' },
      ],
    });
    const rest = advanceOrder(partly, 'return_requested', { ...MOMENT, returnNumber: 'RT-9' }) as TestOrder;
    expect(refusal('return_partly_received', rest)).toEqual({
      refused: 'The return has only one unit, so it cannot arrive in part.',
    });
    const whole = advanceOrder(rest, 'return_received', MOMENT) as TestOrder;
    expect(whole).toMatchObject({
      paymentStatus: 'paid',
      refundedAmount: '50.00',
      items: [
        { returned: 2, refunded: 2 },
        { returned: 3, refunded: 3 },
      ],
      returns: [{ state: 'partly_received' }, { returnNumber: 'RT-9', state: 'received' }],
      returnItems: [
        { returnNumber: 'RT-2', line: 1, received: 1 },
        { returnNumber: 'RT-2', line: 2, received: 3 },
        { returnNumber: 'RT-9', line: 1, received: 1 },
      ],
      refunds: [{ refund: 1 }, { refund: 2, amount: '10.00', returnNumber: 'RT-9' }],
      refundItems: [{ refund: 1 }, { refund: 1 }, { refund: 2, line: 1, refunded: 1 }],
    });
    for (const step of ['return_received', 'return_partly_received'] as const)
      expect(refusal(step, whole)).toEqual({
        refused: 'The order has no return that waits for a decision.',
      });
  });

  it('is partly received if no unit of one line came, and refunds no more than was paid', () => {
    const lines = [
      { line: 1, quantity: 1 },
      { line: 2, quantity: 3 },
    ];
    const open = { ...shipped, ...withReturn(shipped, { lines, ...TORN }, MOMENT) };
    expect(advanceOrder(open, 'return_partly_received', MOMENT)).toMatchObject({
      refundedAmount: '30.00',
      returns: [{ state: 'partly_received' }],
      returnItems: [{ received: 0 }, { received: 3 }],
    });
    expect(advanceOrder({ ...open, refundedAmount: '45.00' }, 'return_received', MOMENT)).toMatchObject({
      paymentStatus: 'refunded',
      refundedAmount: '57.00',
    });
    const paidBack = { ...open, refundedAmount: '57.00', paymentStatus: 'refunded' } as const;
    expect(advanceOrder(paidBack, 'return_received', MOMENT)).toMatchObject({
      refundedAmount: '57.00',
      returns: [{ state: 'received' }],
      refunds: null,
    });
  });

  it('is refused: its units, and no others, can come back again', () => {
    const first = {
      ...shipped,
      ...withReturn(shipped, { lines: [{ line: 2, quantity: 1 }], ...TORN }, MOMENT),
    };
    const refused = advanceOrder(first, 'return_refused', MOMENT) as TestOrder;
    const decided = { state: 'refused', decidedAt: AT, decision: 'refused for a test' };
    expect(refused).toEqual({
      ...first,
      returns: [{ ...made, returnNumber: 'RT-1', ...TORN, ...decided }],
      returnItems: first.returnItems!.map((one) => ({ ...one, received: 0 })),
      items: shipped.items,
    });
    expect(refusal('return_refused', refused)).toHaveProperty('refused');
    const again = { now: new Date(AT + 5), returnNumber: 'RT-2' };
    const lines = [{ line: 2, quantity: 2 }];
    const open = { ...refused, ...withReturn(refused, { lines, ...TORN }, again) };
    const last = advanceOrder(open, 'return_refused', again) as TestOrder;
    expect(last.items.map(({ returned }) => returned)).toEqual([0, 0]);
    expect(last.returns!.map(({ state }) => state)).toEqual(['refused', 'refused']);
    expect(last.returns![0]).toEqual(refused.returns![0]);
    expect(last.returnItems!.map(({ received }) => received)).toEqual([0, 0]);
  });
});
