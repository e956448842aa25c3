import type { StoreRequestCount } from '../entities/store-request.entity.js';
import { HOUR_MS } from '../../../platform/time/time.js';

/** Requests with the same outcome are counted together. */
export type RequestOutcome = Pick<StoreRequestCount, 'method' | 'route' | 'statusClass' | 'code'>;

/** Requests with one outcome that a node has counted since its last write. */
export interface RequestCount extends RequestOutcome {
  clientId: number;
  hour: Date;
  requests: number;
  kept: number;
  leftOut: number;
}

const TEST = 'test ';

/** The route for calls of test tokens, so that figures of real routes exclude them. */
export function testRoute(route: string): string {
  return TEST + route;
}

export function isTestRoute(route: string): boolean {
  return route.startsWith(TEST);
}

/** 304 is a success. HEAD counts as GET. */
export function outcomeOf(method: string, route: string, status: number, code = ''): RequestOutcome {
  return {
    method: method === 'HEAD' ? 'GET' : method,
    route,
    statusClass: status < 400 ? 2 : Math.floor(status / 100),
    code,
  };
}

/** Hours are numbered from 1970 on. */
export function hourOf(milliseconds: number): number {
  return Math.floor(milliseconds / HOUR_MS);
}

export function beginOf(hour: number): Date {
  return new Date(hour * HOUR_MS);
}

/**
 * Counts requests in memory until they are written. Successful reads are counted separately, because they
 * are written less often.
 */
export class RequestCounts {
  private reads = new Map<string, RequestCount>();
  private others = new Map<string, RequestCount>();

  constructor(private readonly limit: number) {}

  /** Counts a successful read; false if there is no space for another count. */
  read(clientId: number, hour: number, route: string): boolean {
    return this.count(this.reads, clientId, hour, outcomeOf('GET', route, 200)) !== undefined;
  }

  /** Counts any other request; undefined if there is no space for another count. */
  other(clientId: number, hour: number, outcome: RequestOutcome): RequestCount | undefined {
    return this.count(this.others, clientId, hour, outcome);
  }

  takeReads(): RequestCount[] {
    const taken = [...this.reads.values()];
    this.reads = new Map();
    return taken;
  }

  takeOthers(): RequestCount[] {
    const taken = [...this.others.values()];
    this.others = new Map();
    return taken;
  }

  private count(
    counts: Map<string, RequestCount>,
    clientId: number,
    hour: number,
    outcome: RequestOutcome,
  ): RequestCount | undefined {
    const { method, route, statusClass, code } = outcome;
    const key = `${clientId} ${hour} ${method} ${route} ${statusClass} ${code}`;
    let count = counts.get(key);
    if (!count) {
      if (this.reads.size + this.others.size >= this.limit) return undefined;
      counts.set(
        key,
        (count = { clientId, hour: beginOf(hour), ...outcome, requests: 0, kept: 0, leftOut: 0 }),
      );
    }
    count.requests++;
    return count;
  }
}
