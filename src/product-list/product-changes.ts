import type { PlanView } from '../snapshot/plan-view.js';
import type { ProductView } from '../snapshot/product-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';

export interface ProductChanges {
  /** In the order of their ids. */
  changed: ProductView[];
  /** SKUs that are no longer sold. */
  removed: string[];
}

/** What changed at this stamp or later: in the products and their stock, and in what the plan makes of them. */
export function changesSince(
  { shelf }: SnapshotState,
  stamp: number,
  plan: PlanView | undefined,
): ProductChanges {
  const repriced = plan !== undefined && plan.stamp >= stamp;
  const changed: ProductView[] = repriced ? shelf.chunks().flatMap(({ products }) => products) : [];
  const removed = new Set(shelf.removedSince(stamp));
  for (const product of shelf.changedSince(stamp)) {
    if (!product.active) {
      if (product.contentStamp >= stamp) removed.add(product.sku);
    } else if (!repriced && isChanged(product, stamp, plan)) changed.push(product);
  }
  return { changed: changed.toSorted((a, b) => a.id - b.id), removed: [...removed].toSorted() };
}

function isChanged(product: ProductView, stamp: number, plan: PlanView | undefined): boolean {
  return plan ? plan.changedSince(stamp, product) : product.contentStamp >= stamp;
}
