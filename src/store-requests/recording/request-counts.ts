import { type Outcome, outcomeOf } from './outcome.js';

const HOUR_MS = 3_600_000;

/** What a node saw of a client's requests in an hour that ended alike, since it last wrote down what it saw. */
export interface Count extends Outcome {
  clientId: number;
  hour: number;
  requests: number;
  leftOut: number;
}

/** Hours are numbered from 1970 on. */
export function hourOf(milliseconds: number): number {
  return Math.floor(milliseconds / HOUR_MS);
}

export function beginOf(hour: number): Date {
  return new Date(hour * HOUR_MS);
}

/**
 * Counts requests in memory until they are written. Reads that go well are nearly everything there is, so each costs two look-ups and an
 * addition.
 */
export class RequestCounts {
  private reads = new Map<number, Map<string, Count>>();
  /** Of reads whose hour was over before they were written. */
  private ended: Count[] = [];
  private others = new Map<string, Count>();
  private waitingReads = 0;

  constructor(private readonly most: number) {}

  get waiting(): number {
    return this.waitingReads + this.others.size;
  }

  /** Counts a read that went well; false where there is no room for it. */
  read(clientId: number, hour: number, route: string): boolean {
    const count = this.reads.get(clientId)?.get(route);
    if (count?.hour === hour) count.requests++;
    else return this.beginRead(clientId, hour, route, count);
    return true;
  }

  /** Counts any other request and gives its count, or nothing where there is no room for it. */
  other(clientId: number, hour: number, outcome: Outcome): Count | undefined {
    const { method, route, statusClass, code } = outcome;
    const key = `${clientId} ${hour} ${method} ${route} ${statusClass} ${code}`;
    let count = this.others.get(key);
    if (!count) {
      if (this.waiting >= this.most) return undefined;
      this.others.set(key, (count = begin(clientId, hour, outcome)));
    }
    count.requests++;
    return count;
  }

  takeReads(): Count[] {
    const taken = [...this.ended, ...[...this.reads.values()].flatMap((byRoute) => [...byRoute.values()])];
    this.reads = new Map();
    this.ended = [];
    this.waitingReads = 0;
    return taken;
  }

  takeOthers(): Count[] {
    const taken = [...this.others.values()];
    this.others = new Map();
    return taken;
  }

  private beginRead(clientId: number, hour: number, route: string, before: Count | undefined): boolean {
    if (this.waiting >= this.most) return false;
    if (before) this.ended.push(before);
    const byRoute = this.reads.get(clientId) ?? new Map<string, Count>();
    this.reads.set(clientId, byRoute);
    byRoute.set(route, { ...begin(clientId, hour, outcomeOf('GET', route, 200)), requests: 1 });
    this.waitingReads++;
    return true;
  }
}

function begin(clientId: number, hour: number, outcome: Outcome): Count {
  return { clientId, hour, ...outcome, requests: 0, leftOut: 0 };
}
