import { CONCERNS, describeConcern, isUnderway, PAYMENT_STATUSES } from './payment-status.js';

describe('A payment', () => {
  it('is under way while its client can still pay it', () => {
    expect(PAYMENT_STATUSES.filter(isUnderway)).toEqual(['opening', 'open']);
    expect(PAYMENT_STATUSES.filter((status) => !isUnderway(status))).toEqual(['paid', 'given_up', 'failed']);
  });

  it('has a concern in words when an operator must act', () => {
    expect(describeConcern('never_captured')).toBe('the money was authorized, but not captured for days');
    for (const words of Object.values(CONCERNS)) expect(words).toMatch(/^\w+( \S+){4,}$/);
    expect(describeConcern(null)).toBeNull();
  });
});
