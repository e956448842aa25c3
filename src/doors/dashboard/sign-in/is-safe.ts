import { cookieFor } from '../../../auth/sessions/session-cookie.js';
import type { ApiRequest } from '../../../platform/http/api-request.js';

/** Whether a secret may be told and typed on this connection. */
export function isSafe(request: ApiRequest): boolean {
  return cookieFor(request, 'session') !== undefined;
}
