import { DomainError } from '../platform/errors/domain-error.js';

/** The same for another client's order: nobody learns that it exists. */
export function orderNotFound(): DomainError {
  return new DomainError('order_not_found', 'You have no order with this number.');
}
