import { Injectable } from '@nestjs/common';
import type { Caller } from '../../read-model/access/caller.js';
import { SkuSuggestions } from '../../read-model/products/sku-suggestions.js';
import { skusOf } from '../rules/order-lines.js';
import { OrderBatches } from './batches/order-batches.js';
import type { CreateOrderRequest } from './create-order.request.js';
import { CurrentRights } from './current-rights.js';
import type { PlacedOrder } from './order-to-place.js';

/** Places an order together with others that arrive at the same moment. */
@Injectable()
export class OrderPlacement {
  constructor(
    private readonly batches: OrderBatches,
    private readonly rights: CurrentRights,
    private readonly suggestions: SkuSuggestions,
  ) {}

  place(caller: Caller, request: CreateOrderRequest): Promise<PlacedOrder> {
    const hints = this.suggestions.hintsFor(skusOf(request.items));
    return this.rights.keep(caller, (current) => this.batches.place({ caller: current, request, hints }));
  }
}
