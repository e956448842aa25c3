import { orderLine } from '../../../../test/support/line-units.js';
import type { PricedOrder } from './order-steps.js';
import type { PricedLine } from './order-units.js';
import { refundsInForce, refundsToBill, takeBackStep } from './take-back.js';
import type { RecordedRefund, RefundPart } from './take-back.js';

const order = (given: Partial<PricedOrder> = {}): PricedOrder => ({
  status: 'shipped',
  paymentStatus: 'paid',
  total: 100_00,
  delivery: 10_00,
  refunded: 60_00,
  ...given,
});
const refund = (number: number, given: Partial<RecordedRefund> = {}): RecordedRefund => ({
  refund: number,
  kind: 'amount',
  amount: 50_00,
  takesBack: null,
  returnNumber: null,
  lines: [],
  ...given,
});
const taken = (number: number, amount: number, takesBack = 1) =>
  refund(number, { kind: 'taken_back', amount: -amount, takesBack });
const item = (line: number, refunded: number, amount: number) => ({ line, refunded, amount });

const WHY = { kind: 'taken_back', reason: 'typed too high', key: 'k' } as const;
const LINES = [orderLine(1, 9, { refunded: 2 }), orderLine(2, 1, { unitPrice: 0 })];
const ONE_CANCELLED = [orderLine(1, 9, { refunded: 2, cancelled: 1 }), LINES[1]!];

function takeBack(
  refunds: RecordedRefund[],
  {
    of = 1,
    amount,
    from = order(),
    lines = LINES,
  }: { of?: number; amount?: number; from?: PricedOrder; lines?: PricedLine[] } = {},
) {
  return takeBackStep(from, lines, refunds, { ...WHY, takesBack: of, amount });
}

describe('A refund that is taken back', () => {
  const TWO = [refund(1), refund(2, { amount: 7_00 }), taken(3, 15_00)];

  it.each([
    ['all that is left of it', { of: 1 }, -35_00],
    ['a part', { of: 1, amount: 34_99 }, -34_99],
    ['another one as a whole', { of: 2 }, -7_00],
  ])('goes back from the wallet: %s', (_, request, amount) => {
    const planned = { ...WHY, takesBack: request.of, amount, items: [] };
    const state = { status: 'shipped', paymentStatus: 'paid', stock: 'none' };
    expect(takeBack(TWO, request)).toEqual({ ...state, refund: planned });
  });

  it('makes a refunded order a paid one, and leaves its status', () => {
    const from = order({ status: 'delivered', paymentStatus: 'refunded', refunded: 100_00 });
    const after = { status: 'delivered', paymentStatus: 'paid' };
    expect(takeBack([refund(1)], { amount: 1, from })).toMatchObject(after);
  });

  const lines = [item(1, 2, 19_00), item(2, 0, 0)];
  const OF_RETURN = refund(1, { kind: 'returned', amount: 19_00, returnNumber: 'RT-1', lines });

  it('of a return takes back its units', () => {
    const items = [item(1, -2, -19_00), item(2, 0, 0)];
    expect(takeBack([OF_RETURN], { amount: 19_00 })).toMatchObject({
      refund: { amount: -19_00, returnNumber: 'RT-1', items },
    });
  });

  const WHOLE =
    'Refund 1 is for lines, a return or the delivery. Take it back as a whole: 19.00. ' +
    'Then refund the right part.';
  const CANCELLED = 'A refund for cancelled goods cannot be taken back. The store can order them again.';
  const KEPT = '10.00 was paid for cancelled goods and stays refunded.';
  const USED = [refund(1), taken(2, 50_00), refund(3, { kind: 'returned', amount: 0 })];

  it.each<[string, RecordedRefund[], Parameters<typeof takeBack>[1]]>([
    ['Only 35.00 of refund 1 can be taken back.', TWO, { amount: 35_01 }],
    [WHOLE, [OF_RETURN], { amount: 18_99 }],
    ['Refund 1 has nothing left to take back.', USED, { of: 1 }],
    ['The order has no refund 2.', USED, { of: 2 }],
    ['Refund 3 has nothing left to take back.', USED, { of: 3 }],
    ['The order has no refund 4.', USED, { of: 4 }],
    [CANCELLED, [refund(1, { kind: 'cancelled', amount: 10_00 })], { lines: ONE_CANCELLED }],
    [CANCELLED, [refund(1)], { from: order({ status: 'cancelled', paymentStatus: 'refunded' }) }],
    [KEPT, [refund(1)], { from: order({ refunded: 59_99 }), lines: ONE_CANCELLED }],
  ])('is refused: %s', (refused, refunds, request) => {
    expect(takeBack(refunds, request)).toEqual({ refused });
  });

  it.each([
    ['is possible', ONE_CANCELLED, item(1, 1, 1_00)],
    ['is refused', ONE_CANCELLED, item(1, 2, 1_00)],
    ['is possible', [LINES[0]!, orderLine(2, 1, { cancelled: 1, refunded: 1 })], item(1, 1, 1_00)],
    ['is refused', [LINES[0]!, orderLine(2, 1, { cancelled: 1, refunded: 1 })], item(2, 1, 1_00)],
  ])('%s beside units that were refunded first and cancelled then', (possible, ofOrder, one) => {
    const refunds = [refund(1, { kind: 'lines', amount: 1_00, lines: [one] })];
    const step = takeBack(refunds, { lines: ofOrder });
    expect('refund' in step).toBe(possible === 'is possible');
  });

  it('may leave exactly what was paid for cancelled goods', () => {
    expect(takeBack([refund(1)], { lines: ONE_CANCELLED })).toHaveProperty('refund.amount', -50_00);
  });

  it('is offered with what is left of it', () => {
    const ofLines = refund(4, { kind: 'lines', amount: 1_00 });
    const refunds = [
      refund(1),
      taken(2, 15_00),
      refund(3, { kind: 'cancelled' }),
      ofLines,
      taken(5, 1_00, 4),
    ];
    expect(refundsInForce(refunds).map((one) => [one.refund, one.left])).toEqual([[1, 35_00]]);
  });
});

