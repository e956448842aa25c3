import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Order } from '../entities/order.entity.js';
import { ORDER_STATUSES } from '../rules/order-transitions.js';

/** Counting reads every order, and a scrape comes more often than anybody looks at this. */
const KEPT_MS = 60_000;

/** How many orders there are of each status, as of a minute ago at most; nothing while the database is away. */
@Injectable()
export class OrderCounts {
  private readonly logger = new Logger(OrderCounts.name);
  private counts = new Map<string, number>();
  private countedAt = -Infinity;

  constructor(@InjectRepository(Order) private readonly orders: Repository<Order>) {}

  async byStatus(): Promise<ReadonlyMap<string, number>> {
    if (performance.now() - this.countedAt < KEPT_MS) return this.counts;
    try {
      const rows = await this.orders
        .createQueryBuilder('o')
        .select('o.status', 'status')
        .addSelect('count(*)::int', 'count')
        .groupBy('o.status')
        .getRawMany<{ status: string; count: number }>();
      this.counts = new Map(ORDER_STATUSES.map((status) => [status, 0]));
      for (const { status, count } of rows) this.counts.set(status, count);
      this.countedAt = performance.now();
    } catch (error) {
      this.counts = new Map();
      this.logger.warn(`Orders could not be counted for the metrics: ${String(error)}`);
    }
    return this.counts;
  }
}
