import type { PricedOrder, TakeBackRequest } from './order-steps.js';
import type { PricedLine } from './order-units.js';
import {
  type RecordedRefund,
  type RefundPart,
  refundsInForce,
  refundsToBill,
  takeBackStep,
} from './take-back.js';

const order = (given: Partial<PricedOrder> = {}): PricedOrder => ({
  status: 'shipped',
  paymentStatus: 'paid',
  total: 10_000,
  delivery: 1_000,
  refunded: 6_000,
  ...given,
});
const lines = (cancelled = 0): PricedLine[] => [
  { line: 1, quantity: 9, unitPrice: 1_000, shipped: 0, cancelled, refunded: 2, returned: 0 },
  { line: 2, quantity: 1, unitPrice: 0, shipped: 0, cancelled: 0, refunded: 0, returned: 0 },
];
const refund = (number: number, given: Partial<RecordedRefund> = {}): RecordedRefund => ({
  refund: number,
  kind: 'amount',
  amount: 5_000,
  takesBack: null,
  returnNumber: null,
  lines: [],
  ...given,
});
const taken = (number: number, amount: number, takesBack = 1) =>
  refund(number, { kind: 'taken_back', amount: -amount, takesBack });

const takeBackRequest = (takesBack: number, amount?: number): TakeBackRequest => ({
  kind: 'taken_back',
  takesBack,
  amount,
  reason: 'typed too high',
  key: 'k',
});

describe('A refund that is taken back', () => {
  const next = { status: 'shipped', paymentStatus: 'paid', stock: 'none', money: 'refund' };

  it('goes back from the wallet: all that is left of it, or a part', () => {
    const refunds = [refund(1), refund(2, { amount: 700 }), taken(3, 1_500)];
    const expected = { kind: 'taken_back', takesBack: 1, reason: 'typed too high', key: 'k', items: [] };
    expect(takeBackStep(order(), lines(), refunds, takeBackRequest(1))).toEqual({
      ...next,
      refund: { ...expected, amount: -3_500 },
    });
    expect(takeBackStep(order(), lines(), refunds, takeBackRequest(1, 3_499))).toEqual({
      ...next,
      refund: { ...expected, amount: -3_499 },
    });
    expect(takeBackStep(order(), lines(), refunds, takeBackRequest(1, 3_501))).toEqual({
      refused: 'Only 35.00 of refund 1 can be taken back.',
    });
    expect(takeBackStep(order(), lines(), refunds, takeBackRequest(2))).toMatchObject({
      refund: { amount: -700 },
    });
  });

  it('makes a refunded order a paid one, and leaves its status', () => {
    const whole = order({ status: 'delivered', paymentStatus: 'refunded', refunded: 10_000 });
    expect(takeBackStep(whole, lines(), [refund(1)], takeBackRequest(1, 1))).toMatchObject({
      status: 'delivered',
      paymentStatus: 'paid',
    });
  });

  it('of lines or a return takes back their units, and only as a whole', () => {
    const units = [
      { line: 1, refunded: 2, amount: 1_900 },
      { line: 2, refunded: 0, amount: 0 },
    ];
    const refunds = [refund(1, { kind: 'returned', amount: 1_900, returnNumber: 'RT-1', lines: units })];
    expect(takeBackStep(order(), lines(), refunds, takeBackRequest(1, 1_900))).toMatchObject({
      refund: {
        amount: -1_900,
        returnNumber: 'RT-1',
        items: [
          { line: 1, refunded: -2, amount: -1_900 },
          { line: 2, refunded: 0, amount: 0 },
        ],
      },
    });
    expect(takeBackStep(order(), lines(), refunds, takeBackRequest(1, 1_899))).toEqual({
      refused:
        'Refund 1 is for lines, a return or the delivery. Take it back as a whole: 19.00. ' +
        'Then refund the right part.',
    });
  });

  it('is one that the order has, and of which something is left', () => {
    const refunds = [refund(1), taken(2, 5_000), refund(3, { kind: 'returned', amount: 0 })];
    const nothing = (number: number) => `Refund ${number} has nothing left to take back.`;
    const refused = (number: number) => takeBackStep(order(), lines(), refunds, takeBackRequest(number));
    expect(refused(1)).toEqual({ refused: nothing(1) });
    expect(refused(2)).toEqual({ refused: 'The order has no refund 2.' });
    expect(refused(3)).toEqual({ refused: nothing(3) });
    expect(refused(4)).toEqual({ refused: 'The order has no refund 4.' });
  });

  it('leaves with the client what was paid for cancelled goods', () => {
    const stays = 'A refund for cancelled goods cannot be taken back. The store can order them again.';
    const refunds = [refund(1), refund(2, { kind: 'cancelled', amount: 1_000 })];
    expect(takeBackStep(order(), lines(1), refunds, takeBackRequest(2))).toEqual({ refused: stays });
    const cancelled = order({ status: 'cancelled', paymentStatus: 'refunded' });
    expect(takeBackStep(cancelled, lines(), refunds, takeBackRequest(1))).toEqual({ refused: stays });
    expect(takeBackStep(order(), lines(1), refunds, takeBackRequest(1))).toHaveProperty(
      'refund.amount',
      -5_000,
    );
    expect(takeBackStep(order({ refunded: 5_999 }), lines(1), refunds, takeBackRequest(1))).toEqual({
      refused: '10.00 was paid for cancelled goods and stays refunded.',
    });
    // Its units were refunded first, and cancelled then.
    const paid = (refunded: number) => {
      const item = { line: 1, refunded, amount: 100 };
      return takeBackStep(
        order(),
        lines(1),
        [refund(1, { kind: 'lines', amount: 100, lines: [item] })],
        takeBackRequest(1),
      );
    };
    const other = [...lines().slice(0, 1), { ...lines()[1]!, cancelled: 1, refunded: 1 }];
    const itemOf = (number: number) => ({ line: number, refunded: 1, amount: 100 });
    const both = (number: number) =>
      takeBackStep(
        order(),
        other,
        [refund(1, { kind: 'lines', lines: [itemOf(number)] })],
        takeBackRequest(1),
      );
    expect(both(1)).toHaveProperty('refund');
    expect(both(2)).toHaveProperty('refused');
    expect(paid(1)).toHaveProperty('refund');
    expect(paid(2)).toHaveProperty('refused');
  });

  it('is offered with what is left of it', () => {
    const refunds = [
      refund(1),
      taken(2, 1_500),
      refund(3, { kind: 'cancelled' }),
      refund(4, { kind: 'lines', amount: 100 }),
      taken(5, 100, 4),
    ];
    expect(refundsInForce(refunds).map((one) => [one.refund, one.left])).toEqual([[1, 3_500]]);
  });
});

