import { DomainError } from './domain-error.js';
import type { FieldError } from './field-error.js';

/** 422 with every fault at once. */
export function validationFailed(errors: FieldError[]): DomainError {
  const message =
    errors.length === 1 ? '1 field needs attention.' : `${errors.length} fields need attention.`;
  return new DomainError('validation_failed', message, { errors });
}
