import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Order } from '../entities/order.entity.js';
import { ORDER_STATUSES, type OrderStatus } from '../rules/order-transitions.js';

/** How many orders there are of each status. */
@Injectable()
export class OrderCounts {
  constructor(@InjectRepository(Order) private readonly orders: Repository<Order>) {}

  async byStatus(): Promise<Record<string, number>> {
    const rows = await this.orders
      .createQueryBuilder('o')
      .select('o.status', 'status')
      .addSelect('count(*)::int', 'count')
      .groupBy('o.status')
      .getRawMany<{ status: OrderStatus; count: number }>();
    const none = ORDER_STATUSES.map((status) => [status, 0]);
    return Object.fromEntries([...none, ...rows.map(({ status, count }) => [status, count])]) as Record<
      string,
      number
    >;
  }
}
