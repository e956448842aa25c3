import { Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Product } from '../products/product.entity.js';

/** The reason of a movement that set a count right. */
export const COUNT = 'count';

/** Why a count changed other than by an order: goods in, breakage, a correction, an import of counts. Written once. */
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
