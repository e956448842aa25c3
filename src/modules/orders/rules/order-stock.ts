import type { FieldError } from '../../../platform/errors/domain-error.js';
import { forSale } from '../../stock/rules/on-hand.js';
import type { LockedStock, StockKey } from '../../stock/stock-holdings.repository.js';
import type { OrderLine } from './order-lines.js';

export interface Demand extends StockKey {
  quantity: number;
}

/** Sums the quantities by variation. */
export function demandOf(lines: readonly OrderLine[]): Demand[] {
  const demands = new Map<string, Demand>();
  for (const { offer, variationKey, quantity } of lines) {
    const id = stockId({ productId: offer.productId, variationKey });
    const demand = demands.get(id) ?? { productId: offer.productId, variationKey, quantity: 0 };
    demands.set(id, { ...demand, quantity: demand.quantity + quantity });
  }
  return [...demands.values()];
}

/** A fault for each line with too little stock. */
export function stockFaults(
  lines: readonly OrderLine[],
  stock: ReadonlyMap<string, Pick<LockedStock, 'onHand' | 'held'>>,
): FieldError[] {
  const demands = new Map(demandOf(lines).map((demand) => [stockId(demand), demand.quantity]));
  return lines.flatMap(({ index, offer, variationKey }) => {
    const id = stockId({ productId: offer.productId, variationKey });
    const item = stock.get(id);
    const available = item ? forSale(item) : 0;
    const requested = demands.get(id) ?? 0;
    if (requested <= available) return [];
    return [
      {
        field: `items[${index}].quantity`,
        code: 'insufficient_stock',
        message: `only ${available} can be sold now, but the order needs ${requested}`,
        sku: offer.sku,
        requested,
        available,
      },
    ];
  });
}

export function stockById(stock: readonly LockedStock[]): Map<string, LockedStock> {
  return new Map(stock.map((item) => [stockId(item), item]));
}

export function stockId({ productId, variationKey }: StockKey): string {
  return `${productId}/${variationKey}`;
}
