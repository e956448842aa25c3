import { ApiError } from '../../errors/api-error.js';
import { amountFromMinor, minorFromNumeric } from '../../money/money.js';
import type { ExistingOrder } from './orders.repository.js';

/** 409 with the order that exists, and whether the request with this hash asks for the same. */
export function duplicateOrder(existing: ExistingOrder, hash: Buffer): ApiError {
  return new ApiError(
    'duplicate_order',
    `You already have an order with this store_order_id: ${existing.orderNumber}.`,
    {
      facts: {
        order_number: existing.orderNumber,
        status: existing.status,
        total: amountFromMinor(minorFromNumeric(existing.total)),
        same_content: existing.contentHash.equals(hash),
      },
    },
  );
}