describe('What documents need of refunds', () => {
  const part = (number: number, given: Partial<RefundPart> = {}): RefundPart => ({
    refund: number,
    kind: 'lines',
    takesBack: null,
    reason: `reason ${number}`,
    line: null,
    amount: 100,
    ...given,
  });
  const back = (number: number, takesBack: number) =>
    part(number, { kind: 'taken_back', takesBack, amount: -100 });

  it('are their lines; the delivery is line 0, also if it is taken back', () => {
    const parts = [
      part(1, { line: 2, units: 3 }),
      part(2, { kind: 'amount' }),
      part(3, { kind: 'delivery' }),
    ];
    expect(refundsToBill([...parts, back(4, 3), back(5, 2)]).refunded).toEqual([
      { refund: 1, of: 1, line: 2, amount: 100, units: 3, reason: 'reason 1', reasonCode: '01' },
      { refund: 2, of: 2, line: null, amount: 100, reason: 'reason 2', reasonCode: '02' },
      { refund: 3, of: 3, line: 0, amount: 100, reason: 'reason 3', reasonCode: '07' },
      { refund: 4, of: 3, line: 0, amount: -100, reason: 'reason 4', reasonCode: '07' },
      { refund: 5, of: 2, line: null, amount: -100, reason: 'reason 5', reasonCode: '07' },
    ]);
  });

  it('say which are of cancelled units', () => {
    const { refunded } = refundsToBill([part(1, { kind: 'cancelled', line: 1 }), part(2, { line: 1 })]);
    expect(refunded.map(({ isCancelled }) => isCancelled)).toEqual([true, undefined]);
  });

  it('are commercial with the refund that is taken back', () => {
    const commercial = [true, false].map((isCommercial, at) =>
      part(at + 1, { kind: 'amount', isCommercial }),
    );
    const { refunded } = refundsToBill([...commercial, back(3, 1), back(4, 2)]);
    expect(refunded.map(({ isCommercial }) => isCommercial)).toEqual([true, undefined, true, undefined]);
  });

  const TWO = [part(1, { line: 1 }), part(2, { line: 1 }), part(2, { line: 2 })];

  it.each([
    ['the newest one', TWO, 'reason 2'],
    ['no refund of cancelled goods', [...TWO, part(3, { kind: 'cancelled' })], 'reason 2'],
    ['one of which a part is taken back', [...TWO, back(3, 2)], 'reason 2'],
    ['an older one, if the newest is taken back', [...TWO, back(3, 2), back(4, 2)], 'reason 1'],
    ['none, if all are taken back', [part(1), back(2, 1)], null],
    ['none without refunds', [], null],
  ])('have the reason of %s', (_, parts, reason) => {
    expect(refundsToBill(parts).reason).toBe(reason);
  });
});
