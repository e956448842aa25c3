import { currentPayer, type Payer, workClock, workFor } from '../../../platform/limits/work-meter.js';
import type { Caller } from '../../../read-model/callers/caller.js';
import type { SkuSuggestions } from '../../../read-model/products/sku-suggestions.js';
import type { SnapshotService } from '../../../read-model/snapshot/snapshot.service.js';
import type { CreateOrderRequest } from './create-order.request.js';
import type { OrderBatchService, OrderToPlace, PlacementOutcome } from './order-batch.service.js';
import { OrderPlacementService } from './order-placement.service.js';

describe('Orders that wait for a batch', () => {
  it('are limited to 256 for each client', async () => {
    const placed: OrderToPlace[] = [];
    const never = (batch: OrderToPlace[]) => {
      placed.push(...batch);
      return new Promise<never>(() => undefined);
    };
    const placement = placementBy(never);
    const refused: unknown[] = [];
    const place = (clientId: number) =>
      void placement
        .place(caller(clientId), { items: [{ sku: 'A' }] } as CreateOrderRequest)
        .catch((error: unknown) => refused.push([clientId, (error as { code: string }).code]));
    // The first order is placed at once; the others wait for the same product.
    for (let n = 0; n < 1 + 256 + 1; n++) place(1);
    place(2);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect([placed.length, placement.waitingCount]).toEqual([1, 257]);
    expect(refused).toEqual([[1, 'rate_limited']]);
  });

  it('do not wait for a batch that failed unexpectedly', async () => {
    let batches = 0;
    const placeBatch = async (batch: OrderToPlace[]): Promise<PlacementOutcome[]> => {
      batches++;
      if (batches === 1) throw new Error('broken');
      return batch.map(() => ({ refusal: new Error('sold out') }));
    };
    const placement = placementBy(placeBatch);
    const order = () => placement.place(caller(1), { items: [{ sku: 'A' }] } as CreateOrderRequest);
    const [first, second] = await Promise.allSettled([order(), order()]);
    expect([first, second]).toMatchObject([
      { reason: { message: 'broken' } },
      { reason: { message: 'sold out' } },
    ]);
    await expect(order()).rejects.toThrow('sold out');
  });
});

describe('A batch', () => {
  const { now } = workClock;
  beforeAll(() => void (workClock.now = () => 0));
  afterAll(() => void (workClock.now = now));

  it('is paid for by its orders, each the same part, and not by the order that started it', async () => {
    const paid: Record<string, number> = {};
    const payer = (name: string): Payer => ({
      charge: (units) => void (paid[name] = (paid[name] ?? 0) + units),
    });
    const batches: (readonly [Payer | undefined, number])[] = [];
    const placeBatch = async (batch: OrderToPlace[]): Promise<PlacementOutcome[]> => {
      batches.push([currentPayer(), batch.length]);
      await Promise.resolve();
      return batch.map(() => ({ refusal: new Error('sold out') }));
    };
    const placement = placementBy(placeBatch);
    const place = (name: string) =>
      workFor(payer(name), () =>
        placement.place(caller(1), { items: [{ sku: 'A' }] } as CreateOrderRequest).catch(() => undefined),
      );
    await Promise.all(['first', 'second', 'third'].map(place));
    expect(batches.map(([, size]) => size)).toEqual([1, 2]);
    const before = { ...paid };
    batches[1]![0]!.charge(10);
    expect([paid.first, paid.second! - before.second!, paid.third! - before.third!]).toEqual([
      before.first,
      5,
      5,
    ]);
  });
});

function placementBy(
  placeBatch: (batch: OrderToPlace[]) => Promise<PlacementOutcome[]>,
): OrderPlacementService {
  return new OrderPlacementService(
    { placeBatch } as unknown as OrderBatchService,
    {} as unknown as SnapshotService,
    { hintsFor: () => new Map() } as unknown as SkuSuggestions,
  );
}

const caller = (id: number) => ({ client: { id } }) as Caller;
