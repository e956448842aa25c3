import type { Caller } from '../../read-model/access/caller.js';
import type { SkuHint } from '../../read-model/products/sku-suggestions.js';
import type { OrderTotals } from '../rules/order-totals.js';
import type { CreateOrderRequest } from './create-order.request.js';

/** An order that was asked for. */
export interface OrderToPlace {
  caller: Caller;
  request: CreateOrderRequest;
  /** What may be meant by SKUs that are not for sale: looked for before it waits, because that may take a while. */
  hints: ReadonlyMap<string, SkuHint>;
}

export interface PlacedOrder {
  orderNumber: string;
  totals: OrderTotals;
  itemsCount: number;
  paymentDueAt: Date;
}

/** What became of it, or why nothing did. */
export type Outcome = { placed: PlacedOrder } | { refusal: unknown };
