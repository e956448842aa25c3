// The service, but each order has a transaction of its own: same rules, no batch.
import type { BatchPlacementService } from '../../src/orders/placing/batches/batch-placement.service.js';
import { OrderBatchesService } from '../../src/orders/placing/batches/order-batches.service.js';
import type { OrderToPlace } from '../../src/orders/placing/order-to-place.js';
import type { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';

interface Parts {
  placement: BatchPlacementService;
  snapshot: SnapshotService;
}

OrderBatchesService.prototype.place = async function (order: OrderToPlace) {
  const { placement, snapshot } = this as unknown as Parts;
  const [outcome] = await placement.place([order]);
  if (!('placed' in outcome!)) throw outcome!.refusal;
  snapshot.refreshFor([order.caller.client.id]);
  return outcome.placed;
};
await import('../../src/main.js');
