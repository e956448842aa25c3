import type { ApiError } from '../errors/api-error.js';

/** The one shape in which every error leaves the service. */
export function errorBody({ code, message, errors, facts }: ApiError, requestId: string): object {
  return { success: false, code, message, ...(errors && { errors }), ...facts, request_id: requestId };
}
