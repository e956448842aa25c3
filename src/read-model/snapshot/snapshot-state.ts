import { AccessIndex } from '../callers/access-index.js';
import {
  type ChangedRow,
  type ChangeHeader,
  rowKeyOf,
  deletedRowKeyOf,
  type PastGenerations,
  type RowOf,
} from './change-query.js';
import { watermarkOf, type ReadPosition } from './watermark.js';
import { PlanView } from '../products/plan-view.js';
import { chunkNumberOf } from '../products/product-chunk.js';
import { ProductIndex } from '../products/product-index.js';

/** The content of one generation, updated by changed rows. */
export class SnapshotState implements ReadPosition {
  readonly access = new AccessIndex();
  readonly productIndex = new ProductIndex();
  identity = '';
  visibleBelow = 0;
  highestVersion = 0;
  /** The change version from which the next refresh reads. */
  watermark = 0;
  pastGenerations: PastGenerations = {};

  private readonly plans = new Map<number, PlanView>();
  /** The tombstones of the last refresh, which may come again. */
  private appliedTombstones = new Set<number>();

  /** The position of a reader of a plan's list. The highest version moves only when the list changes. */
  readPositionFor(plan: PlanView | undefined): ReadPosition {
    const { identity, visibleBelow } = this;
    return {
      identity,
      visibleBelow,
      highestVersion: Math.max(this.productIndex.contentVersion, plan?.contentVersion ?? 0),
    };
  }

  /** A store knows a change with this version. A database without it was rolled back. */
  noteVersion(changeVersion: number): void {
    this.highestVersion = Math.max(this.highestVersion, changeVersion);
  }

  /** Takes a row of the first load, when tombstones remove nothing. */
  load(row: ChangedRow): void {
    this.noteVersion(row.changeVersion);
    if (row.relation !== 'tombstones') return this.put(row);
    this.noteRemoval(row);
    this.appliedTombstones.add(row.columns[0]);
  }

  /** Applies all changes at once, so that no reader sees half of them. */
  apply(rows: ChangedRow[]): void {
    this.applyTombstones(rows);
    for (const row of rows) {
      this.noteVersion(row.changeVersion);
      if (row.relation !== 'tombstones') this.put(row);
    }
  }

  /** Completes a load or a refresh. */
  settle({ identity, xmin, pastGenerations }: ChangeHeader): void {
    this.productIndex.settle();
    this.identity = identity;
    this.pastGenerations = pastGenerations;
    this.visibleBelow = xmin;
    this.watermark = watermarkOf(this);
  }

  /** A tombstone with a row of the same key means that the row came back or was renamed. */
  private applyTombstones(rows: ChangedRow[]): void {
    const tombstones = rows.filter((row) => row.relation === 'tombstones');
    const newTombstones = tombstones.filter(({ columns: [id] }) => !this.appliedTombstones.has(id));
    this.appliedTombstones = new Set(tombstones.map(({ columns: [id] }) => id));
    if (newTombstones.length === 0) return;
    const alive = new Set(rows.map(rowKeyOf));
    for (const tombstone of newTombstones) {
      this.noteRemoval(tombstone);
      if (!alive.has(deletedRowKeyOf(tombstone))) this.remove(tombstone);
    }
  }

  /** A SKU that was never sold is not reported. */
  private noteRemoval({ changeVersion, columns: [, relation, key] }: RowOf<'tombstones'>): void {
    if (relation !== 'products' || key.sku === undefined) return;
    if (key.active || key.withdrawn !== null) this.productIndex.noteRemoval(key.sku, changeVersion);
  }

  private remove({ columns: [, relation, key] }: RowOf<'tombstones'>): void {
    const id = Number(key.id);
    if (relation === 'plans') this.plans.delete(id);
    if (relation === 'clients') this.access.removeClient(id);
    if (relation === 'tokens') this.access.removeToken(id);
    if (relation === 'subscriptions') this.access.removeSubscription(id);
    if (relation === 'products') this.productIndex.removeProduct(id);
    if (relation === 'stock_items') this.productIndex.removeStockItem(id, Number(key.product_id));
    if (relation === 'plan_prices') this.removeFixedPrice(Number(key.plan_id), Number(key.product_id));
  }

  private put(row: Exclude<ChangedRow, RowOf<'tombstones'>>): void {
    if (row.relation === 'plans') return this.putPlan(row);
    if (row.relation === 'clients') return this.access.putClient(row);
    if (row.relation === 'tokens') return this.access.putToken(row);
    if (row.relation === 'subscriptions')
      return this.access.putSubscription(row, this.planOf(row.columns[2]));
    if (row.relation === 'products') return this.productIndex.putProduct(row);
    if (row.relation === 'stock_items') return this.productIndex.putStockItem(row);
    this.putPrice(row);
  }

  private putPlan({ columns: [id, code, name, discountBasisPoints, repriced] }: RowOf<'plans'>): void {
    const plan = this.planOf(id);
    Object.assign(plan, { code, name });
    if (plan.repriced !== repriced)
      plan.reprice(discountBasisPoints, repriced, this.productIndex.noteDiscount());
  }

  private putPrice({ changeVersion, columns: [planId, productId, price] }: RowOf<'plan_prices'>): void {
    const plan = this.planOf(planId);
    if (plan.hasPrice(productId, changeVersion)) return;
    plan.fixPrice(productId, price, changeVersion);
    plan.chunkRevisions.set(chunkNumberOf(productId), this.productIndex.notePrice(productId, changeVersion));
  }

  /** Removing a fixed price gives the product's row a new version, so this is a change of the product. */
  private removeFixedPrice(planId: number, productId: number): void {
    this.plans.get(planId)?.removeFixedPrice(productId);
  }

  private planOf(id: number): PlanView {
    let plan = this.plans.get(id);
    if (!plan) this.plans.set(id, (plan = new PlanView(id)));
    return plan;
  }
}
