import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Day, TimeZone } from '../platform/time/time.js';

/** What the sales of a day or a month are added up by. */
export type SalesDimension = 'client' | 'product' | 'state';

export type SalesSpan = 'day' | 'month';

/** Sums of a finished day or month. A job writes them; the reports read them. */
@Entity('sales_sums')
@Check('sales_sums_dimension_known', `dimension IN ('client', 'product', 'state')`)
@Check('sales_sums_span_known', `span IN ('day', 'month')`)
export class SalesSum {
  @PrimaryColumn('text')
  dimension: SalesDimension;

  @PrimaryColumn('text')
  span: SalesSpan;

  /** 0 for all clients together. */
  @PrimaryColumn('integer')
  clientId: number;

  /** The day, or the first one of the month. */
  @PrimaryColumn('date')
  day: Day;

  /** The number of a client, an SKU, or a state in small letters. */
  @PrimaryColumn('text')
  key: string;

  @PrimaryColumn('text')
  currency: string;

  /** The name of the product, or the state as stores spell it. Empty for a client. */
  @Column('text')
  name: string;

  /** An order counts for each of its products. */
  @Column('integer')
  orders: number;

  @Column('bigint')
  units: string;

  @Column('numeric', { precision: 24, scale: 2 })
  goods: string;

  @Column('numeric', { precision: 24, scale: 2 })
  delivery: string;

  @Column('numeric', { precision: 24, scale: 2 })
  paid: string;

  @Column('bigint')
  refundedUnits: string;

  @Column('numeric', { precision: 24, scale: 2 })
  refunded: string;
}

/** One row: the days before `until` are added up, in days of this zone. */
@Entity('sales_sums_kept')
@Check('sales_sums_kept_only_one', 'id = 1')
export class SalesSumsKept {
  @PrimaryColumn('smallint', { default: 1 })
  id: number;

  @Column('date', { nullable: true })
  until: Day | null;

  @Column('text', { nullable: true })
  timeZone: TimeZone | null;
}
