import { DomainError } from '../../platform/errors/domain-error.js';
import { amountFromMinor, minorFromNumeric } from '../../platform/money/money.js';
import type { ExistingOrder } from './orders.repository.js';

/** 409 with the order that exists, and whether the request with this hash asks for the same. */
export function duplicateOrder(existing: ExistingOrder, hash: Buffer): DomainError {
  return new DomainError(
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
