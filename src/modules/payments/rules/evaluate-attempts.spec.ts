import { type Attempt, evaluateAttempts, type RecordedAttempts } from './evaluate-attempts.js';

const EXPECTED = { amount: 50_000, currency: 'INR' };
const NOTHING: RecordedAttempts = { credited: new Set(), creditedToOthers: new Set(), refunded: new Map() };

const attempt = (facts: Partial<Attempt> = {}): Attempt => ({
  gatewayPaymentId: 'pay_1',
  amount: 50_000,
  currency: 'INR',
  status: 'captured',
  amountRefunded: 0,
  ...facts,
});

const evaluate = (attempts: Attempt[], known: Partial<RecordedAttempts> = {}) =>
  evaluateAttempts(attempts, EXPECTED, { ...NOTHING, ...known });

describe('judgeAttempts', () => {
  it('credits a captured attempt once', () => {
    expect(evaluate([attempt()]).credits).toEqual([attempt()]);
    expect(evaluate([attempt()], { credited: new Set(['pay_1']) }).credits).toEqual([]);
  });

  it('credits a second payment of the same order too, because the money belongs to the client', () => {
    const twice = [attempt(), attempt({ gatewayPaymentId: 'pay_2' })];
    expect(evaluate(twice).credits).toHaveLength(2);
    expect(evaluate(twice, { credited: new Set(['pay_1']) }).credits).toEqual([twice[1]]);
  });

  it('reports a double payment until all but one of its attempts are refunded', () => {
    const twice = [attempt(), attempt({ gatewayPaymentId: 'pay_2' })];
    expect(evaluate(twice).concern).toBe('paid_twice');
    const credited = new Set(['pay_1', 'pay_2']);
    expect(evaluate(twice, { credited }).concern).toBe('paid_twice');
    expect(evaluate(twice, { credited, refunded: new Map([['pay_2', 49_999]]) }).concern).toBe('paid_twice');
    expect(evaluate(twice, { credited, refunded: new Map([['pay_2', 50_000]]) }).concern).toBeUndefined();
    const second = attempt({ gatewayPaymentId: 'pay_2', status: 'failed' });
    expect(evaluate([attempt(), second], { credited: new Set(['pay_1']) }).concern).toBeUndefined();
  });

  it('credits a reused payment id once, here or elsewhere, and reports it', () => {
    const twice = evaluate([attempt(), attempt()]);
    expect([twice.credits, twice.concern]).toEqual([[attempt()], 'payment_reused']);
    const elsewhere = evaluate([attempt()], { creditedToOthers: new Set(['pay_1']) });
    expect([elsewhere.credits, elsewhere.concern]).toEqual([[], 'payment_reused']);
    expect(evaluate([attempt()], { creditedToOthers: new Set(['pay_2']) }).concern).toBeUndefined();
  });

  it.each(['created', 'authorized', 'failed', 'refunded'] as const)(
    'does not credit a payment that is %s',
    (status) => {
      expect(evaluate([attempt({ status })]).credits).toEqual([]);
    },
  );

  it('is under way after the bank has authorized', () => {
    expect(evaluate([attempt({ status: 'failed' }), attempt({ status: 'authorized' })]).isUnderway).toBe(
      true,
    );
    expect(evaluate([attempt({ status: 'created' }), attempt({ status: 'failed' })]).isUnderway).toBe(false);
  });

  it.each([{ amount: 49_999 }, { amount: 50_001 }, { currency: 'USD' }])(
    'does not credit %j, and reports it',
    (facts) => {
      expect(evaluate([attempt(facts)])).toMatchObject({ credits: [], concern: 'amount_differs' });
    },
  );

  it('reports a refund that was not made here', () => {
    const credited = new Set(['pay_1']);
    const back = attempt({ amountRefunded: 20_000 });
    expect(evaluate([back], { credited }).concern).toBe('refunded_elsewhere');
    expect(evaluate([attempt({ gatewayPaymentId: 'pay_2' }), back], { credited }).concern).toBe(
      'refunded_elsewhere',
    );
    expect(evaluate([back], { credited, refunded: new Map([['pay_1', 20_000]]) }).concern).toBeUndefined();
    expect(evaluate([{ ...back, status: 'refunded' }], { credited }).concern).toBe('refunded_elsewhere');
  });

  it('does not credit a partly refunded payment, and reports it', () => {
    expect(evaluate([attempt({ amountRefunded: 1 })])).toMatchObject({
      credits: [],
      concern: 'refunded_elsewhere',
    });
  });

  it('ignores a payment that was refunded before it was credited', () => {
    expect(evaluate([attempt({ status: 'refunded', amountRefunded: 50_000 })])).toMatchObject({
      credits: [],
      concern: undefined,
    });
  });
});
