import { backOff, nextCheck } from './next-check.js';

describe('nextCheck', () => {
  it('asks soon at first, then less and less often, then not any more', () => {
    expect([0, 1, 2].map((checks) => nextCheck({ status: 'open', checks, ageSeconds: 0 }))).toEqual([
      15, 30, 60,
    ]);
    expect(nextCheck({ status: 'open', checks: 100, ageSeconds: 0 })).toBe(6 * 3_600);
    expect(nextCheck({ status: 'open', checks: 9, ageSeconds: 7 * 24 * 3_600 - 1 })).toBe(7_680);
    expect(nextCheck({ status: 'open', checks: 9, ageSeconds: 7 * 24 * 3_600 })).toBeNull();
  });

  it('asks as long for what the client has given up: the money may still come', () => {
    expect(nextCheck({ status: 'given_up', checks: 0, ageSeconds: 0 })).toBe(15);
  });

  it('asks once more for what was paid, a day later', () => {
    expect(nextCheck({ status: 'paid', checks: 1, ageSeconds: 24 * 3_600 - 1 })).toBe(24 * 3_600);
    expect(nextCheck({ status: 'paid', checks: 2, ageSeconds: 24 * 3_600 })).toBeNull();
  });

  it('asks nothing about what the gateway never opened', () => {
    expect(nextCheck({ status: 'failed', checks: 0, ageSeconds: 0 })).toBeNull();
  });
});

describe('backOff', () => {
  it('never grows beyond six hours', () => {
    expect(backOff(1_000)).toBe(6 * 3_600);
  });
});
