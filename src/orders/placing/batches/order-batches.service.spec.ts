import type { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import type { OrderToPlace } from '../order-to-place.js';
import type { BatchPlacementService } from './batch-placement.service.js';
import { OrderBatchesService } from './order-batches.service.js';

describe('Orders that wait for a batch', () => {
  it('are limited to 256 for each client', async () => {
    const placed: OrderToPlace[] = [];
    const never = (batch: OrderToPlace[]) => {
      placed.push(...batch);
      return new Promise<never>(() => undefined);
    };
    const batches = new OrderBatchesService(
      { place: never } as unknown as BatchPlacementService,
      {} as unknown as SnapshotService,
    );
    const refused: unknown[] = [];
    const place = (clientId: number) =>
      void batches
        .place({ caller: { client: { id: clientId } }, request: { items: [{ sku: 'A' }] } } as OrderToPlace)
        .catch((error: unknown) => refused.push([clientId, (error as { code: string }).code]));
    // The first order is placed at once; the others wait for the same product.
    for (let n = 0; n < 1 + 256 + 1; n++) place(1);
    place(2);
    await Promise.resolve();
    await Promise.resolve();
    expect([placed.length, batches.waitingCount]).toEqual([1, 257]);
    expect(refused).toEqual([[1, 'rate_limited']]);
  });
});
