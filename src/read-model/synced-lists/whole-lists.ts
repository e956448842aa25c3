import type { PlanView } from '../products/plan-view.js';
import type { SnapshotState } from '../snapshot/snapshot-state.js';
import type { ListForm } from './list-pieces.js';
import { WholeList } from './whole-list.js';

const IDLE_MS = 2 * 3_600_000;

/** One whole list per form and plan, made when it is asked for and dropped after a time without requests. */
export class WholeLists<Plan extends PlanView | undefined> {
  private readonly lists = new Map<ListForm<Plan>, Map<Plan, { list: WholeList<Plan>; usedAt: number }>>();
  private state: SnapshotState | undefined;
  private sweptAt = 0;

  of(state: SnapshotState, plan: Plan, form: ListForm<Plan>): WholeList<Plan> {
    if (state !== this.state) this.lists.clear();
    this.state = state;
    const now = Date.now();
    this.sweep(now);
    let ofForm = this.lists.get(form);
    if (!ofForm) this.lists.set(form, (ofForm = new Map()));
    let entry = ofForm.get(plan);
    if (!entry) ofForm.set(plan, (entry = { list: new WholeList(state, form, plan), usedAt: now }));
    entry.usedAt = now;
    return entry.list;
  }

  private sweep(now: number): void {
    if (now - this.sweptAt < IDLE_MS) return;
    this.sweptAt = now;
    for (const ofForm of this.lists.values()) {
      for (const [plan, { usedAt }] of ofForm) if (now - usedAt > IDLE_MS) ofForm.delete(plan);
    }
  }
}
