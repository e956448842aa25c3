import { ApiError } from './api-error.js';

/** 503: the outcome is unknown or the database is away; the same request may be repeated safely. */
export function unavailable(cause?: unknown): ApiError {
  return new ApiError(
    'unavailable',
    'The service cannot reach its database right now. Please repeat the request.',
    {
      headers: { 'Retry-After': '2' },
      cause,
    },
  );
}
