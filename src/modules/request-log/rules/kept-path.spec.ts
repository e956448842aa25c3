import { keptPath } from './kept-path.js';

const STATUS = '/api/orders/:order_number/status';

describe('The stored path of a request', () => {
  it.each(['WO-20261120-7K3M9-QXA2B', 'WEB-1001', '%23100%2F7'])('contains an id such as %s', (id) => {
    expect(keptPath(`/api/orders/${id}/status`, STATUS)).toBe(`/api/orders/${id}/status`);
  });

  it.each([
    'ravi@example.com',
    'ravi%40example.com',
    'Ravi%20Kumar',
    'x'.repeat(65),
    `wha_${'a'.repeat(40)}`,
    '%00',
    '%ZZ',
  ])('contains no text that cannot be an id, such as %s', (id) => {
    expect(keptPath(`/api/orders/${id}/status`, STATUS)).toBe('/api/orders/…/status');
  });

  it.each([
    ['/api/order/WEB-1/status', '/api/order/…/status'],
    ['/api/v1/orders/WEB-1', '/api/v1/orders/…'],
    ['//api/products/', '//api/products/'],
    ['/api/customers/ravi', '/api/customers/…'],
    ['/api/ravi@example.com', '/api/…'],
    ['/api/%ZZ', '/api/…'],
    [`/api${'/a'.repeat(10)}`, '/api/a/…/…/…/…/…'],
  ])('of an unknown route contains only the known segments: %s', (path, kept) => {
    expect(keptPath(path, undefined)).toBe(kept);
  });
});
