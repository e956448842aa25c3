import { DAY_MS } from '../../../platform/time/time.js';
import { lateDelivery } from './late-delivery.js';

describe('A late delivery', () => {
  it('is of an order that was shipped longer ago than allowed, but not months ago', () => {
    const now = 1_000 * DAY_MS;
    expect(lateDelivery({ deliverWithinDays: 10 }, now)).toEqual({
      status: 'shipped',
      shippedFrom: new Date(910 * DAY_MS),
      shippedTo: new Date(990 * DAY_MS),
      goods: 'arriving',
    });
  });
});
