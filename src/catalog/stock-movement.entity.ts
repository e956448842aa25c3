import { Column, CreateDateColumn, Entity, ForeignKey, Index } from 'typeorm';
import { IdColumn } from '../platform/database/columns-of.js';
import { Product } from './product.entity.js';

/**
 * A change of the number on hand that no order caused: goods in, breakage, a correction, a count. Rows never
 * change.
 */
@Entity('stock_movements')
@Index('stock_movements_product', ['productId', 'movedAt'])
export class StockMovement {
  @IdColumn('stock_movements_pk', { type: 'bigint' })
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
