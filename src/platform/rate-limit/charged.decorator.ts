import {
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { type Observable, tap } from 'rxjs';
import type { ApiRequest } from '../http/api-request.js';

interface Costs {
  /** In units, from what was sent, which nobody has checked yet. */
  ahead(request: ApiRequest): number;
  /** In units, from why it was refused. */
  whenRefused?(error: unknown): number;
}

/** What the requests of a route cost beyond the usual, charged before they are served: who goes away meanwhile has paid. */
export function Charged(costs: Costs): MethodDecorator {
  return UseInterceptors(new ChargingInterceptor(costs));
}

class ChargingInterceptor implements NestInterceptor {
  constructor(private readonly costs: Costs) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { ahead, whenRefused } = this.costs;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.spending?.charge(ahead(request));
    const answer = next.handle();
    if (!whenRefused) return answer;
    return answer.pipe(tap({ error: (error: unknown) => request.spending?.charge(whenRefused(error)) }));
  }
}
