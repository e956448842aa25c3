import { HourQuota } from './hour-quota.js';

const LIMITS = { bytesOfOneClass: 65, bytesOfOneReason: 40 };

const route = '/api/orders';
const done = { route, statusClass: 2, code: '' };
const refused = (code: string) => ({ route, statusClass: 4, code });
const failed = { route, statusClass: 5, code: 'internal_error' };

function admitted(quota: HourQuota, outcome: typeof done, bytes = 1): number {
  return Array.from({ length: 1_000 }, () => quota.admits(outcome, bytes)).filter(Boolean).length;
}

describe('In one hour', () => {
  it('refusals for one reason leave space for other reasons', () => {
    const quota = new HourQuota(LIMITS);
    expect(admitted(quota, refused('rate_limited'))).toBe(40);
    expect(quota.hasSpace(refused('rate_limited'))).toBe(false);
    expect(quota.hasSpace(refused('validation_failed'))).toBe(true);
    expect(admitted(quota, refused('validation_failed'))).toBe(25);
    expect(quota.hasSpace(refused('validation_failed'))).toBe(false);
  });

  it('refusals on one route leave space for the same code on other routes', () => {
    const quota = new HourQuota(LIMITS);
    expect(admitted(quota, { ...refused('validation_failed'), route: '/api/products' })).toBe(40);
    expect(admitted(quota, refused('validation_failed'))).toBe(25);
  });

  it('refusals for many reasons leave space for successes and failures', () => {
    const quota = new HourQuota(LIMITS);
    expect(['a', 'b', 'c', 'd'].map((code) => admitted(quota, refused(code)))).toEqual([40, 25, 0, 0]);
    expect([admitted(quota, failed), admitted(quota, done)]).toEqual([40, 65]);
  });

  it('a request that is too large is not stored, but a smaller one is', () => {
    const quota = new HourQuota(LIMITS);
    expect([30, 30, 10].map((bytes) => quota.admits(refused('a'), bytes))).toEqual([true, false, true]);
  });

  it('a store keeps hundreds of its requests, and a flood of one kind leaves space for the others', () => {
    const quota = new HourQuota();
    const kept = [refused('a'), refused('b'), failed, done].map((outcome) => admitted(quota, outcome, 500));
    expect(kept).toEqual([196, 131, 196, 327]);
  });
});
