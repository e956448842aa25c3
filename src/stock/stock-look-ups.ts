import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Product } from '../products/product.entity.js';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { findStockKey } from './find-stock-key.js';
import { forSale } from './rules/on-hand.js';
import { StockItem } from './stock-item.entity.js';

interface StockCounts {
  on_hand: number;
  held: number;
  for_sale: number;
}

export type VariationStock = StockCounts & { variation: string };

export interface ProductStock extends StockCounts {
  sku: string;
  name: string;
  active: boolean;
  variations: VariationStock[];
}

export type LowStock = VariationStock & { sku: string; name: string };

/** Read through a cursor, for there may be any number of them: that is SQL. */
const LOW = `
  SELECT p.sku, p.name, i.variation_key AS variation, i.on_hand, i.held, greatest(i.on_hand - i.held, 0) AS for_sale
    FROM stock_items i JOIN products p ON p.id = i.product_id
   WHERE p.active AND i.on_hand - i.held < $1
   ORDER BY for_sale, p.sku, i.id`;

/** What the wholesaler asks of the stock every day. */
@Injectable()
export class StockLookUps {
  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
  ) {}

  async show(sku: string): Promise<ProductStock> {
    const product = await this.product(sku);
    const items = await this.dataSource
      .getRepository(StockItem)
      .find({ where: { productId: product.id }, order: { id: 'ASC' } });
    const { name, active } = product;
    const variations = items.map((item) => ({ variation: item.variationKey, ...countsOf(item) }));
    return { sku, name, active, ...sumOf(variations), variations };
  }

  /** Of active products, each thing of which fewer can be sold. */
  low(below: number, limit?: number): AsyncGenerator<LowStock, number> {
    return this.database.stream<LowStock>(LOW, [below], limit);
  }

  /** The ids of a product and, if one is named, of its variation. */
  async find(sku: string, variation?: string): Promise<{ productId: number; variationKey: string | null }> {
    if (variation !== undefined) return findStockKey(this.dataSource.manager, sku, variation);
    return { productId: (await this.product(sku)).id, variationKey: null };
  }

  private async product(sku: string): Promise<Product> {
    const product = await this.dataSource.getRepository(Product).findOneBy({ sku });
    if (!product) throw new DomainError('product_not_found', `There is no product "${sku}".`);
    return product;
  }
}

function countsOf(item: StockItem): StockCounts {
  return { on_hand: item.onHand, held: item.held, for_sale: forSale(item) };
}

function sumOf(counts: StockCounts[]): StockCounts {
  const sum = (field: keyof StockCounts) => counts.reduce((total, each) => total + each[field], 0);
  return { on_hand: sum('on_hand'), held: sum('held'), for_sale: sum('for_sale') };
}
