import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, IsNull, MoreThan } from 'typeorm';
import { Token } from '../modules/clients/client.entity.js';
import { Order } from '../modules/orders/entities/order.entity.js';
import { StoreRequest } from '../modules/request-log/entities/store-request.entity.js';
import { type KeptRequest, ORDERS } from '../modules/request-log/recording/kept-request.js';
import { hourOf, outcomeOf, RequestCounts } from '../modules/request-log/recording/request-counts.js';
import { RequestLogRepository } from '../modules/request-log/recording/request-log.repository.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { HOUR_MS } from '../platform/time/time.js';
import { DEMO_ORDERS } from './demo-orders.js';

type Facts = Pick<KeptRequest, 'answeredAt' | 'method' | 'route' | 'status' | 'code' | 'milliseconds'> &
  Partial<KeptRequest>;

const ORDER = { method: 'POST', route: ORDERS, status: 422, code: 'validation_failed', milliseconds: 1.1 };

const READ = { method: 'GET', milliseconds: 0.3 };

const BAD_PINCODE = { field: 'shipping.pincode', code: 'invalid_pincode' };
const NO_PHONE = { field: 'customer.phone', code: 'required' };
const UNKNOWN_SKU = {
  field: 'items[0].sku',
  code: 'unknown_sku',
  message: 'is not the SKU of an active product',
  sku: 'MUG-305',
};

const WRONG_DOMAIN = { code: 'domain_mismatch', domain: 'staging.demo-store.example.com' };

const mistakes = (): Facts[] => [
  { ...ORDER, answeredAt: hoursAgo(2), faults: [BAD_PINCODE, NO_PHONE], storeOrderId: 'DEMO-0997' },
  { ...ORDER, answeredAt: hoursAgo(7), faults: [UNKNOWN_SKU], storeOrderId: 'DEMO-0994' },
  { ...READ, answeredAt: hoursAgo(33), route: '/api/products', status: 403, ...WRONG_DOMAIN },
];

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

const DAYS = 5;

/** Each once an hour. */
const READS = ['/api/stock', '/api/orders'];

/** Its request shows that the work is done. */
const NEWEST = DEMO_ORDERS.at(-1)!.request.store_order_id;

/** Requests of the demo store in the last days, in the log of real ones: its orders and some mistakes. */
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
    const { id: tokenId, domain } = await manager.findOneByOrFail(Token, { clientId, revokedAt: IsNull() });
    const orders = await manager.findBy(Order, { clientId, placedAt: MoreThan(hoursAgo(days * 24)) });
    const placed = { ...ORDER, status: 201, code: '' };
    const facts: Facts[] = [
      ...mistakes(),
      ...orders.map(({ placedAt, orderNumber, storeOrderId }) => ({
        ...placed,
        answeredAt: placedAt,
        orderNumber,
        storeOrderId,
      })),
    ];
    const none = { parameters: [], faults: [], asked: null, storeOrderId: null, orderNumber: null };
    const requests = facts.map((fact) => {
      const path = fact.route;
      return { ...none, clientId, tokenId, domain, requestId: randomUUID(), path, ...fact };
    });
    const counts = new RequestCounts(Infinity);
    for (const { answeredAt, method, route, status, code } of requests)
      counts.other(clientId, hourOf(answeredAt.getTime()), outcomeOf(method, route, status, code))!.kept++;
    for (let hour = 1; hour < days * 24; hour++)
      for (const route of READS) counts.read(clientId, hourOf(Date.now()) - hour, route);
    await this.log.write({ requests, counts: [...counts.takeOthers(), ...counts.takeReads()] });
  }
}
