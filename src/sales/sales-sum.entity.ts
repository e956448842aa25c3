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
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sales_sums_pk' })
  dimension: SalesDimension;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'sales_sums_pk' })
  span: SalesSpan;

  /** 0 for all clients together. */
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'sales_sums_pk' })
  clientId: number;

  /** The day, or the first one of the month. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'sales_sums_pk' })
  day: Day;

  /** The number of a client, an SKU, or a state in small letters. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'sales_sums_pk' })
  key: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'sales_sums_pk' })
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

  @Column('bigint', { name: 'refunded_units' })
  refundedUnits: string;

  @Column('numeric', { precision: 24, scale: 2 })
  refunded: string;
}

/** One row: the days before `until` are added up, in days of this zone. */
@Entity('sales_sums_kept')
@Check('sales_sums_kept_only_one', 'id = 1')
export class SalesSumsKept {
  @PrimaryColumn('smallint', { default: 1, primaryKeyConstraintName: 'sales_sums_kept_pk' })
  id: number;

  @Column('date', { nullable: true })
  until: Day | null;

  @Column('text', { name: 'time_zone', nullable: true })
  timeZone: TimeZone | null;
}
