import { Injectable } from '@nestjs/common';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimedResponse } from '../../platform/http/app-messages.js';
import { RequestLog } from '../../modules/request-log/recording/request-log.js';
import { AccessLog } from './access-log.js';
import { Histogram } from 'prom-client';

/** Upper bounds in seconds. Most answers come from memory; the slowest wait for a database that is away. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Without a registry: it is registered only if the metrics are served. */
@Injectable()
export class RequestDurations extends Histogram<'method' | 'route' | 'status'> {
  constructor() {
    super({
      name: 'http_request_duration_seconds',
      help: 'From the head of the request to the end of the answer, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [],
    });
  }
}

/** Requests that no route serves, or that were refused before routing. */
export const UNROUTED = '(none)';

/** Sees every answer once, when it leaves. */
@Injectable()
export class RequestObserver {
  constructor(
    private readonly durations: RequestDurations,
    private readonly log: AccessLog,
    private readonly storeRequests: RequestLog,
  ) {}

  answered(response: TimedResponse): void {
    const request = response.req as ApiRequest;
    const milliseconds = performance.now() - response.beganAt;
    const route = routeOf(request);
    const { method } = request;
    // An outage that a test token demands must not wake the operator.
    if (request.testFailure !== 'unavailable') {
      this.durations.observe({ method, route, status: response.statusCode }, milliseconds / 1_000);
      this.log.logRequest(request, route, response.statusCode, milliseconds);
    }
    this.storeRequests.answered(response, route, milliseconds);
  }
}

/** The pattern, not the path: paths hold order numbers, too many for metrics. */
export function routeOf(request: { route?: unknown }): string {
  const pattern = (request.route as { path?: unknown } | undefined)?.path;
  return typeof pattern === 'string' && !pattern.includes('*') ? pattern : UNROUTED;
}
