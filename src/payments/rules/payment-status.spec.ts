import { CONCERNS, describeConcern, isUnderway, PAYMENT_STATUSES } from './payment-status.js';

describe('A payment', () => {
  it('is underway for as long as its client can still pay it', () => {
    expect(PAYMENT_STATUSES.filter(isUnderway)).toEqual(['opening', 'open']);
    expect(PAYMENT_STATUSES.filter((status) => !isUnderway(status))).toEqual(['paid', 'given_up', 'failed']);
  });

  it('is told in words if a person must look at it', () => {
    expect(describeConcern('never_captured')).toBe('the money was authorized, but not captured for days');
    for (const words of Object.values(CONCERNS)) expect(words).toMatch(/^\w+( \S+){4,}$/);
    expect(describeConcern(null)).toBeNull();
  });
});
