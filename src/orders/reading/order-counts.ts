import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { Order } from '../entities/order.entity.js';
import { ORDER_STATUSES, type OrderStatus } from '../rules/order-transitions.js';
import { NEAR } from '../rules/unpaid-limits.js';

/** Counts of the orders of all clients. */
@Injectable()
export class OrderCounts {
  constructor(
    @InjectRepository(Order) private readonly orders: Repository<Order>,
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
  async clientsNearLimit(): Promise<number> {
    const { unpaidOrdersLimit, unpaidValueLimit } = this.settings;
    const share = (used: string, limit: string) => `coalesce(${used} / nullif(${limit}, 0), 0) >= ${NEAR}`;
    const rows = await this.orders
      .createQueryBuilder('o')
      .select('o.clientId')
      .innerJoin(Client, 'c', 'c.id = o.clientId')
      .where(`o.status = 'awaiting_payment'`)
      .groupBy('o.clientId')
      .addGroupBy('c.id')
      .having(share('count(*)::numeric', 'coalesce(c.unpaidOrdersLimit, :unpaidOrdersLimit)'))
      .orHaving(share('sum(o.total)', 'coalesce(c.unpaidValueLimit, :unpaidValueLimit)'))
      .setParameters({ unpaidOrdersLimit, unpaidValueLimit })
      .getRawMany();
    return rows.length;
  }
}
