import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import { StoreRequest } from '../modules/request-log/entities/store-request.entity.js';
import type { KeptRequest } from '../modules/request-log/recording/kept-request.js';
import {
  RequestCounts,
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
    const counts = new RequestCounts(Infinity);
    for (const request of requests) countKept(counts, request);
    countReads(counts, clientId, days);
    await this.log.write({ requests, counts: [...counts.takeOthers(), ...counts.takeReads()] });
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

function countKept(counts: RequestCounts, request: KeptRequest): void {
  const { clientId, answeredAt, method, route, status, code } = request;
  counts.other(clientId, hourOf(answeredAt.getTime()), outcomeOf(method, route, status, code))!.kept++;
}

/** More by day than by night, with differences between days. */
function countReads(counts: RequestCounts, clientId: number, days: number): void {
  const now = hourOf(Date.now());
  for (let hour = now - 1; hour > now - days * 24; hour--) {
    const daylight = Math.max(0, Math.sin(((beginOf(hour).getHours() - 6) / 18) * Math.PI));
    for (const { route, everyHour, moreByDay } of DEMO_READS) {
      const reads = everyHour + Math.round(moreByDay * daylight * (0.7 + ((hour * 7) % 5) / 10));
      for (let read = 0; read < reads; read++) counts.read(clientId, hour, route);
    }
  }
}
