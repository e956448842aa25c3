import { backOff, nextCheck } from './next-check.js';

describe('nextCheck', () => {
  it('checks soon at first, then less often, then no more', () => {
    expect([0, 1, 2].map((checks) => nextCheck({ status: 'open', checks, ageSeconds: 0 }))).toEqual([
      15, 30, 60,
    ]);
    expect(nextCheck({ status: 'open', checks: 100, ageSeconds: 3_600 })).toBe(6 * 3_600);
    expect(nextCheck({ status: 'open', checks: 9, ageSeconds: 7 * 24 * 3_600 - 1 })).toBe(7_680);
    expect(nextCheck({ status: 'open', checks: 9, ageSeconds: 7 * 24 * 3_600 })).toBeNull();
  });

  it('checks an open payment when it is an hour old, to give it up', () => {
    expect(nextCheck({ status: 'open', checks: 100, ageSeconds: 0 })).toBe(3_600);
    expect(nextCheck({ status: 'open', checks: 100, ageSeconds: 3_599 })).toBe(1);
    expect(nextCheck({ status: 'open', checks: 2, ageSeconds: 3_500 })).toBe(60);
    expect(nextCheck({ status: 'given_up', checks: 100, ageSeconds: 0 })).toBe(6 * 3_600);
  });

  it('checks a payment that the client has given up, because money may still arrive', () => {
    expect(nextCheck({ status: 'given_up', checks: 0, ageSeconds: 0 })).toBe(15);
  });

  it('checks a paid payment once more after a day', () => {
    expect(nextCheck({ status: 'paid', checks: 1, ageSeconds: 24 * 3_600 - 1 })).toBe(24 * 3_600);
    expect(nextCheck({ status: 'paid', checks: 2, ageSeconds: 24 * 3_600 })).toBeNull();
  });

  it('does not check a payment that was never opened', () => {
    expect(nextCheck({ status: 'failed', checks: 0, ageSeconds: 0 })).toBeNull();
  });
});

describe('backOff', () => {
  it('never exceeds six hours', () => {
    expect(backOff(1_000)).toBe(6 * 3_600);
  });
});
