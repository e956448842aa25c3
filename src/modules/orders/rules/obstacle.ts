import type { DomainError, FieldError } from '../../../platform/errors/domain-error.js';

/** What stands in the way of an order: the error that placing it throws, and its rows in a quote. */
export interface Obstacle {
  error: DomainError;
  rows: FieldError[];
}
