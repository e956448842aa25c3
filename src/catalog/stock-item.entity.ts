import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { Product } from './product.entity.js';
import { ChangeStamp, IdColumn } from '../platform/database/columns-of.js';

/**
 * The stock of one variation, or of a product without variations: on hand, and held by orders. The rows of a
 * product follow from its variations, so the catalog owns the table. The stock room changes the numbers.
 */
@Entity('stock_items')
@Index('stock_items_changed', ['changed'])
@Unique('stock_items_key_unique', ['productId', 'variationKey'])
@Check('stock_items_on_hand_not_negative', 'on_hand >= 0')
@Check('stock_items_held_not_negative', 'held >= 0')
export class StockItem {
  @IdColumn('stock_items_pk')
  id: number;

  @Column('integer', { name: 'product_id' })
  @ForeignKey(() => Product, { name: 'stock_items_product_fk', onDelete: 'CASCADE' })
  productId: number;

  @Column('text', { name: 'variation_key', default: '' })
  variationKey: string;

  @Column('integer', { name: 'on_hand', default: 0 })
  onHand: number;

  @Column('integer', { default: 0 })
  held: number;

  @ChangeStamp()
  changed: never;
}
