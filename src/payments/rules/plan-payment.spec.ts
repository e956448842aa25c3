import { checkShown, planPayment } from './plan-payment.js';

describe('planPayment', () => {
  it('takes from the gateway what the wallet lacks', () => {
    expect(planPayment(50_000, 20_000)).toEqual({ total: 50_000, charge: 30_000 });
  });

  it('takes nothing from it where the wallet holds enough', () => {
    expect(planPayment(50_000, 50_000)).toEqual({ total: 50_000, charge: 0 });
    expect(planPayment(0, 0)).toEqual({ total: 0, charge: 0 });
  });

  it('takes no less than a gateway takes', () => {
    expect(planPayment(50_000, 49_999)).toEqual({ total: 50_000, charge: 100 });
  });
});

describe('checkShown', () => {
  const plan = { total: 50_000, charge: 30_000 };

  it('lets through what was shown, and whoever was shown nothing', () => {
    expect(() => checkShown({ ...plan }, plan)).not.toThrow();
    expect(() => checkShown(undefined, plan)).not.toThrow();
  });

  it.each([
    { total: 50_001, charge: 30_000 },
    { total: 50_000, charge: 29_999 },
  ])('refuses another amount, and tells both: %j', (shown) => {
    expect(() => checkShown(shown, plan)).toThrow(/You were shown .* but it is 500.00 with 300.00/);
  });
});