describe('What documents need of refunds', () => {
  const part = (number: number, given: Partial<RefundPart>): RefundPart => ({
    refund: number,
    kind: 'lines',
    takesBack: null,
    reason: `reason ${number}`,
    line: null,
    amount: 100,
    ...given,
  });
  const back = (number: number, takesBack: number, amount = -100) =>
    part(number, { kind: 'taken_back', takesBack, amount });

  it('are their lines; the delivery is line 0, also if it is taken back', () => {
    const { refunded } = refundsToBill([
      part(1, { line: 2, units: 3 }),
      part(2, { kind: 'amount' }),
      part(3, { kind: 'delivery' }),
      back(4, 3),
      back(5, 2),
    ]);
    expect(refunded).toEqual([
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
    const { refunded } = refundsToBill([
      part(1, { kind: 'amount', isCommercial: true }),
      part(2, { kind: 'amount', isCommercial: false }),
      back(3, 1),
      back(4, 2),
    ]);
    expect(refunded.map(({ refund: number, isCommercial }) => [number, isCommercial])).toEqual([
      [1, true],
      [2, undefined],
      [3, true],
      [4, undefined],
    ]);
  });

  it('is the reason of the newest that was not taken back, and was not for cancelled goods', () => {
    const reasonOf = (...parts: RefundPart[]) => refundsToBill(parts).reason;
    const two = [part(1, { line: 1 }), part(2, { line: 1 }), part(2, { line: 2 })];
    expect(reasonOf(...two)).toBe('reason 2');
    expect(reasonOf(...two, part(3, { kind: 'cancelled' }))).toBe('reason 2');
    expect(reasonOf(...two, back(3, 2))).toBe('reason 2');
    expect(reasonOf(...two, back(3, 2), back(4, 2))).toBe('reason 1');
    expect(reasonOf(part(1, {}), back(2, 1))).toBeNull();
    expect(reasonOf()).toBeNull();
  });
});
