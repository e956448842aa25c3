import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import { StoreRequest } from '../modules/request-log/entities/store-request.entity.js';
import type { KeptRequest } from '../modules/request-log/recording/kept-request.js';
import {
  type RequestCount,
  beginOf,
  hourOf,
  outcomeOf,
} from '../modules/request-log/recording/request-counts.js';
import { RequestLogRepository } from '../modules/request-log/recording/request-log.repository.js';
import type { KeptFault } from '../modules/request-log/rules/kept-parts.js';
import { Token } from '../modules/clients/client.entity.js';
import { Order } from '../modules/orders/entities/order.entity.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { HOUR_MS } from '../platform/time/time.js';
import { DEMO_ORDERS } from './demo-orders.js';

interface DemoRequest {
  hoursAgo: number;
  method: 'GET' | 'POST';
  route: string;
  path?: string;
  parameters?: string[];
  status: number;
  code: string;
  faults?: KeptFault[];
  storeOrderId?: string;
  /** The domain that the store sent, if it was a wrong one. */
  domain?: string;
  milliseconds: number;
}

const READ = { method: 'GET', milliseconds: 0.3 } as const;
const REFUSED_ORDER = {
  method: 'POST',
  route: '/api/orders',
  status: 422,
  code: 'validation_failed',
  milliseconds: 1.1,
} as const;

const BAD_PINCODE: KeptFault = { field: 'shipping.pincode', code: 'invalid_pincode' };
const NO_PHONE: KeptFault = { field: 'customer.phone', code: 'required' };
const UNKNOWN_SKU: KeptFault = {
  field: 'items[0].sku',
  code: 'unknown_sku',
  message: 'is not the SKU of an active product',
  sku: 'MUG-305',
};
const NO_QUANTITY: KeptFault = {
  field: 'items[0].quantity',
  code: 'too_small',
  message: 'must be at least 1',
};
const STOCK = { route: '/api/products/:sku/stock', path: '/api/products/MUG-305/stock' };
const WRONG_DOMAIN = { code: 'domain_mismatch', domain: 'staging.demo-store.example.com' };

/** Mistakes of the store, and one failure of the service. */
const DEMO_REQUESTS: readonly DemoRequest[] = [
  { ...REFUSED_ORDER, hoursAgo: 2, faults: [BAD_PINCODE, NO_PHONE], storeOrderId: 'DEMO-0997' },
  { ...REFUSED_ORDER, hoursAgo: 7, faults: [UNKNOWN_SKU], storeOrderId: 'DEMO-0994' },
  { ...READ, hoursAgo: 8, ...STOCK, status: 404, code: 'product_not_found' },
  { ...REFUSED_ORDER, hoursAgo: 21, faults: [NO_QUANTITY], storeOrderId: 'DEMO-0991' },
  { ...READ, hoursAgo: 33, route: '/api/products', status: 403, ...WRONG_DOMAIN },
  { ...READ, hoursAgo: 52, route: '(none)', path: '/api/order/…', status: 404, code: 'route_not_found' },
  {
    ...REFUSED_ORDER,
    hoursAgo: 75,
    status: 503,
    code: 'unavailable',
    storeOrderId: 'DEMO-0983',
    milliseconds: 2_004,
  },
  {
    ...READ,
    hoursAgo: 98,
    route: '/api/stock',
    parameters: ['since'],
    status: 410,
    code: 'sync_token_expired',
  },
];

/** Successful reads in an hour. */
const DEMO_READS = [
  { route: '/api/stock', everyHour: 4, moreByDay: 0 },
  { route: '/api/orders', everyHour: 4, moreByDay: 0 },
  { route: '/api/products', everyHour: 1, moreByDay: 0 },
  { route: '/api/products/:sku/stock', everyHour: 3, moreByDay: 24 },
  { route: '/api/orders/:order_number/status', everyHour: 1, moreByDay: 9 },
] as const;

/** The dashboard shows these days without asking for older ones. */
const DAYS = 5;

/** Its request shows that the work is done. */
const NEWEST = DEMO_ORDERS.at(-1)!.id;

/**
 * The requests of the demo store in the last days, in the same log as real ones. Written once, in one
 * transaction.
 */
@Injectable()
export class DemoRequests {
  constructor(
    private readonly dataSource: DataSource,
    private readonly log: RequestLogRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async make(clientId: number): Promise<void> {
    const days = Math.min(DAYS, this.settings.requestLogDays);
    const { manager } = this.dataSource;
    if (days === 0 || (await manager.existsBy(StoreRequest, { clientId, storeOrderId: NEWEST }))) return;
    const token = await manager.findOneByOrFail(Token, { clientId, revokedAt: IsNull() });
    const placedAt = MoreThan(new Date(Date.now() - days * 24 * HOUR_MS));
    const orders = await manager.find(Order, { where: { clientId, placedAt }, order: { placedAt: 'ASC' } });
    const requests = [
      ...DEMO_REQUESTS.filter(({ hoursAgo }) => hoursAgo < days * 24).map((request) =>
        refused(token, request),
      ),
      ...orders.map((order) => placed(token, order)),
    ];
    const counts = [...requests.map(countOf), ...readsOf(clientId, days)];
    await this.log.write({ requests, counts: together(counts) });
  }
}

function refused({ id, clientId, domain }: Token, request: DemoRequest): KeptRequest {
  const { hoursAgo, route, ...rest } = request;
  return {
    clientId,
    tokenId: id,
    domain,
    answeredAt: new Date(Date.now() - hoursAgo * HOUR_MS),
    requestId: randomUUID(),
    route,
    path: route,
    parameters: [],
    faults: [],
    asked: null,
    storeOrderId: null,
    orderNumber: null,
    ...rest,
  };
}

function placed(token: Token, { placedAt, orderNumber, storeOrderId }: Order): KeptRequest {
  const request = { method: 'POST', route: '/api/orders', status: 201, code: '', milliseconds: 6.2 } as const;
  return { ...refused(token, { ...request, hoursAgo: 0 }), answeredAt: placedAt, orderNumber, storeOrderId };
}

function countOf({ clientId, answeredAt, method, route, status, code }: KeptRequest): RequestCount {
  const outcome = outcomeOf(method, route, status, code);
  const hour = beginOf(hourOf(answeredAt.getTime()));
  return { ...outcome, clientId, hour, requests: 1, kept: 1, leftOut: 0 };
}

/** More by day than by night, with differences between days. */
function readsOf(clientId: number, days: number): RequestCount[] {
  const now = hourOf(Date.now());
  return Array.from({ length: days * 24 - 1 }, (_, ago) => now - 1 - ago).flatMap((hour) => {
    const daylight = Math.max(0, Math.sin(((beginOf(hour).getHours() - 6) / 18) * Math.PI));
    return DEMO_READS.map(({ route, everyHour, moreByDay }) => ({
      ...outcomeOf('GET', route, 200),
      clientId,
      hour: beginOf(hour),
      requests: everyHour + Math.round(moreByDay * daylight * (0.7 + ((hour * 7) % 5) / 10)),
      kept: 0,
      leftOut: 0,
    }));
  });
}

/** One statement may add to a count only once. */
function together(counts: RequestCount[]): RequestCount[] {
  const sums = new Map<string, RequestCount>();
  for (const { requests, kept, ...count } of counts) {
    const key = JSON.stringify(count);
    const sum = sums.get(key) ?? { requests: 0, kept: 0 };
    sums.set(key, { ...count, requests: sum.requests + requests, kept: sum.kept + kept });
  }
  return [...sums.values()];
}
