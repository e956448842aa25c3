import { correctable } from './order-corrections.js';
import { ORDER_STATUSES } from './order-transitions.js';

const possible = (what: 'shipment' | 'delivery') =>
  ORDER_STATUSES.filter((status) => correctable(what, status) === undefined);

describe('What can be corrected', () => {
  it('is a shipment once there is one, and an address for as long as the parcel is here', () => {
    expect(possible('shipment')).toEqual(['shipped', 'delivered']);
    expect(possible('delivery')).toEqual(['awaiting_payment', 'pending']);
  });

  it('is told why not', () => {
    expect(correctable('shipment', 'pending')).toBe(
      'An order that is pending has no shipment that could be corrected.',
    );
    expect(correctable('delivery', 'shipped')).toBe(
      'An order that is shipped goes nowhere else: its address can no longer be changed.',
    );
  });
});
