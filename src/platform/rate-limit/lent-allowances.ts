import type { Lent, Spent } from '../workers/worker-messages.js';
import { Allowance } from './allowance.js';

const SWEEP_INTERVAL_MS = 60_000;

/** A client's allowance, and what each worker holds of it in advance. */
interface Account {
  allowance: Allowance;
  lentTo: Map<number, number>;
}

/**
 * The allowances of all clients, as the first process keeps them for its workers: each unit is lent to one of them before it is spent, so that all
 * together never spend more than one process would.
 */
export class LentAllowances {
  private readonly accounts = new Map<number, Account>();
  private sweptAt = 0;

  constructor(private readonly perMinute: number) {}

  /** Takes down what a worker has spent, and lends it what it wants as far as there is anything left. */
  settle(worker: number, all: readonly Spent[], now: number): Lent[] {
    if (now - this.sweptAt > SWEEP_INTERVAL_MS) this.sweep(now);
    return all.map((spent) => this.settleOne(worker, spent, now));
  }

  /** Nobody knows what it spent of what it held, so all of that counts as spent. */
  forget(worker: number): void {
    for (const account of this.accounts.values()) {
      if (account.lentTo.delete(worker)) account.allowance.lent = lentOut(account);
    }
  }

  private settleOne(worker: number, [clientId, spent, wanted, givesBack]: Spent, now: number): Lent {
    const account = this.accountOf(clientId, now);
    const { allowance, lentTo } = account;
    let held = (lentTo.get(worker) ?? 0) - spent;
    if (held < 0) {
      allowance.charge(-held);
      held = 0;
    }
    const granted = allowance.lend(now, wanted);
    if (givesBack) {
      lentTo.delete(worker);
      allowance.takeBack(held);
    } else {
      lentTo.set(worker, held + granted);
    }
    const lent = lentOut(account);
    allowance.lent = lent;
    // What others hold has not been spent either.
    return [clientId, wanted, granted, allowance.units + lent - (lentTo.get(worker) ?? 0)];
  }

  private accountOf(clientId: number, now: number): Account {
    let account = this.accounts.get(clientId);
    if (!account) {
      account = { allowance: new Allowance(this.perMinute, now), lentTo: new Map() };
      this.accounts.set(clientId, account);
    }
    return account;
  }

  private sweep(now: number): void {
    this.sweptAt = now;
    for (const [clientId, { allowance, lentTo }] of this.accounts) {
      if (lentTo.size === 0 && allowance.isFull(now)) this.accounts.delete(clientId);
    }
  }
}

function lentOut({ lentTo }: Account): number {
  let units = 0;
  for (const held of lentTo.values()) units += held;
  return units;
}
