import { AccessIndex } from '../callers/access-index.js';
import { PlanView } from '../products/plan-view.js';
import { ProductIndex } from '../products/product-index.js';
import type { ChangedRow, ChangeHeader, RowOf } from './change-query.js';
import { ALL_UNREAD, type ReadPosition, unreadAfter, watermarkOf } from './watermark.js';

/** Rows that change the state itself, when it is published. */
export type StateRow = Extract<ChangedRow, { relation: 'plans' | 'clients' | 'tokens' | 'subscriptions' }>;

/** The content of one generation, updated by changed rows. */
export class SnapshotState implements ReadPosition {
  readonly access = new AccessIndex();
  readonly productIndex = new ProductIndex();
  identity = '';
  visibleBelow = 0;
  highestVersion = 0;
  /** The change version from which a store that reads now must read later. */
  watermark = 0;
  /** What the next refresh reads. */
  unread = ALL_UNREAD;

  private readonly plans = new Map<number, PlanView>();

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

  settle(header: ChangeHeader): void {
    const { identity, xmin } = header;
    this.identity = identity;
    this.visibleBelow = xmin;
    this.watermark = watermarkOf(this);
    this.unread = unreadAfter(header, this.highestVersion);
  }

  put(row: StateRow): void {
    if (row.relation === 'plans') this.putPlan(row);
    else if (row.relation === 'clients') this.access.putClient(row);
    else if (row.relation === 'tokens') this.access.putToken(row);
    else this.access.putSubscription(row, this.planOf(row.columns[2]));
  }

  remove(relation: string, id: number): void {
    if (relation === 'plans') this.plans.delete(id);
    if (relation === 'clients') this.access.removeClient(id);
    if (relation === 'tokens') this.access.removeToken(id);
    if (relation === 'subscriptions') this.access.removeSubscription(id);
  }

  hasPlan(id: number): boolean {
    return this.plans.has(id);
  }

  planOf(id: number): PlanView {
    let plan = this.plans.get(id);
    if (!plan) this.plans.set(id, (plan = new PlanView(id)));
    return plan;
  }

  private putPlan({ columns: [id, code, name, discountBasisPoints, repriced] }: RowOf<'plans'>): void {
    const plan = this.planOf(id);
    Object.assign(plan, { code, name });
    if (plan.repriced !== repriced) plan.reprice(discountBasisPoints, repriced);
  }
}
