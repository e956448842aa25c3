import type { PlanView } from '../products/plan-view.js';
import type { ProductView } from '../products/product-view.js';

/** How a list of all products is written: for one plan, or alike for all. */
export interface ListForm<Plan extends PlanView | undefined> {
  /** Goes into the tag: whatever changes the bytes besides the products, the shape of the list included. */
  name: string;
  head(total: number): string;
  item(product: ProductView, plan: Plan): object;
  tail(syncToken: string): string;
  /** The end of a list of changes. */
  changesTail(removed: string[], syncToken: string): string;
}
