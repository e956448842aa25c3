import type { Caller } from '../../read-model/callers/caller.js';
import type { SkuHint } from '../../read-model/products/sku-suggestions.js';
import type { OrderTotals } from '../rules/order-totals.js';
import type { CreateOrderRequest } from './create-order.request.js';

export interface OrderToPlace {
  caller: Caller;
  request: CreateOrderRequest;
  /** Similar SKUs for unknown ones. To find them takes time, so it happens before the order waits. */
  hints: ReadonlyMap<string, SkuHint>;
}

export interface PlacedOrder {
  orderNumber: string;
  totals: OrderTotals;
  itemsCount: number;
  paymentDueAt: Date;
}

export type Outcome = { placed: PlacedOrder } | { refusal: unknown };
