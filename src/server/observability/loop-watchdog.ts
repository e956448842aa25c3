import { Injectable, Logger } from '@nestjs/common';
import { loopWatch, type Payer } from '../../platform/limits/work-meter.js';
import { routeOf, UNROUTED } from './request-observer.js';

/** Names the routes that held the event loop too long, in the log and for the metrics. */
@Injectable()
export class LoopWatchdog {
  /** Long turns by method and route. */
  readonly counts: Record<string, number> = {};
  private readonly logger = new Logger(LoopWatchdog.name);

  constructor() {
    loopWatch.onLongTurn = (payer, ms) => this.note(payer, ms);
  }

  private note({ request }: Payer, ms: number): void {
    const route = request ? `${request.method} ${routeOf(request)}` : UNROUTED;
    this.counts[route] = (this.counts[route] ?? 0) + 1;
    this.logger.warn(`${route} held the event loop for ${Math.round(ms)} ms`);
  }
}
