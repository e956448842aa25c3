import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { ClientStanding } from '../entities/client-standing.entity.js';
import { Order } from '../entities/order.entity.js';
import { ORDER_STATUSES, type OrderStatus } from '../rules/order-transitions.js';
import { NEAR } from '../rules/unpaid-limits.js';

/** Counts of the orders of all clients. */
@Injectable()
export class OrderCounts {
  constructor(
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    @InjectRepository(ClientStanding) private readonly standings: Repository<ClientStanding>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async byStatus(): Promise<Record<string, number>> {
    const rows = await this.orders
      .createQueryBuilder('o')
      .select('o.status', 'status')
      .addSelect('count(*)::int', 'count')
      .groupBy('o.status')
      .getRawMany<{ status: OrderStatus; count: number }>();
    const counts = new Map<string, number>(ORDER_STATUSES.map((status) => [status, 0]));
    for (const { status, count } of rows) counts.set(status, count);
    return Object.fromEntries(counts);
  }

  /** How many clients have used up four fifths of what they may leave unpaid. */
  clientsNearLimit(): Promise<number> {
    const { unpaidOrdersLimit, unpaidValueLimit } = this.settings;
    const share = (used: string, limit: string) => `coalesce(${used} / nullif(${limit}, 0), 0) >= ${NEAR}`;
    return this.standings
      .createQueryBuilder('s')
      .innerJoin(Client, 'c', 'c.id = s.clientId')
      .where(share('cast(s.unpaidOrders AS numeric)', 'coalesce(c.unpaidOrdersLimit, :unpaidOrdersLimit)'))
      .orWhere(share('s.unpaidValue', 'coalesce(c.unpaidValueLimit, :unpaidValueLimit)'))
      .setParameters({ unpaidOrdersLimit, unpaidValueLimit })
      .getCount();
  }
}
