import { requireReviewedAmounts, planPayment } from './plan-payment.js';

describe('planPayment', () => {
  it('charges the gateway with the amount that the wallet lacks', () => {
    expect(planPayment(50_000, 20_000)).toEqual({ total: 50_000, balance: 20_000, charge: 30_000 });
  });

  it('charges nothing when the balance is sufficient', () => {
    expect(planPayment(50_000, 50_000)).toMatchObject({ total: 50_000, charge: 0 });
    expect(planPayment(0, 0)).toMatchObject({ total: 0, charge: 0 });
  });

  it('charges at least the minimum of the gateway', () => {
    expect(planPayment(50_000, 49_999)).toMatchObject({ total: 50_000, charge: 100 });
  });
});

describe('checkShown', () => {
  it('accepts the shown amounts', () => {
    expect(() => requireReviewedAmounts({ total: 500, balance: 200 }, planPayment(500, 200))).not.toThrow();
  });

  it('ignores the balance beyond the total', () => {
    expect(() => requireReviewedAmounts({ total: 500, balance: 900 }, planPayment(500, 700))).not.toThrow();
  });

  it.each([
    { total: 50_001, balance: 20_000 },
    { total: 50_000, balance: 20_001 },
    { total: 50_000, balance: 50_000 },
    { total: 60_000, balance: 30_000 },
  ])('refuses other amounts than shown, and names both: %j', (reviewed) => {
    expect(() => requireReviewedAmounts(reviewed, planPayment(50_000, 20_000))).toThrow(
      /^The page showed .* It is now 500.00 with 300.00/,
    );
  });

  it('reports both in numbers', () => {
    expect(() =>
      requireReviewedAmounts({ total: 60_000, balance: 5_000 }, planPayment(50_000, 20_000)),
    ).toThrow(
      expect.objectContaining({
        code: 'total_changed',
        facts: { shown: 600, shown_balance: 50, shown_charge: 550, total: 500, balance: 200, charge: 300 },
      }),
    );
  });
});
