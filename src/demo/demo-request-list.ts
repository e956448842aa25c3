import type { KeptFault } from '../activity/rules/kept-parts.js';

/** A call of the demo's store that is kept one by one. */
export interface DemoRequest {
  hoursAgo: number;
  method: 'GET' | 'POST';
  route: string;
  path?: string;
  parameters?: string[];
  status: number;
  code: string;
  faults?: KeptFault[];
  storeOrderId?: string;
  /** What the store said its domain was, if not its own. */
  domain?: string;
  milliseconds: number;
}

const ORDERS = { method: 'POST', route: '/api/orders' } as const;

/** What its program got wrong lately, and one fault of ours. */
export const DEMO_REQUESTS: readonly DemoRequest[] = [
  {
    ...ORDERS,
    hoursAgo: 2,
    status: 422,
    code: 'validation_failed',
    faults: [
      { field: 'shipping.pincode', code: 'invalid_pincode' },
      { field: 'customer.phone', code: 'required' },
    ],
    storeOrderId: 'DEMO-0997',
    milliseconds: 1.4,
  },
  {
    ...ORDERS,
    hoursAgo: 7,
    status: 422,
    code: 'validation_failed',
    faults: [
      {
        field: 'items[0].sku',
        code: 'unknown_sku',
        message: 'is the SKU of no active product',
        sku: 'MUG-305',
      },
    ],
    storeOrderId: 'DEMO-0994',
    milliseconds: 1.1,
  },
  {
    method: 'GET',
    route: '/api/products/:sku/stock',
    path: '/api/products/MUG-305/stock',
    hoursAgo: 8,
    status: 404,
    code: 'product_not_found',
    milliseconds: 0.3,
  },
  {
    ...ORDERS,
    hoursAgo: 21,
    status: 422,
    code: 'validation_failed',
    faults: [{ field: 'items[0].quantity', code: 'too_small', message: 'must be at least 1' }],
    storeOrderId: 'DEMO-0991',
    milliseconds: 0.9,
  },
  {
    method: 'GET',
    route: '/api/products',
    hoursAgo: 33,
    status: 403,
    code: 'domain_mismatch',
    domain: 'staging.demo-store.example.com',
    milliseconds: 0.2,
  },
  {
    method: 'GET',
    route: '(none)',
    path: '/api/order/…',
    hoursAgo: 52,
    status: 404,
    code: 'route_not_found',
    milliseconds: 0.2,
  },
  {
    ...ORDERS,
    hoursAgo: 75,
    status: 503,
    code: 'unavailable',
    storeOrderId: 'DEMO-0983',
    milliseconds: 2_004,
  },
  {
    method: 'GET',
    route: '/api/stock',
    parameters: ['since'],
    hoursAgo: 98,
    status: 410,
    code: 'sync_token_expired',
    milliseconds: 0.4,
  },
];

/** How often it reads what in an hour. */
export const DEMO_READS = [
  { route: '/api/stock', everyHour: 4, moreByDay: 0 },
  { route: '/api/orders', everyHour: 4, moreByDay: 0 },
  { route: '/api/products', everyHour: 1, moreByDay: 0 },
  { route: '/api/products/:sku/stock', everyHour: 3, moreByDay: 24 },
  { route: '/api/orders/:order_number/status', everyHour: 1, moreByDay: 9 },
] as const;
