import { shipBy } from './ship-by.js';

describe('shipBy', () => {
  const settings = { shipWithinDays: 2, timeZone: 'Asia/Kolkata' };
  const paidAt = new Date('2026-11-20T10:00:00Z');
  const at = (time: string) => shipBy(paidAt, settings, Date.parse(time));

  it('counts days from the day of the payment', () => {
    expect(at('2026-11-20T11:00:00Z')).toEqual({ day: '2026-11-22', daysLate: 0 });
  });

  it('is in time until the end of the day, in the wholesaler’s zone', () => {
    expect(at('2026-11-22T18:29:59Z').daysLate).toBe(0);
    expect(at('2026-11-22T18:30:00Z').daysLate).toBe(1);
    expect(at('2026-11-25T12:00:00Z').daysLate).toBe(3);
  });

  it('takes the day of the payment from that zone too', () => {
    expect(shipBy(new Date('2026-11-20T19:00:00Z'), settings).day).toBe('2026-11-23');
  });

  it('may promise the same day', () => {
    expect(shipBy(paidAt, { ...settings, shipWithinDays: 0 }).day).toBe('2026-11-20');
  });
});
