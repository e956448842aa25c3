import type { PlanView } from '../products/plan-view.js';
import type { ProductView } from '../products/product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';

/** From so many changes on, which are more than half of the list, all of it is told: it is kept ready, and picking would cost more. */
const MANY = 1_000;

export interface ProductChanges {
  /** In no order. */
  changed: ProductView[] | 'all';
  /** How many products had to be looked at. */
  looked: number;
  /** The stamp of the earliest of these changes: asked from there on, it is the same products. */
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
  const changed: ProductView[] = [];
  const removed = new Set(shelf.removedSince(stamp));
  let oldest = Infinity;
  let looked = 0;
  for (const product of shelf.changedSince(stamp)) {
    looked++;
    if (!product.active) {
      if (product.withdrawn !== null && product.withdrawn >= stamp) removed.add(product.sku);
      continue;
    }
    const productStamp = plan ? plan.stampOf(product) : product.contentStamp;
    if (productStamp < stamp) continue;
    changed.push(product);
    oldest = Math.min(oldest, productStamp);
  }
  const tellsAll =
    changed.length === shelf.count ||
    (changed.length >= MANY && changed.length > shelf.count / 2) ||
    (plan !== undefined && plan.repriced >= stamp);
  return { changed: tellsAll ? 'all' : changed, looked, oldest, removed: [...removed].toSorted() };
}
