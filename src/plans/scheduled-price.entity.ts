import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Product } from '../catalog/product.entity.js';
import { Plan } from './plan.entity.js';
import { PriceSchedule } from './price-schedule.entity.js';

/** `kept`: a person changed the price meanwhile, so it stayed when the schedule ended. */
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
  @PrimaryColumn('integer', { name: 'schedule_id', primaryKeyConstraintName: 'scheduled_prices_pk' })
  @ForeignKey(() => PriceSchedule, { name: 'scheduled_prices_schedule_fk' })
  scheduleId: number;

  /** The order in which rows are locked: by plan, then by product. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'scheduled_prices_pk' })
  number: number;

  @Column('integer', { name: 'plan_id', nullable: true })
  @ForeignKey(() => Plan, { name: 'scheduled_prices_plan_fk', onDelete: 'CASCADE' })
  planId: number | null;

  @Column('integer', { name: 'product_id', nullable: true })
  @ForeignKey(() => Product, { name: 'scheduled_prices_product_fk', onDelete: 'CASCADE' })
  productId: number | null;

  @Column('boolean', { name: 'is_rate', default: false })
  isRate: boolean;

  /** A price, or the percent of a discount or a rate. Null removes the fixed price. */
  @Column('numeric', { precision: 12, scale: 2, nullable: true })
  value: string | null;

  /** The value from before, known when the new one is applied. */
  @Column('numeric', { precision: 12, scale: 2, nullable: true })
  replaced: string | null;

  @Column('text', { default: 'waiting' })
  state: ScheduledPriceState;
}
