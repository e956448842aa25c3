import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Product } from '../products/product.entity.js';

/**
 * A change of the number on hand that no order caused: goods in, breakage, a correction, a count. Rows never
 * change.
 */
@Entity('stock_movements')
@Index('stock_movements_product', ['productId', 'movedAt'])
export class StockMovement {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'stock_movements_pk',
  })
  id: string;

  @Column('integer', { name: 'product_id' })
  @ForeignKey(() => Product, { name: 'stock_movements_product_fk' })
  productId: number;

  @Column('text', { name: 'variation_key' })
  variationKey: string;

  @Column('integer')
  delta: number;

  @Column('text')
  reason: string;

  @Column('text')
  actor: string;

  @CreateDateColumn({ name: 'moved_at', type: 'timestamptz' })
  movedAt: Date;
}
