import { DomainError } from '../../../platform/errors/domain-error.js';
import { statusOf } from '../../../platform/errors/error-codes.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';
import type { Refusal } from './sign-in-page.js';

/** What is said above the form, which is shown once more. Everything else is no answer to what was typed. */
export function refusalOf(error: unknown, request: ApiRequest): Refusal {
  if (!(error instanceof DomainError) || !['sign_in_refused', 'rate_limited'].includes(error.code))
    throw error;
  const { code, message, retryAfterSeconds } = error;
  request.failure = error;
  if (retryAfterSeconds !== undefined) request.res!.setHeader('Retry-After', retryAfterSeconds);
  return { status: statusOf(code), message };
}
