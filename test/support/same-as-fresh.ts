import { SnapshotConnection } from '../../src/read-model/snapshot/snapshot-connection.js';
import type { SnapshotService } from '../../src/read-model/snapshot/snapshot.service.js';
import { SnapshotSource } from '../../src/read-model/snapshot/snapshot-source.js';

/** Caches, counters of one process and a state's own past. No answer depends on them alone. */
const OWN = new Set([
  'SnapshotState.visibleBelow',
  'SnapshotState.highestVersion',
  'SnapshotState.watermark',
  'SnapshotState.pastGenerations',
  'SnapshotState.unread',
  // Higher than any row's after a late transaction has deleted the row.
  'ProductIndex.contentVersion',
  'ProductIndex.latestVersions',
  'ProductIndex.revision',
  'ProductIndex.sorted',
  // The removal of a fixed price stamps the product.
  'PlanView.contentVersion',
  'PlanView.latestVersions',
  'Removals.sorted',
]);

/** Their order is no part of an answer. */
const UNORDERED = new Set(['ProductView.stock', 'ProductChunk.all', 'Removals.removals']);

/**
 * Compares all data of a running snapshot with those of a node that starts now: products, prices, stock,
 * removals, clients, tokens and subscriptions.
 */
export async function expectSameAsFresh(snapshot: SnapshotService, url: string): Promise<void> {
  for (let attempts = 3; ; attempts--) {
    const source = new SnapshotSource(new SnapshotConnection(url));
    const fresh = await source.load().finally(() => source.close());
    await snapshot.refreshNow();
    const [running, loaded] = [plain(snapshot.current()), plain(fresh)];
    if (JSON.stringify(running) !== JSON.stringify(loaded)) {
      // A job of the service may have written between the two.
      if (attempts > 0) continue;
      expect(running).toEqual(loaded);
    }
    expect(snapshot.current().productIndex.contentVersion).toBeGreaterThanOrEqual(
      fresh.productIndex.contentVersion,
    );
    return;
  }
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return sorted([...value].map(plain));
  if (value instanceof Set) return sorted([...value].map(plain));
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([field, held]) => [`${value.constructor.name}.${field}`, held] as const)
      .filter(([name]) => !OWN.has(name))
      .map(([name, held]) => [name, UNORDERED.has(name) ? sorted(plain(held) as unknown[]) : plain(held)]),
  );
}

function sorted(values: unknown[]): unknown[] {
  const named = values.map((value) => [JSON.stringify(value), value] as const);
  return named.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
