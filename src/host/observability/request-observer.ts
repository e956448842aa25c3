import { Injectable } from '@nestjs/common';
import type { ApiRequest } from '../../platform/http/api-request.js';
import type { TimedResponse } from '../../platform/http/app-messages.js';
import { RequestLog } from '../../activity/recording/request-log.js';
import { AccessLog } from './access-log.js';
import { RequestDurations } from './request-durations.js';

/** Requests that no route serves, or that were refused before routing. */
const UNROUTED = '(none)';

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
    this.durations.observe({ method, route, status: response.statusCode }, milliseconds / 1_000);
    this.log.tell(request, route, response.statusCode, milliseconds);
    this.storeRequests.answered(response, route, milliseconds);
  }
}

/** The pattern, not the path: paths hold order numbers, too many for metrics. */
function routeOf(request: ApiRequest): string {
  const pattern = (request.route as { path?: unknown } | undefined)?.path;
  return typeof pattern === 'string' && !pattern.includes('*') ? pattern : UNROUTED;
}
