import { DomainError } from '../platform/errors/domain-error.js';
import type { ErrorCode } from '../platform/errors/error-codes.js';
import type { FormFields } from '../platform/http/parse-form.js';
import type { Page } from './page.js';

/** The text of a field; empty if it is missing or sent twice. */
export function textIn(fields: FormFields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** Makes a reader for a form of these text fields. */
export function readTexts<Name extends string>(...names: Name[]) {
  return (fields: FormFields) =>
    Object.fromEntries(names.map((name) => [name, textIn(fields, name)])) as Record<Name, string>;
}

/**
 * Shows the form's page again after an error of a field, or after one of these errors, which is shown above
 * the form. Other errors are rethrown.
 */
export function again(error: unknown, page: Page, ...codes: ErrorCode[]): Page {
  if (!(error instanceof DomainError)) throw error;
  if (error.errors) return { ...page, failure: error, status: 422 };
  if (!codes.includes(error.code)) throw error;
  return { refusal: error.message, ...page, failure: error };
}

/** What was sent, and the error message of each field. */
export interface Sent {
  fields: FormFields;
  faults: Readonly<Record<string, string>>;
}

/** Shows the first error of each field; later ones usually follow from it. */
export function sentWith({ errors = [] }: DomainError, fields: FormFields = {}): Sent {
  const faults = errors.toReversed().map(({ field, message }) => [field, sentence(message)]);
  return { fields, faults: Object.fromEntries(faults) as Sent['faults'] };
}

/** Messages continue a field's name: "must be at least 1". */
function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}
