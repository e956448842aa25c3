import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Product } from '../../catalog/product.entity.js';
import { Order } from './order.entity.js';
import { SameKey } from '../../platform/database/columns-of.js';

/** A line as it was sent, with the product's name and price at that time. */
@Entity('order_items')
@SameKey(() => Order, ['clientId', 'orderNumber'], 'order_items_order_fk')
@Index('order_items_product', ['productId'])
@Check('order_items_quantity_range', 'quantity >= 1 AND quantity <= 100000')
@Check('order_items_line_total_is_product', 'line_total = unit_price * quantity')
@Check(
  'order_items_units',
  `shipped >= 0 AND cancelled >= 0 AND shipped + cancelled <= quantity
   AND refunded BETWEEN 0 AND quantity AND returned BETWEEN 0 AND shipped`,
)
export class OrderItem {
  @PrimaryColumn('integer', { name: 'client_id', primaryKeyConstraintName: 'order_items_pk' })
  clientId: number;

  @PrimaryColumn('text', { name: 'order_number', primaryKeyConstraintName: 'order_items_pk' })
  orderNumber: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'order_items_pk' })
  line: number;

  @Column('integer', { name: 'product_id' })
  @ForeignKey(() => Product, { name: 'order_items_product_fk' })
  productId: number;

  @Column('text')
  sku: string;

  @Column('text')
  name: string;

  @Column('text', { name: 'variation_key', default: '' })
  variationKey: string;

  /** The variation text that was sent for a product without variations. */
  @Column('text', { nullable: true })
  remark: string | null;

  @Column('integer')
  quantity: number;

  @Column('numeric', { name: 'unit_price', precision: 12, scale: 2 })
  unitPrice: string;

  @Column('numeric', { name: 'line_total', precision: 16, scale: 2 })
  lineTotal: string;

  // Units of the quantity. The database adds them up from parcels, refunds and returns.

  @Column('integer', { default: 0 })
  shipped: number;

  /** Cancelled before they left, while others stayed. A cancelled order counts none. */
  @Column('integer', { default: 0 })
  cancelled: number;

  @Column('integer', { default: 0 })
  refunded: number;

  /** Came back, or are expected back. */
  @Column('integer', { default: 0 })
  returned: number;
}
