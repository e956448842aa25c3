import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, IsNull } from 'typeorm';
import { Token } from '../auth/tokens/token.entity.js';
import { Order } from '../orders/entities/order.entity.js';
import { SETTINGS, type Settings } from '../platform/settings/settings.js';
import { StoreRequest } from '../activity/entities/store-request.entity.js';
import type { KeptRequest } from '../activity/recording/kept-request.js';
import { outcomeOf } from '../activity/recording/request-counts.js';
import { type Count, hourOf } from '../activity/recording/request-counts.js';
import { RequestLogRepository } from '../activity/recording/request-log.repository.js';
import { DEMO_ORDERS } from './demo-order-list.js';
import { DEMO_READS, DEMO_REQUESTS, type DemoRequest } from './demo-request-list.js';

const HOUR_MS = 3_600_000;

/** So many are looked at without a word about what is older. */
const DAYS = 5;

/** By it one knows that it was done. */
const FIRST = DEMO_ORDERS[0]!.id;

/** What the demo's store has called in the last days, written as everything that stores call is. Done once, in one transaction. */
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
    if (days === 0 || (await manager.existsBy(StoreRequest, { clientId, storeOrderId: FIRST }))) return;
    const token = await manager.findOneByOrFail(Token, { clientId, revokedAt: IsNull() });
    const orders = await manager.find(Order, { where: { clientId }, order: { placedAt: 'ASC' } });
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

/** As if it had come over HTTP. */
function placed(token: Token, { placedAt, orderNumber, storeOrderId }: Order): KeptRequest {
  const request = { method: 'POST', route: '/api/orders', status: 201, code: '', milliseconds: 6.2 } as const;
  return { ...refused(token, { ...request, hoursAgo: 0 }), answeredAt: placedAt, orderNumber, storeOrderId };
}

function countOf({ clientId, answeredAt, method, route, status, code }: KeptRequest): Count {
  const outcome = outcomeOf(method, route, status, code);
  return { ...outcome, clientId, hour: hourOf(answeredAt.getTime()), requests: 1, leftOut: 0 };
}

/** More by day than by night, and not every day alike. */
function readsOf(clientId: number, days: number): Count[] {
  const now = hourOf(Date.now());
  return Array.from({ length: days * 24 - 1 }, (_, ago) => now - 1 - ago).flatMap((hour) => {
    const daylight = Math.max(0, Math.sin(((new Date(hour * HOUR_MS).getHours() - 6) / 18) * Math.PI));
    return DEMO_READS.map(({ route, everyHour, moreByDay }) => ({
      ...outcomeOf('GET', route, 200),
      clientId,
      hour,
      requests: everyHour + Math.round(moreByDay * daylight * (0.7 + ((hour * 7) % 5) / 10)),
      leftOut: 0,
    }));
  });
}

/** A statement adds to a count once. */
function together(counts: Count[]): Count[] {
  const sums = new Map<string, Count>();
  for (const { requests, ...count } of counts) {
    const key = JSON.stringify(count);
    sums.set(key, { ...count, requests: (sums.get(key)?.requests ?? 0) + requests });
  }
  return [...sums.values()];
}
