import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ApiRequest } from '../http/api-request.js';

/** The key of a request of the admin API. */
export type RequestKey = NonNullable<ApiRequest['adminKey']>;

export const CurrentKey = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<ApiRequest>().adminKey,
);

/** The name of the program, for records of what it did. */
export const Actor = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<ApiRequest>().adminKey?.actor,
);
