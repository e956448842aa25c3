import type { PlanView } from '../snapshot/plan-view.js';
import type { ProductView } from '../snapshot/product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';

export interface ProductChanges {
  /** In no order. */
  changed: ProductView[];
  /** The stamp of the earliest of these changes: asked from there on, it is the same products. Infinite if it is none, or all. */
  oldest: number;
  /** SKUs that are no longer sold, in order. */
  removed: string[];
}

/** What changed at this stamp or later: in the products and their stock, and in what the plan makes of them. */
export function changesSince(
  { shelf }: SnapshotState,
  stamp: number,
  plan: PlanView | undefined,
): ProductChanges {
  const repriced = plan !== undefined && plan.repriced >= stamp;
  const changed: ProductView[] = repriced ? shelf.chunks().flatMap(({ products }) => products) : [];
  const removed = new Set(shelf.removedSince(stamp));
  let oldest = Infinity;
  for (const product of shelf.changedSince(stamp)) {
    if (!product.active) {
      if (product.withdrawn !== null && product.withdrawn >= stamp) removed.add(product.sku);
    } else if (!repriced) {
      const changedAt = plan ? plan.stampOf(product) : product.contentStamp;
      if (changedAt < stamp) continue;
      changed.push(product);
      oldest = Math.min(oldest, changedAt);
    }
  }
  return { changed, oldest, removed: [...removed].toSorted() };
}
