import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { StockItem, StockMovement } from '../catalog/product.entity.js';
import { ProductRepository } from '../catalog/product.repository.js';
import { resolveVariation } from '../catalog/rules/resolve-variation.js';
import { Database } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { readOptionalLine } from '../../platform/validation/texts.js';
import { variationKeys } from '../../read-model/products/variations.js';
import { COUNT_REASON, forSale, onHandAfter, DEFAULT_LOW_STOCK_THRESHOLD } from './rules/on-hand.js';
import {
  type LowStock,
  type LowStockMark,
  StockHoldings,
  type StockKey,
} from './stock-holdings.repository.js';

interface StockCount {
  sku: string;
  variation?: string;
  quantity: number;
  /** The number on hand that the person reviewed. If it is another one now, nothing changes. */
  expected?: number;
  actor: string;
}

interface StockCounts {
  on_hand: number;
  held: number;
  for_sale: number;
}

export type VariationStock = StockCounts & { variation: string };

export type StockView = VariationStock & { sku: string };

export const LOW_STOCK_COLUMNS = [
  'sku',
  'name',
  'variation',
  'on_hand',
  'held',
  'for_sale',
  'below',
] as const satisfies readonly (keyof LowStock)[];

export interface ProductStock extends StockCounts {
  sku: string;
  name: string;
  shelf: string;
  active: boolean;
  variations: VariationStock[];
}

/** The wholesaler's commands for single products: look-ups, goods in, breakage, corrections and counts. */
@Injectable()
export class StockAdministration {
  constructor(
    private readonly database: Database,
    private readonly holdings: StockHoldings,
    private readonly products: ProductRepository,
    private readonly audit: AuditLog,
    @InjectRepository(StockItem) private readonly items: Repository<StockItem>,
  ) {}

  async show(sku: string): Promise<ProductStock> {
    const { id, name, shelf, active } = await this.products.bySku(sku);
    const items = await this.items.find({ where: { productId: id }, order: { id: 'ASC' } });
    const variations = items.map((item) => ({ variation: item.variationKey, ...countsOf(item) }));
    return { sku, name, shelf, active, ...sumOf(variations), variations };
  }

  /**
   * Variations of active products of which fewer can be sold than the threshold of the product says. `below`
   * is the threshold of products without one; 0 leaves them out.
   */
  low(below = DEFAULT_LOW_STOCK_THRESHOLD, limit?: number): AsyncGenerator<LowStock, number> {
    return this.holdings.low(below, limit);
  }

  lowPage(below = DEFAULT_LOW_STOCK_THRESHOLD, after: LowStockMark | undefined, limit: number) {
    return this.holdings.lowPage(below, after, limit);
  }

  /** The id of a product and the stock key of its variation, if one is named. */
  async find(sku: string, variation?: string): Promise<{ productId: number; variationKey: string | null }> {
    if (variation !== undefined) return this.findKey(sku, variation);
    return { productId: (await this.products.bySku(sku)).id, variationKey: null };
  }

  /** Adds to the number on hand. A negative quantity takes away. */
  receive({ reason: reasonText, ...receipt }: StockCount & { reason?: string }): Promise<StockView> {
    const { quantity } = receipt;
    const reason = readOptionalLine('reason', reasonText, 200) ?? (quantity > 0 ? 'goods in' : 'correction');
    return this.move(receipt, reason, () => quantity);
  }

  /** Replaces the number on hand. */
  count(counted: StockCount): Promise<StockView> {
    return this.move(counted, COUNT_REASON, (onHand) => counted.quantity - onHand);
  }

  private move(
    { sku, variation, actor, expected }: StockCount,
    reason: string,
    deltaOf: (onHand: number) => number,
  ): Promise<StockView> {
    return this.database.transaction(async (transaction) => {
      const key = await this.findKey(sku, variation, transaction.manager);
      const [item] = await this.holdings.lock(transaction, [key]);
      if (!item)
        throw new DomainError('product_not_found', `${sku} has no stock record for "${key.variationKey}".`);
      if (expected !== undefined && item.onHand !== expected)
        throw new DomainError(
          'conflict',
          `${item.onHand} are on hand now, no longer ${expected}. Nothing was changed.`,
        );
      const delta = deltaOf(item.onHand);
      const onHand = onHandAfter(item.onHand, delta);
      if (delta !== 0) {
        await this.holdings.change(transaction, [{ id: item.id, onHand: delta, held: 0 }]);
        await transaction.manager.insert(StockMovement, { ...key, delta, reason, actor });
        await this.audit.recordWithin(transaction, {
          actor,
          clientId: null,
          action: 'stock.changed',
          subject: `product ${sku}`,
          details: {
            ...(key.variationKey !== '' && { variation: key.variationKey }),
            on_hand: onHand,
            on_hand_before: item.onHand,
            reason,
          },
        });
      }
      return { sku, variation: key.variationKey, ...countsOf({ onHand, held: item.held }) };
    });
  }

  /** The stock key of a SKU and a text, or an error that lists the possible keys. */
  private async findKey(
    sku: string,
    variation: string | undefined,
    manager?: EntityManager,
  ): Promise<StockKey> {
    const { id: productId, variations } = await this.products.bySku(sku, manager);
    const text = variation?.trim() ?? '';
    if (variations.length === 0) {
      if (text !== '') throw new DomainError('invalid_value', `${sku} has no variations.`);
      return { productId, variationKey: '' };
    }
    const keys = variationKeys(variations);
    const resolved = resolveVariation(variations, keys, text);
    if ('key' in resolved) return { productId, variationKey: resolved.key };
    const problem = resolved.error === 'variation_required' ? 'has variations' : `has no variation "${text}"`;
    const [said, named] =
      'readings' in resolved ? [`has several "${text}"`, resolved.readings] : [problem, keys];
    throw new DomainError('invalid_value', `${sku} ${said}. Name one of: ${named.join(', ')}.`);
  }
}

function countsOf(item: Pick<StockItem, 'onHand' | 'held'>): StockCounts {
  return { on_hand: item.onHand, held: item.held, for_sale: forSale(item) };
}

function sumOf(counts: StockCounts[]): StockCounts {
  const sum = (field: keyof StockCounts) => counts.reduce((total, each) => total + each[field], 0);
  return { on_hand: sum('on_hand'), held: sum('held'), for_sale: sum('for_sale') };
}
