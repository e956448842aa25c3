// The service, but each order has a transaction of its own: same rules, no batch.
import type { OrderBatchService } from '../../src/modules/orders/placing/order-batch.service.js';
import { OrderPlacementService } from '../../src/modules/orders/placing/order-placement.service.js';
import type { CreateOrderRequest } from '../../src/modules/orders/placing/create-order.request.js';
import type { Caller } from '../../src/read-model/callers/caller.js';
import type { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';

interface Parts {
  batches: OrderBatchService;
  snapshot: SnapshotService;
}

OrderPlacementService.prototype.place = async function (caller: Caller, request: CreateOrderRequest) {
  const { batches, snapshot } = this as unknown as Parts;
  const [outcome] = await batches.placeBatch([{ caller, request, hints: new Map() }]);
  if (!('placed' in outcome!)) throw outcome!.refusal;
  snapshot.refreshFor([caller.client.id]);
  return outcome.placed;
};
await import('../../src/main.js');
