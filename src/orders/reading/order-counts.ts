import { Inject, Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Client } from '../../auth/clients/client.entity.js';
import { SETTINGS, type Settings } from '../../platform/settings/settings.js';
import { Order } from '../entities/order.entity.js';
import { NEAR } from '../rules/unpaid-limits.js';
import { ORDER_STATUSES } from '../rules/order-transitions.js';

/** Counting reads every order, and a scrape comes more often than anybody looks at this. */
const KEPT_MS = 60_000;

/** How many orders there are of each status, as of a minute ago at most; nothing while the database is away. */
@Injectable()
export class OrderCounts {
  private readonly logger = new Logger(OrderCounts.name);
  private counts = new Map<string, number>();
  private near: number | undefined;
  private countedAt = -Infinity;

  constructor(
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async byStatus(): Promise<ReadonlyMap<string, number>> {
    await this.refresh();
    return this.counts;
  }

  /** How many clients have used up four fifths of what they may leave unpaid. */
  async clientsNearLimit(): Promise<number | undefined> {
    await this.refresh();
    return this.near;
  }

  private async refresh(): Promise<void> {
    if (performance.now() - this.countedAt < KEPT_MS) return;
    try {
      const rows = await this.orders
        .createQueryBuilder('o')
        .select('o.status', 'status')
        .addSelect('count(*)::int', 'count')
        .groupBy('o.status')
        .getRawMany<{ status: string; count: number }>();
      this.counts = new Map(ORDER_STATUSES.map((status) => [status, 0]));
      for (const { status, count } of rows) this.counts.set(status, count);
      this.near = await this.countNear();
      this.countedAt = performance.now();
    } catch (error) {
      this.counts = new Map();
      this.near = undefined;
      this.logger.warn(`Orders could not be counted for the metrics: ${String(error)}`);
    }
  }

  private async countNear(): Promise<number> {
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
