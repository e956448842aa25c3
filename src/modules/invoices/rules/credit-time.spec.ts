import { creditEndedOn, creditEndedText } from './credit-time.js';

describe('The time for a credit of tax', () => {
  it.each([
    ['2026-04-01', '2027-11-30', null],
    ['2026-04-01', '2027-12-01', '2027-11-30'],
    ['2027-03-31', '2027-11-30', null],
    ['2027-03-31', '2027-12-01', '2027-11-30'],
    ['2027-04-01', '2028-11-30', null],
    ['2027-04-01', '2028-12-01', '2028-11-30'],
    ['2026-12-31', '2026-12-31', null],
    ['2027-01-01', '2029-01-01', '2027-11-30'],
  ])('of goods that left on %s is on %s: ended on %s', (suppliedOn, today, ended) => {
    expect(creditEndedOn(suppliedOn, today)).toBe(ended);
  });

  it('is told by its last day', () => {
    expect(creditEndedText('2027-11-30')).toBe('the time for a credit of tax ended on 30 Nov 2027');
  });
});
