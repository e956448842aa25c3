import { Check, Column, CreateDateColumn, Entity, Index, Unique, ForeignKey, PrimaryColumn } from 'typeorm';
import { ChangeStamp, IdColumn } from '../platform/database/columns-of.js';
import { Product } from '../catalog/product.entity.js';

@Entity('plans')
@Index('plans_changed', ['changed'])
@Unique('plans_code_unique', ['code'])
@Check('plans_discount_is_percent', 'discount >= 0 AND discount <= 100')
export class Plan {
  @IdColumn('plans_pk')
  id: number;

  @Column('text')
  code: string;

  @Column('text')
  name: string;

  /** Percent as numeric text, such as "12.50". */
  @Column('numeric', { precision: 5, scale: 2 })
  discount: string;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @ChangeStamp()
  changed: never;

  /** Set when the discount changes. */
  @ChangeStamp()
  repriced: never;
}

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
