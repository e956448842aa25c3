import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/database.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { readOptionalLine } from '../platform/validation/texts.js';
import { findStockKey } from './find-stock-key.js';
import { forSale, onHandAfter } from './rules/on-hand.js';
import { StockHoldings } from './stock-holdings.js';
import { COUNT, StockMovement } from './stock-movement.entity.js';

interface Counted {
  sku: string;
  variation?: string;
  quantity: number;
  actor: string;
}

type Receipt = Counted & { reason?: string };

export interface StockShown {
  sku: string;
  variation: string;
  on_hand: number;
  held: number;
  for_sale: number;
}

/** Goods in, breakage, corrections, and what was counted: of one thing, and each written down. */
@Injectable()
export class StockReceipts {
  constructor(
    private readonly database: Database,
    private readonly stock: StockHoldings,
  ) {}

  /** Relative to what is on hand. */
  receive({ reason: given, ...receipt }: Receipt): Promise<StockShown> {
    const { quantity } = receipt;
    const reason = readOptionalLine('reason', given, 200) ?? (quantity > 0 ? 'goods in' : 'correction');
    return this.move(receipt, reason, () => quantity);
  }

  /** So many are on the shelf, whatever the books say. */
  count(counted: Counted): Promise<StockShown> {
    return this.move(counted, COUNT, (onHand) => counted.quantity - onHand);
  }

  private move(
    { sku, variation, actor }: Counted,
    reason: string,
    deltaOf: (onHand: number) => number,
  ): Promise<StockShown> {
    return this.database.transaction(async (transaction) => {
      const key = await findStockKey(transaction.manager, sku, variation);
      const [item] = await this.stock.lock(transaction, [key]);
      if (!item)
        throw new DomainError('product_not_found', `${sku} has no stock record for "${key.variationKey}".`);
      const delta = deltaOf(item.onHand);
      const onHand = onHandAfter(item.onHand, delta);
      if (delta !== 0) {
        await this.stock.change(transaction, [{ id: item.id, onHand: delta, held: 0 }]);
        await transaction.manager.insert(StockMovement, { ...key, delta, reason, actor });
      }
      return {
        sku,
        variation: key.variationKey,
        on_hand: onHand,
        held: item.held,
        for_sale: forSale({ onHand, held: item.held }),
      };
    });
  }
}
