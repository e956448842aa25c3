import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ChangeStamp } from '../platform/database/columns-of.js';
import { Product } from '../catalog/product.entity.js';
import { Plan } from './plan.entity.js';

/** A fixed price replaces the base price less the discount. */
@Entity('plan_prices')
@Index('plan_prices_changed', ['changed'])
@Index('plan_prices_product', ['productId', 'planId'])
@Check('plan_prices_price_range', 'price >= 0 AND price <= 1000000')
export class PlanPrice {
  @PrimaryColumn('integer', { name: 'plan_id', primaryKeyConstraintName: 'plan_prices_pk' })
  @ForeignKey(() => Plan, { name: 'plan_prices_plan_fk', onDelete: 'CASCADE' })
  planId: number;

  @PrimaryColumn('integer', { name: 'product_id', primaryKeyConstraintName: 'plan_prices_pk' })
  @ForeignKey(() => Product, { name: 'plan_prices_product_fk', onDelete: 'CASCADE' })
  productId: number;

  @Column('numeric', { precision: 12, scale: 2 })
  price: string;

  @ChangeStamp()
  changed: never;
}
