import { Injectable } from '@nestjs/common';
import { resolveVariation } from '../catalog/rules/resolve-variation.js';
import { type Variation, variationKeys } from '../read-model/products/variations.js';
import { Database, type Transaction } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { readOptionalLine } from '../platform/validation/operator-text.js';
import { MAX_ON_HAND } from './max-on-hand.js';
import { forSale, type LockedStock, StockHoldings } from './stock-holdings.js';

const FIND_PRODUCT = {
  name: 'receipt-find-product',
  text: 'SELECT id, variations FROM products WHERE sku = $1',
};

const RECORD = {
  name: 'stock-movement-insert',
  text: 'INSERT INTO stock_movements (product_id, variation_key, delta, reason, actor) VALUES ($1, $2, $3, $4, $5)',
};

interface Receipt {
  sku: string;
  variation?: string;
  quantity: number;
  reason?: string;
  actor: string;
}

export interface StockShown {
  sku: string;
  variation: string;
  on_hand: number;
  held: number;
  for_sale: number;
}

/** Goods in, breakage, corrections: relative to what is on hand, and each written down. */
@Injectable()
export class StockReceipts {
  constructor(
    private readonly database: Database,
    private readonly stock: StockHoldings,
  ) {}

  receive({ sku, variation, quantity, actor, ...given }: Receipt): Promise<StockShown> {
    const reason =
      readOptionalLine('reason', given.reason, 200) ?? (quantity > 0 ? 'goods in' : 'correction');
    return this.database.transaction(async (transaction) => {
      const { productId, variationKey } = await findKey(transaction, sku, variation);
      const [item] = await this.stock.lock(transaction, [{ productId, variationKey }]);
      if (!item)
        throw new DomainError('product_not_found', `${sku} has no stock record for "${variationKey}".`);
      const onHand = checkedSum(item, quantity);
      await this.stock.change(transaction, [{ id: item.id, onHand: quantity, held: 0 }]);
      await transaction.query(RECORD, [productId, variationKey, quantity, reason, actor]);
      return {
        sku,
        variation: variationKey,
        on_hand: onHand,
        held: item.held,
        for_sale: forSale({ onHand, held: item.held }),
      };
    });
  }
}

async function findKey(transaction: Transaction, sku: string, variation: string | undefined) {
  const [product] = await transaction.query<{ id: number; variations: Variation[] }>(FIND_PRODUCT, [sku]);
  if (!product) throw new DomainError('product_not_found', `There is no product "${sku}".`);
  const keys = variationKeys(product.variations);
  const text = variation?.trim() ?? '';
  if (product.variations.length === 0) {
    if (text !== '') throw new DomainError('invalid_value', `${sku} has no variations.`);
    return { productId: product.id, variationKey: '' };
  }
  const resolved = resolveVariation(product.variations, keys, text);
  if ('key' in resolved) return { productId: product.id, variationKey: resolved.key };
  const complaint =
    resolved.error === 'variation_required' ? 'comes in variations' : `has no variation "${text}"`;
  throw new DomainError('invalid_value', `${sku} ${complaint}. Name one of: ${keys.join(', ')}.`);
}

function checkedSum(item: LockedStock, quantity: number): number {
  const onHand = item.onHand + quantity;
  if (onHand < 0) throw new DomainError('conflict', `Only ${item.onHand} are on hand.`);
  if (onHand > MAX_ON_HAND)
    throw new DomainError('conflict', `There would be more than ${MAX_ON_HAND} on hand.`);
  return onHand;
}
