import type { PlanView } from '../products/plan-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import type { ListForm } from './list-pieces.js';
import { WholeList } from './whole-list.js';

const IDLE_MS = 2 * 3_600_000;

/** One whole list per plan, dropped after a time without requests. */
export class WholeLists<Plan extends PlanView | undefined> {
  private readonly lists = new Map<Plan, { list: WholeList<Plan>; usedAt: number }>();
  private state: SnapshotState | undefined;
  private sweptAt = 0;

  constructor(private readonly form: ListForm<Plan>) {}

  of(state: SnapshotState, plan: Plan): WholeList<Plan> {
    if (state !== this.state) this.lists.clear();
    this.state = state;
    const now = Date.now();
    this.sweep(now);
    let entry = this.lists.get(plan);
    if (!entry) this.lists.set(plan, (entry = { list: new WholeList(state, this.form, plan), usedAt: now }));
    entry.usedAt = now;
    return entry.list;
  }

  private sweep(now: number): void {
    if (now - this.sweptAt < IDLE_MS) return;
    this.sweptAt = now;
    for (const [plan, { usedAt }] of this.lists) if (now - usedAt > IDLE_MS) this.lists.delete(plan);
  }
}
