import { Check, Column, CreateDateColumn, Entity, Index, Unique, ForeignKey } from 'typeorm';
import { ChangeVersion, IdColumn } from '../../platform/database/columns-of.js';
import type { GstTreatment } from '../tax/goods-law.js';
import type { Variation } from '../../read-model/products/variations.js';

@Entity('products')
@Index('products_changed', ['changed'])
@Index('products_low_stock', ['id'], { where: 'low_stock > 0' })
@Index('products_search', { synchronize: false })
@Unique('products_sku_unique', ['sku'])
@Check('products_sku_length', 'char_length(sku) >= 1 AND char_length(sku) <= 64')
@Check('products_low_stock_range', 'low_stock >= 0 AND low_stock <= 1000000000')
@Check('products_weight_grams_range', 'weight_grams >= 0 AND weight_grams <= 1000000000')
@Check('products_base_price_range', 'base_price >= 0 AND base_price <= 1000000')
@Check('products_delivery_charge_range', 'delivery_charge >= 0 AND delivery_charge <= 1000000')
@Check('products_mrp_range', 'mrp >= 0 AND mrp <= 1000000')
@Check('products_gst_rate_is_percent', 'gst_rate >= 0 AND gst_rate <= 100')
@Check(
  'products_gst_treatment_known',
  `gst_treatment IN ('taxable', 'nil_rated', 'exempt', 'non_gst')
   AND (gst_treatment = 'taxable' OR gst_rate IS NULL OR gst_rate = 0)`,
)
@Check('products_variations_is_array', `jsonb_typeof(variations) = 'array'`)
export class Product {
  @IdColumn() id: number;
  @Column('text') sku: string;
  @Column('text') name: string;
  @Column('text') description: string;
  @Column('text') category: string;
  @Column('text', { array: true, default: () => `'{}'` }) images: string[];
  /** Numeric text such as "249.00", like all amounts in entities. */
  @Column('numeric', { precision: 12, scale: 2 }) basePrice: string;
  @Column('numeric', { precision: 12, scale: 2 }) deliveryCharge: string;
  @Column('boolean', { default: true }) active: boolean;
  @Column('jsonb', { default: () => `'[]'` }) variations: Variation[];
  /** `stock low` lists the product below this number. 0: it has no threshold of its own. */
  @Column('integer', { default: 0 }) lowStock: number;
  /** Where it lies in the warehouse, such as A-12-3. Stores do not see it. */
  @Column('text', { default: '' }) shelf: string;
  /** The code of the goods in the tariff. Empty: not known yet. */
  @Column('text', { default: '' }) hsn: string;
  /** The tax that is within the price, in percent. Null: not known yet. */
  @Column('numeric', { precision: 5, scale: 2, nullable: true }) gstRate: string | null;
  /** Why it has no tax at the rate 0. */
  @Column('text', { default: 'taxable' }) gstTreatment: GstTreatment;
  /** The unit of its quantities on invoices, such as NOS, PCS or KGS. */
  @Column('text', { default: '' }) unit: string;
  /** A number of GS1. Empty: not known, or each variation has its own. */
  @Column('text', { default: '' }) barcode: string;
  /** The weight of one packed unit. 0: not known. */
  @Column('integer', { default: 0 }) weightGrams: number;
  // What the Legal Metrology rules make a shop show with packaged goods. Empty or 0: not known.
  /** The maximum retail price of one unit, with all taxes. */
  @Column('numeric', { precision: 12, scale: 2, default: 0 }) mrp: string;
  @Column('text', { default: '' }) countryOfOrigin: string;
  @Column('text', { default: '' }) manufacturer: string;
  /** As on the pack, such as 250 g. */
  @Column('text', { default: '' }) netQuantity: string;
  @Column('text', { default: '' }) detailsUrl: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt: Date;
  @ChangeVersion() changed: never;
  /** Set when the product stopped being offered under this SKU. Null while active, and if it never was. */
  @ChangeVersion({ nullable: true }) withdrawn: never;
}

/**
 * The stock of one variation, or of a product without variations: on hand, and held by orders. The rows of a
 * product follow from its variations, so the catalog owns the table. The stock module changes the numbers.
 */
@Entity('stock_items')
@Index('stock_items_changed', ['changed'])
@Unique('stock_items_key_unique', ['productId', 'variationKey'])
@Check('stock_items_on_hand_not_negative', 'on_hand >= 0')
@Check('stock_items_held_not_negative', 'held >= 0')
export class StockItem {
  @IdColumn() id: number;
  @Column('integer')
  @ForeignKey(() => Product, { name: 'stock_items_product_fk', onDelete: 'CASCADE' })
  productId: number;
  @Column('text', { default: '' }) variationKey: string;
  @Column('integer', { default: 0 }) onHand: number;
  @Column('integer', { default: 0 }) held: number;
  @ChangeVersion() changed: never;
}

/**
 * A change of the number on hand that no order caused: goods in, breakage, a correction, a count. Rows never
 * change.
 */
@Entity('stock_movements')
@Index('stock_movements_product', ['productId', 'movedAt'])
export class StockMovement {
  @IdColumn('bigint') id: string;
  @Column('integer') @ForeignKey(() => Product, { name: 'stock_movements_product_fk' }) productId: number;
  @Column('text') variationKey: string;
  @Column('integer') delta: number;
  @Column('text') reason: string;
  @Column('text') actor: string;
  @CreateDateColumn({ type: 'timestamptz' }) movedAt: Date;
}
