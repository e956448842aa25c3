import { type Faults, faultsOf } from './faults.js';
import type { Page } from './page.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { ApiRequest } from '../platform/http/api-request.js';

/** The form once more with what is wrong in it; anything else that was thrown is no fault of a field. */
export function withFaults(error: unknown, request: ApiRequest, form: (faults: Faults) => Page): Page {
  if (!(error instanceof DomainError) || !error.errors) throw error;
  request.failure = error;
  return form(faultsOf(error));
}
