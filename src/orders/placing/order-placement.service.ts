import { Injectable } from '@nestjs/common';
import { subscriptionInactive } from '../../clients/refusals.js';
import type { Caller } from '../../read-model/access/caller.js';
import { SkuSuggestions } from '../../read-model/products/sku-suggestions.js';
import { SnapshotService } from '../../read-model/snapshot/snapshot.service.js';
import { skusOf } from '../rules/order-lines.js';
import { OrderBatchesService } from './batches/order-batches.service.js';
import type { CreateOrderRequest } from './create-order.request.js';
import type { PlacedOrder } from './order-to-place.js';
import { PlanChanged } from './rights.repository.js';

/** Places an order, together with others of the same moment. */
@Injectable()
export class OrderPlacementService {
  constructor(
    private readonly batches: OrderBatchesService,
    private readonly snapshot: SnapshotService,
    private readonly suggestions: SkuSuggestions,
  ) {}

  /**
   * The guard's knowledge of the caller is a moment old. If the plan has changed since, the new one counts.
   */
  async place(caller: Caller, request: CreateOrderRequest): Promise<PlacedOrder> {
    const hints = this.suggestions.hintsFor(skusOf(request.items));
    try {
      return await this.batches.place({ caller, request, hints });
    } catch (error) {
      if (!(error instanceof PlanChanged)) throw error;
      await this.snapshot.refreshAfterWrite();
      return this.batches.place({ caller: this.asOfNow(caller), request, hints });
    }
  }

  private asOfNow({ client, token }: Caller): Caller {
    const subscription = this.snapshot.activeSubscription(client.id, Date.now());
    if (!subscription) throw subscriptionInactive();
    return { client, token, subscription, plan: subscription.plan };
  }
}
