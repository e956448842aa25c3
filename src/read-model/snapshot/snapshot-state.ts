import { AccessBook } from '../callers/access-index.js';
import {
  type ChangedRow,
  type ChangeHeader,
  rowKeyOf,
  keyOfBuried,
  type PastHistories,
  type RowOf,
} from './change-query.js';
import { horizonOf, type Seen } from './watermark.js';
import { PlanView } from '../products/plan-view.js';
import { chunkNumberOf } from '../products/product-chunk.js';
import { ProductShelf } from '../products/product-index.js';

/** The content of one generation, updated by changed rows. */
export class SnapshotState implements Seen {
  readonly access = new AccessBook();
  readonly shelf = new ProductShelf();
  identity = '';
  seenBelow = 0;
  highestStamp = 0;
  /** The change version from which the next refresh reads. */
  horizon = 0;
  past: PastHistories = {};

  private readonly plans = new Map<number, PlanView>();
  /** The tombstones of the last refresh, which may come again. */
  private buried = new Set<number>();

  /** The position of a reader of a plan's list. The highest version moves only when the list changes. */
  seenIn(plan: PlanView | undefined): Seen {
    const { identity, seenBelow } = this;
    return { identity, seenBelow, highestStamp: Math.max(this.shelf.contentStamp, plan?.contentStamp ?? 0) };
  }

  /** A store knows a change with this version. A database without it was rolled back. */
  noteStamp(stamp: number): void {
    this.highestStamp = Math.max(this.highestStamp, stamp);
  }

  /** Takes a row of the first load, when tombstones remove nothing. */
  load(row: ChangedRow): void {
    this.noteStamp(row.stamp);
    if (row.relation !== 'tombstones') return this.put(row);
    this.noteRemoval(row);
    this.buried.add(row.columns[0]);
  }

  /** Applies all changes at once, so that no reader sees half of them. */
  apply(rows: ChangedRow[]): void {
    this.bury(rows);
    for (const row of rows) {
      this.noteStamp(row.stamp);
      if (row.relation !== 'tombstones') this.put(row);
    }
  }

  /** Completes a load or a refresh. */
  settle({ identity, xmin, past }: ChangeHeader): void {
    this.shelf.settle();
    this.identity = identity;
    this.past = past;
    this.seenBelow = xmin;
    this.horizon = horizonOf(this);
  }

  /** A tombstone with a row of the same key means that the row came back or was renamed. */
  private bury(rows: ChangedRow[]): void {
    const tombstones = rows.filter((row) => row.relation === 'tombstones');
    const news = tombstones.filter(({ columns: [id] }) => !this.buried.has(id));
    this.buried = new Set(tombstones.map(({ columns: [id] }) => id));
    if (news.length === 0) return;
    const alive = new Set(rows.map(rowKeyOf));
    for (const tombstone of news) {
      this.noteRemoval(tombstone);
      if (!alive.has(keyOfBuried(tombstone))) this.remove(tombstone);
    }
  }

  /** A SKU that was never sold is not reported. */
  private noteRemoval({ stamp, columns: [, relation, key] }: RowOf<'tombstones'>): void {
    if (relation !== 'products' || key.sku === undefined) return;
    if (key.active || key.withdrawn !== null) this.shelf.noteRemoval(key.sku, stamp);
  }

  private remove({ columns: [, relation, key] }: RowOf<'tombstones'>): void {
    const id = Number(key.id);
    if (relation === 'plans') this.plans.delete(id);
    if (relation === 'clients') this.access.removeClient(id);
    if (relation === 'tokens') this.access.removeToken(id);
    if (relation === 'subscriptions') this.access.removeSubscription(id);
    if (relation === 'products') this.shelf.removeProduct(id);
    if (relation === 'stock_items') this.shelf.removeStockItem(id, Number(key.product_id));
    if (relation === 'plan_prices') this.freePrice(Number(key.plan_id), Number(key.product_id));
  }

  private put(row: Exclude<ChangedRow, RowOf<'tombstones'>>): void {
    if (row.relation === 'plans') return this.putPlan(row);
    if (row.relation === 'clients') return this.access.putClient(row);
    if (row.relation === 'tokens') return this.access.putToken(row);
    if (row.relation === 'subscriptions')
      return this.access.putSubscription(row, this.planOf(row.columns[2]));
    if (row.relation === 'products') return this.shelf.putProduct(row);
    if (row.relation === 'stock_items') return this.shelf.putStockItem(row);
    this.putPrice(row);
  }

  private putPlan({ columns: [id, code, name, discountBasisPoints, repriced] }: RowOf<'plans'>): void {
    const plan = this.planOf(id);
    Object.assign(plan, { code, name });
    if (plan.repriced !== repriced) plan.reprice(discountBasisPoints, repriced, this.shelf.forgetAll());
  }

  private putPrice({ stamp, columns: [planId, productId, price] }: RowOf<'plan_prices'>): void {
    const plan = this.planOf(planId);
    if (plan.hasPrice(productId, stamp)) return;
    plan.fixPrice(productId, price, stamp);
    plan.chunkVersions.set(chunkNumberOf(productId), this.shelf.notePrice(productId, stamp));
  }

  /** Removing a fixed price gives the product's row a new version, so this is a change of the product. */
  private freePrice(planId: number, productId: number): void {
    this.plans.get(planId)?.freePrice(productId);
  }

  private planOf(id: number): PlanView {
    let plan = this.plans.get(id);
    if (!plan) this.plans.set(id, (plan = new PlanView(id)));
    return plan;
  }
}
