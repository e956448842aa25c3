import { DomainError, unavailable } from '../errors/domain-error.js';

/**
 * Fewer than the connections to the database that a node has unless it is told otherwise, so that one client never has them all. Reads from
 * memory are over before the next one begins, so it is only for work that anybody ever waits.
 */
const PLACES = 4;

/** A store that asks for more at once than it has places is served all the same, and one that floods is not. */
const MOST_WAITING = 256;

/** As long as for a connection to the database: with the time for its statement an answer is there within five seconds. */
const WAITS_MS = 2_000;

/** A request, as far as its place goes. */
export interface Occupant {
  /** Whether its client is gone. */
  readonly destroyed: boolean;
  whenOver(callback: () => void): void;
}

interface Waiting {
  occupant: Occupant;
  since: number;
  begin(): void;
  giveUp(error: DomainError): void;
}

/**
 * What one client may have in the making at a time, or all strangers together. A place is given back when the work is over: whoever hangs
 * up early keeps his until then, and whoever is slow to take the answer does not hold up those behind him.
 */
export class Places {
  private taken = 0;
  private readonly line: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;

  get isFull(): boolean {
    return this.taken >= PLACES && this.line.length >= MOST_WAITING;
  }

  get isUnused(): boolean {
    return this.taken === 0;
  }

  /** At once, or when it is its turn. */
  enter(occupant: Occupant): void | Promise<void> {
    if (this.taken < PLACES) return this.take(occupant);
    return new Promise((begin, giveUp) => {
      this.line.push({ occupant, since: performance.now(), begin, giveUp });
      this.timer ??= this.dismissAt(this.line[0]!.since + WAITS_MS);
    });
  }

  /** For who has one and will not need it until the work is over. */
  giveBack(occupant: Occupant): void {
    occupant.whenOver(() => undefined);
    this.leave();
  }

  /** The first of the line has waited longest: one timer is enough for all. */
  private dismissAt(time: number): NodeJS.Timeout {
    return setTimeout(() => {
      const now = performance.now();
      while (this.line[0] && now - this.line[0].since >= WAITS_MS) this.line.shift()!.giveUp(unavailable());
      this.timer = this.line[0] && this.dismissAt(this.line[0].since + WAITS_MS);
    }, time - performance.now()).unref();
  }

  private take(occupant: Occupant): void {
    this.taken++;
    occupant.whenOver(() => this.leave());
  }

  private leave(): void {
    this.taken--;
    for (let next = this.line.shift(); next; next = this.line.shift()) {
      if (next.occupant.destroyed) {
        next.giveUp(new DomainError('malformed_request', 'The client went away before its turn came.'));
        continue;
      }
      this.take(next.occupant);
      next.begin();
      return;
    }
  }
}
