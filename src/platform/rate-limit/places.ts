import { DomainError, unavailable } from '../errors/domain-error.js';
import type { TimedResponse } from '../http/app-messages.js';

/**
 * Fewer than the connections to the database that a node has unless it is told otherwise, so that one token never has them all. Reads from
 * memory are over before the next one begins, so it is only for work that anybody ever waits.
 */
const PLACES = 4;

/** A store that asks for more at once than it has places is served all the same, and one that floods is not. */
const MOST_WAITING = 256;

/** As long as for a connection to the database: with the time for its statement an answer is there within five seconds. */
const WAITS_MS = 2_000;

interface Waiting {
  response: TimedResponse;
  since: number;
  begin(): void;
  giveUp(error: DomainError): void;
}

/**
 * What one token may have in the making at a time. A place is given back when the answer was made: whoever hangs up early keeps his until
 * what he asked for is over, and whoever is slow to take the answer does not hold up his own next requests.
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
  enter(response: TimedResponse): void | Promise<void> {
    if (this.taken < PLACES) return this.take(response);
    return new Promise((begin, giveUp) => {
      this.line.push({ response, since: performance.now(), begin, giveUp });
      this.timer ??= this.dismissAt(this.line[0]!.since + WAITS_MS);
    });
  }

  /** The first of the line has waited longest: one timer is enough for all. */
  private dismissAt(time: number): NodeJS.Timeout {
    return setTimeout(() => {
      const now = performance.now();
      while (this.line[0] && now - this.line[0].since >= WAITS_MS) this.line.shift()!.giveUp(unavailable());
      this.timer = this.line[0] && this.dismissAt(this.line[0].since + WAITS_MS);
    }, time - performance.now()).unref();
  }

  private take(response: TimedResponse): void {
    this.taken++;
    response.whenOver(() => this.leave());
  }

  private leave(): void {
    this.taken--;
    for (let next = this.line.shift(); next; next = this.line.shift()) {
      if (next.response.destroyed) {
        next.giveUp(new DomainError('malformed_request', 'The client went away before its turn came.'));
        continue;
      }
      this.take(next.response);
      next.begin();
      return;
    }
  }
}
