import { courierMeaning } from './courier-words.js';

describe('courierMeaning', () => {
  it.each([
    ['Delivered', 'delivered'],
    [' SHIPMENT DELIVERED ', 'delivered'],
    ['In-Transit', 'onTheWay'],
    ['Out For Delivery', 'onTheWay'],
    ['UNDELIVERED-1st Attempt', 'onTheWay'],
    ['RTO', 'returning'],
    ['RTO_INITIATED', 'returning'],
    ['Return to Origin (In Transit)', 'returning'],
    ['RTO Out for Delivery', 'returning'],
    ['RTO-Delivered', 'returned'],
    ['Delivered to Origin', 'returned'],
    ['Lost', 'lost'],
    ['RTO Lost', 'lost'],
  ])('reads %j as %s', (status, meaning) => {
    expect(courierMeaning(status)).toBe(meaning);
  });

  it.each([
    '',
    'DL',
    'Cancelled',
    'Partially delivered',
    'Not yet delivered',
    'Returned',
    'वितरित',
    'constructor',
  ])('does not guess %j', (status) => {
    expect(courierMeaning(status)).toBeUndefined();
  });
});
