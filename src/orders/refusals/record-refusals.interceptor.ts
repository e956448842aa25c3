import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { catchError, type Observable, throwError } from 'rxjs';
import { DomainError } from '../../platform/errors/domain-error.js';
import { statusOf } from '../../platform/errors/error-codes.js';
import type { ApiRequest } from '../../platform/http/api-request.js';
import { RefusedOrders } from './refused-orders.js';

/** Has every refusal written down, those of the validation too, and lets it pass. */
@Injectable()
export class RecordRefusals implements NestInterceptor {
  constructor(private readonly refusals: RefusedOrders) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (error instanceof DomainError && statusOf(error.code) < 500 && request.caller) {
          this.refusals.record(request.caller.client.id, request.body, error);
        }
        return throwError(() => error);
      }),
    );
  }
}
