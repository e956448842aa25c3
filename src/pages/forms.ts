import { DomainError } from '../platform/errors/domain-error.js';
import type { ApiRequest } from '../platform/http/api-request.js';
import type { FormFields } from '../platform/http/parse-form.js';
import type { Page } from './page.js';

/** The error message of each field. */
export type Faults = Readonly<Record<string, string>>;

/** Shows the first error of each field; later ones usually follow from it. */
export function faultsOf({ errors = [] }: DomainError): Faults {
  return Object.fromEntries(errors.toReversed().map(({ field, message }) => [field, sentence(message)]));
}

/** Messages continue a field's name: "must be at least 1". */
function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}

/** Shows the form again with its errors. Rethrows errors that name no field. */
export function withFaults(error: unknown, request: ApiRequest, form: (faults: Faults) => Page): Page {
  if (!(error instanceof DomainError) || !error.errors) throw error;
  request.failure = error;
  return form(faultsOf(error));
}

/** The text of a field; empty if it is missing or sent twice. */
export function textIn(fields: FormFields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}
