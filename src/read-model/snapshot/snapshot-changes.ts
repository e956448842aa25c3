import { type PlanView, PriceDrafts } from '../products/plan-view.js';
import { ProductDrafts } from '../products/product-drafts.js';
import { type ChangedRow, deletedRowKeyOf, rowKeyOf, type RowOf } from './change-query.js';
import type { SnapshotState, StateRow } from './snapshot-state.js';

/**
 * What a load or a refresh reads. Products and prices become drafts row by row. Readers see nothing until all
 * is published in one turn.
 */
export class SnapshotChanges {
  highestVersion = 0;
  private readonly rows: StateRow[] = [];
  private readonly products: ProductDrafts;
  private readonly prices = new Map<PlanView, PriceDrafts>();
  private readonly tombstones: RowOf<'tombstones'>[] = [];
  /** The tombstones by key, without those of rows that came back or were renamed. */
  private readonly removed = new Map<string, RowOf<'tombstones'>>();

  constructor(private readonly state: SnapshotState) {
    this.products = new ProductDrafts(state.productIndex);
  }

  /** The query sends tombstones first. */
  take(row: ChangedRow): void {
    this.highestVersion = Math.max(this.highestVersion, row.changeVersion);
    if (row.relation === 'tombstones') {
      this.tombstones.push(row);
      this.removed.set(deletedRowKeyOf(row), row);
      return;
    }
    if (this.removed.size > 0) this.removed.delete(rowKeyOf(row));
    if (row.relation === 'products') this.products.put(row);
    else if (row.relation === 'stock_items') this.products.putStockItem(row);
    else if (row.relation === 'plan_prices') this.putPrice(row);
    else this.rows.push(row);
  }

  /** Prepares all in steps. The function that it returns shows it to readers. */
  *build(): Generator<void, () => void> {
    for (const tombstone of this.removed.values()) this.removeFromDrafts(tombstone);
    const publishes = [yield* this.products.build()];
    for (const drafts of this.prices.values()) publishes.push(yield* drafts.build());
    return () => {
      for (const { columns } of this.removed.values()) this.state.remove(columns[1], Number(columns[2].id));
      for (const row of this.rows) this.state.put(row);
      for (const publish of publishes) publish();
      for (const tombstone of this.tombstones) this.noteRemoval(tombstone);
      this.state.noteVersion(this.highestVersion);
      if (this.highestVersion > 0) this.state.productIndex.revision++;
    };
  }

  private putPrice({ changeVersion, columns: [planId, productId, price] }: RowOf<'plan_prices'>): void {
    this.pricesOf(planId).put(productId, { price, changeVersion });
  }

  private removeFromDrafts({ columns: [, relation, key] }: RowOf<'tombstones'>): void {
    const [id, productId] = [Number(key.id), Number(key.product_id)];
    if (relation === 'products') this.products.remove(id);
    if (relation === 'stock_items') this.products.removeStockItem(id, productId);
    // The removal of a fixed price gives the product's row a new version, so it is a change of the product.
    if (relation === 'plan_prices' && this.state.hasPlan(Number(key.plan_id)))
      this.pricesOf(Number(key.plan_id)).remove(productId);
  }

  /** A SKU that was never sold is not reported. */
  private noteRemoval({ changeVersion, columns: [, relation, key] }: RowOf<'tombstones'>): void {
    if (relation !== 'products' || key.sku === undefined) return;
    if (key.active || key.withdrawn !== null) this.state.productIndex.noteRemoval(key.sku, changeVersion);
  }

  private pricesOf(planId: number): PriceDrafts {
    const plan = this.state.planOf(planId);
    let drafts = this.prices.get(plan);
    if (!drafts) this.prices.set(plan, (drafts = new PriceDrafts(plan)));
    return drafts;
  }
}
