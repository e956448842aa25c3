import { groupOf, isPayable } from './order-group.js';
import { ORDER_STATUSES } from './order-transitions.js';

describe('groupOf', () => {
  it('tells orders apart by what is to be done about them', () => {
    const groups = (isProcessing: boolean) =>
      ORDER_STATUSES.map((status) => [status, groupOf({ status, isProcessing })]);
    const others = { pending: 'paid', shipped: 'shipped', delivered: 'delivered', cancelled: 'cancelled' };
    expect(Object.fromEntries(groups(false))).toEqual({ awaiting_payment: 'to_pay', ...others });
    expect(Object.fromEntries(groups(true))).toEqual({ awaiting_payment: 'processing', ...others });
  });
});

describe('isPayable', () => {
  it('is an order that awaits a payment of which none is on its way', () => {
    expect(isPayable({ status: 'awaiting_payment', isProcessing: false })).toBe(true);
    expect(isPayable({ status: 'awaiting_payment', isProcessing: true })).toBe(false);
    expect(isPayable({ status: 'pending', isProcessing: false })).toBe(false);
  });
});
