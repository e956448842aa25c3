import type { Caller } from '../../read-model/access/caller.js';
import type { SkuHint } from '../../read-model/products/sku-suggestions.js';
import type { OrderTotals } from '../rules/order-totals.js';
import type { CreateOrderRequest } from './create-order.request.js';

/** A requested order. */
export interface OrderToPlace {
  caller: Caller;
  request: CreateOrderRequest;
  /** Hints for unknown SKUs. Searched before the wait, because the search may take a while. */
  hints: ReadonlyMap<string, SkuHint>;
}

export interface PlacedOrder {
  orderNumber: string;
  totals: OrderTotals;
  itemsCount: number;
  paymentDueAt: Date;
}

export type Outcome = { placed: PlacedOrder } | { refusal: unknown };
