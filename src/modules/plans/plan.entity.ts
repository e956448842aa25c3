import { Check, Column, CreateDateColumn, Entity, Index, Unique, ForeignKey, PrimaryColumn } from 'typeorm';
import { Product } from '../catalog/product.entity.js';
import { ChangeVersion, IdColumn } from '../../platform/database/columns-of.js';
import type { ChangedSubject } from './changed-subjects.js';

@Entity('plans')
@Index('plans_changed', ['changed'])
@Unique('plans_code_unique', ['code'])
@Check('plans_discount_is_percent', 'discount >= 0 AND discount <= 100')
export class Plan {
  @IdColumn() id: number;
  @Column('text') code: string;
  @Column('text') name: string;
  /** Percent as numeric text, such as "12.50". */
  @Column('numeric', { precision: 5, scale: 2 }) discount: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @ChangeVersion() changed: never;
  /** Set when the discount changes. */
  @ChangeVersion() repriced: never;
}

/** A fixed price. It replaces the base price minus the discount. */
@Entity('plan_prices')
@Index('plan_prices_changed', ['changed'])
@Index('plan_prices_product', ['productId', 'planId'])
@Check('plan_prices_price_range', 'price >= 0 AND price <= 1000000')
export class PlanPrice {
  @PrimaryColumn('integer')
  @ForeignKey(() => Plan, { name: 'plan_prices_plan_fk', onDelete: 'CASCADE' })
  planId: number;
  @PrimaryColumn('integer')
  @ForeignKey(() => Product, { name: 'plan_prices_product_fk', onDelete: 'CASCADE' })
  productId: number;
  @Column('numeric', { precision: 12, scale: 2 }) price: string;
  @ChangeVersion() changed: never;
}

/** A change of one or many prices at a given time. It is closed when no further step remains. */
@Entity('price_schedules')
@Index('price_schedules_open', ['fromAt'], { where: 'closed_at IS NULL' })
@Check('price_schedules_ends_after_start', 'to_at > from_at')
export class PriceSchedule {
  @IdColumn() id: number;
  @Column('timestamptz') fromAt: Date;
  /** The earlier prices return at this time. Null: the new prices stay. */
  @Column('timestamptz', { nullable: true }) toAt: Date | null;
  @Column('text') actor: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @Column('timestamptz', { nullable: true }) withdrawnAt: Date | null;
  @Column('timestamptz', { nullable: true }) appliedAt: Date | null;
  @Column('timestamptz', { nullable: true }) closedAt: Date | null;
}

/** `kept`: a person had changed the price, so it stayed when the schedule ended. */
export type ScheduledPriceState = 'waiting' | 'applied' | 'returned' | 'kept';

/** The base price or the GST rate of a product, the discount of a plan, or, with both, the fixed price. */
@Entity('scheduled_prices')
@Index('scheduled_prices_plan', ['planId', 'scheduleId', 'number'])
@Index('scheduled_prices_product', ['productId', 'scheduleId'])
@Check('scheduled_prices_has_subject', 'plan_id IS NOT NULL OR product_id IS NOT NULL')
@Check(
  'scheduled_prices_value_range',
  'value >= 0 AND value <= CASE WHEN product_id IS NULL OR is_rate THEN 100 ELSE 1000000 END',
)
@Check('scheduled_prices_value_given', 'value IS NOT NULL OR plan_id IS NOT NULL AND product_id IS NOT NULL')
@Check('scheduled_prices_rate_of_product', 'plan_id IS NULL OR NOT is_rate')
@Check('scheduled_prices_state_known', "state IN ('waiting', 'applied', 'returned', 'kept')")
export class ScheduledPrice {
  @PrimaryColumn('integer')
  @ForeignKey(() => PriceSchedule, { name: 'scheduled_prices_schedule_fk' })
  scheduleId: number;
  /** The order in which rows are locked: by plan, then by product. */
  @PrimaryColumn('integer') number: number;
  @Column('integer', { nullable: true })
  @ForeignKey(() => Plan, { name: 'scheduled_prices_plan_fk', onDelete: 'CASCADE' })
  planId: number | null;
  @Column('integer', { nullable: true })
  @ForeignKey(() => Product, { name: 'scheduled_prices_product_fk', onDelete: 'CASCADE' })
  productId: number | null;
  @Column('boolean', { default: false }) isRate: boolean;
  /** A price, or the percent of a discount or a rate. Null removes the fixed price. */
  @Column('numeric', { precision: 12, scale: 2, nullable: true }) value: string | null;
  /** The earlier value, set when the new one is applied. */
  @Column('numeric', { precision: 12, scale: 2, nullable: true }) replaced: string | null;
  @Column('text', { default: 'waiting' }) state: ScheduledPriceState;
}

/** An entry of the log of changes. A trigger writes it. Rows never change. */
@Entity('changes')
@Index('changes_time', ['changedAt'])
@Index('changes_name', ['name', 'id'])
export class Change {
  @IdColumn('bigint') id: string;
  @CreateDateColumn({ type: 'timestamptz' }) changedAt: Date;
  @Column('text') actor: string;
  @Column('text') subject: ChangedSubject;
  @Column('text') name: string;
  /** Null for a new subject. `after` is null for a deleted one. */
  @Column('jsonb', { nullable: true }) before: Record<string, string | number> | null;
  @Column('jsonb', { nullable: true }) after: Record<string, string | number> | null;
}
