import { ApiError } from '../../errors/api-error.js';

/** The same for another client's order: nobody learns that it exists. */
export function orderNotFound(): ApiError {
  return new ApiError('order_not_found', 'You have no order with this number.');
}
