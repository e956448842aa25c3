import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ApiRequest } from '../http/api-request.js';

/** The caller that the guard let in. On a route that is open without a subscription, only the visitor's part is set. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<ApiRequest>().caller,
);
