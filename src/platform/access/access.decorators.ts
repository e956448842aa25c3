import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { Response } from 'express';
import { DomainError } from '../errors/domain-error.js';
import type { ThreadOwner } from '../worker-threads/thread-owner.js';
import { ApiErrors } from '../http/api-errors.decorator.js';
import type { ApiRequest } from '../http/api-request.js';
import { UNREAD_FILE_MS } from '../http/connections.js';
import { ACCESS_RULE, type AccessRule, STRICTEST } from './access-rule.js';
import type { Share } from '../limits/allowance.js';
import type { TokenKind } from './token-kind.js';

/**
 * The access rule of a route and its documentation. Routes require everything by default; `without
 * subscription` requires token and domain only.
 */
export function Authenticated(
  leniency?: 'without subscription',
  tokens: readonly TokenKind[] = STRICTEST.tokens,
  share?: Share,
): MethodDecorator & ClassDecorator {
  const rule: AccessRule = {
    ...STRICTEST,
    tokens,
    ...(leniency && { subscription: 'not required' }),
    ...(share && { share }),
  };
  return applyDecorators(
    SetMetadata(ACCESS_RULE, rule),
    ApiSecurity({ token: [], domain: [] }),
    ApiErrors('token_missing', 'token_invalid', 'domain_missing', 'domain_mismatch'),
    ...(leniency ? [] : [ApiErrors('subscription_inactive')]),
    // The last two are also answers to a wrong `X-Test-Failure`.
    ApiErrors('token_not_allowed', 'validation_failed'),
    ApiErrors('rate_limited', 'internal_error', 'unavailable'),
  );
}

/**
 * The caller that the guard accepted. Where no subscription is required, only the fields of `Visitor` are
 * set.
 */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<ApiRequest>().caller,
);

/** A client's people and tokens share one account. */
export function accountOf({
  person,
  caller,
  adminKey,
}: Pick<ApiRequest, 'person' | 'caller' | 'adminKey'>): string {
  if (adminKey) return `key ${adminKey.id}`;
  const clientId = person?.clientId ?? caller?.client.id;
  return clientId === undefined ? `person ${person?.id}` : `client ${clientId}`;
}

/** The owner of the work that makes a file. The work ends with the request. */
export const CurrentThreadOwner = createParamDecorator(
  (_: unknown, context: ExecutionContext): ThreadOwner => {
    const http = context.switchToHttp();
    return threadOwnerOf(http.getRequest<ApiRequest>(), http.getResponse<Response>());
  },
);

export function threadOwnerOf(request: ApiRequest, response: Response): ThreadOwner {
  const controller = new AbortController();
  // The file of a page or of the admin API is spooled to the disk; that of a store is in memory.
  if (request.person ?? request.adminKey) response.setTimeout(UNREAD_FILE_MS);
  const abort = () =>
    controller.abort(new DomainError('malformed_request', 'The client went away before its file was ready.'));
  response.once('close', abort);
  // The client went away while its access was checked: no later event reports it.
  if (response.destroyed) abort();
  return {
    account: accountOf(request),
    signal: controller.signal,
    releaseSlot: () => (request.releaseSlot ? request.releaseSlot() : request.cost?.releaseSlot()),
    onMade: () => request.leaveQueue?.(),
  };
}
