import { type Attempt, judgeAttempts, type Known } from './judge-attempts.js';

const ASKED = { amount: 50_000, currency: 'INR' };
const NOTHING: Known = { credited: new Set(), elsewhere: new Set(), refunded: new Map() };

const attempt = (facts: Partial<Attempt> = {}): Attempt => ({
  gatewayPaymentId: 'pay_1',
  amount: 50_000,
  currency: 'INR',
  status: 'captured',
  amountRefunded: 0,
  ...facts,
});

const judge = (attempts: Attempt[], known: Partial<Known> = {}) =>
  judgeAttempts(attempts, ASKED, { ...NOTHING, ...known });

describe('judgeAttempts', () => {
  it('credits what was captured, once', () => {
    expect(judge([attempt()]).credits).toEqual([attempt()]);
    expect(judge([attempt()], { credited: new Set(['pay_1']) }).credits).toEqual([]);
  });

  it('credits a second payment of the same order as well: it is the client’s money', () => {
    const twice = [attempt(), attempt({ gatewayPaymentId: 'pay_2' })];
    expect(judge(twice).credits).toHaveLength(2);
    expect(judge(twice, { credited: new Set(['pay_1']) }).credits).toEqual([twice[1]]);
  });

  it('credits no payment twice that the gateway names twice, here or elsewhere, and wants a person', () => {
    const twice = judge([attempt(), attempt()]);
    expect([twice.credits, twice.concern]).toEqual([[attempt()], 'payment_reused']);
    const elsewhere = judge([attempt()], { elsewhere: new Set(['pay_1']) });
    expect([elsewhere.credits, elsewhere.concern]).toEqual([[], 'payment_reused']);
    expect(judge([attempt()], { elsewhere: new Set(['pay_2']) }).concern).toBeUndefined();
  });

  it.each(['created', 'authorized', 'failed', 'refunded'] as const)(
    'credits nothing that is %s',
    (status) => {
      expect(judge([attempt({ status })]).credits).toEqual([]);
    },
  );

  it('knows that money is on its way once the bank has said yes', () => {
    expect(judge([attempt({ status: 'failed' }), attempt({ status: 'authorized' })]).isUnderway).toBe(true);
    expect(judge([attempt({ status: 'created' }), attempt({ status: 'failed' })]).isUnderway).toBe(false);
  });

  it.each([{ amount: 49_999 }, { amount: 50_001 }, { currency: 'USD' }])(
    'does not believe %j, and has a person look',
    (facts) => {
      expect(judge([attempt(facts)])).toMatchObject({ credits: [], concern: 'amount_differs' });
    },
  );

  it('has a person look where money went back that nobody here sent back', () => {
    const credited = new Set(['pay_1']);
    const back = attempt({ amountRefunded: 20_000 });
    expect(judge([back], { credited }).concern).toBe('refunded_elsewhere');
    expect(judge([attempt({ gatewayPaymentId: 'pay_2' }), back], { credited }).concern).toBe(
      'refunded_elsewhere',
    );
    expect(judge([back], { credited, refunded: new Map([['pay_1', 20_000]]) }).concern).toBeUndefined();
    expect(judge([{ ...back, status: 'refunded' }], { credited }).concern).toBe('refunded_elsewhere');
  });

  it('credits nothing of which a part went back already, and has a person look', () => {
    expect(judge([attempt({ amountRefunded: 1 })])).toMatchObject({
      credits: [],
      concern: 'refunded_elsewhere',
    });
  });

  it('leaves alone what was sent back before it was ever credited', () => {
    expect(judge([attempt({ status: 'refunded', amountRefunded: 50_000 })])).toMatchObject({
      credits: [],
      concern: undefined,
    });
  });
});
