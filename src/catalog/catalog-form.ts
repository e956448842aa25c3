import type { ListForm } from '../read-model/lists/list-pieces.js';
import type { PlanView } from '../read-model/products/plan-view.js';
import { toProductItem } from './product.mapper.js';

/** The whole catalog, as it is written for one plan. */
export function catalogForm(currency: string): ListForm<PlanView> {
  return {
    name: `catalog 1 ${currency}`,
    head: (total) => `{"status":true,"total":${total},"data":[`,
    item: (product, plan) => toProductItem(product, plan, currency),
    tail: (syncToken) => `],"sync_token":${JSON.stringify(syncToken)}}`,
    changesTail: (removed, syncToken) =>
      `],"removed":${JSON.stringify(removed)},"sync_token":${JSON.stringify(syncToken)}}`,
  };
}
