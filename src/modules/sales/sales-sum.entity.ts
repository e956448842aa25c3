import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Day, TimeZone } from '../../platform/time/time.js';

/** The groupings of the stored sums. */
export const SALES_DIMENSIONS = ['client', 'product', 'state'] as const;

export type SalesDimension = (typeof SALES_DIMENSIONS)[number];

export const SPANS = ['all', 'year', 'month', 'day'] as const;

export type SalesSpan = (typeof SPANS)[number];

/** Sums of finished days, of their months and years, and of all days. A job writes them for the reports. */
@Entity('sales_sums')
@Check('sales_sums_dimension_known', `dimension IN ('client', 'product', 'state')`)
@Check('sales_sums_span_known', `span IN ('day', 'month', 'year', 'all')`)
export class SalesSum {
  @PrimaryColumn('text') dimension: SalesDimension;
  @PrimaryColumn('text') span: SalesSpan;
  /** The day, the first one of the month or year, or -infinity. */
  @PrimaryColumn('date') day: Day;
  /** 0 for all clients together. */
  @PrimaryColumn('integer') clientId: number;
  /** The number of a client, an SKU, or a state in small letters. */
  @PrimaryColumn('text') key: string;
  @PrimaryColumn('text') currency: string;
  /** The name of the product, or the state as stores spell it. Empty for a client. */
  @Column('text') name: string;
  /** An order counts for each of its products. */
  @Column('integer') orders: number;
  @Column('bigint') units: string;
  @Column('numeric', { precision: 24, scale: 2 }) goods: string;
  @Column('numeric', { precision: 24, scale: 2 }) delivery: string;
  @Column('numeric', { precision: 24, scale: 2 }) paid: string;
  @Column('bigint') refundedUnits: string;
  @Column('numeric', { precision: 24, scale: 2 }) refunded: string;
}

/** The days before `until` are added up, in days of this zone. A change of an old day sets `until` back. */
@Entity('sales_sums_kept')
export class SalesSumsKept {
  @PrimaryColumn('text') dimension: SalesDimension;
  @Column('date', { nullable: true }) until: Day | null;
  @Column('text', { nullable: true }) timeZone: TimeZone | null;
}
