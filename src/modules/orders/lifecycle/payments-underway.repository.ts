import type { Transaction } from '../../../platform/database/database.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import type { OrderKey } from '../entities/order.entity.js';
import { keyColumns } from './lifecycle.repository.js';

/** Statuses in which a payment may still bring money. */
export const UNDERWAY_STATES = `('opening', 'open')`;

// The subqueries leave one plan. A join that was planned on empty tables reads all payments of the client.

/** The open payment for a row with the key of an order, or null. */
export const underwayOf = (order: string) => `
  (SELECT paid.payment_id FROM payment_orders paid
    WHERE paid.client_id = ${order}.client_id AND paid.order_number = ${order}.order_number
      AND (SELECT status FROM payments p
            WHERE p.client_id = paid.client_id AND p.payment_id = paid.payment_id) IN ${UNDERWAY_STATES}
    LIMIT 1)`;

/** The order numbers of client `$1` that have an open payment. */
export const UNDERWAY_OF_CLIENT = `
  (SELECT paid.order_number
     FROM (SELECT payment_id FROM payments
            WHERE client_id = $1 AND status IN ${UNDERWAY_STATES} OFFSET 0) AS underway
    CROSS JOIN LATERAL (SELECT order_number FROM payment_orders
                         WHERE client_id = $1 AND payment_id = underway.payment_id OFFSET 0) AS paid)`;

const FIND_UNDERWAY = {
  name: 'payments-underway',
  text: `
    SELECT underway.payment_id AS "paymentId"
      FROM unnest($1::int[], $2::text[]) AS wanted (client_id, order_number)
     CROSS JOIN LATERAL ${underwayOf('wanted')} AS underway LIMIT 1`,
};

/**
 * Refuses to pay orders that have an open payment. The caller has locked them, so none can begin meanwhile.
 */
export async function refuseUnderway(transaction: Transaction, orders: readonly OrderKey[]): Promise<void> {
  const [payment] = await transaction.query<{ paymentId: string }>(FIND_UNDERWAY, keyColumns(orders));
  if (payment) throw paymentUnderway(payment.paymentId);
}

function paymentUnderway(paymentId: string): DomainError {
  return new DomainError(
    'payment_underway',
    'A payment for this is being processed. Do not pay again: finish it, or give it up first.',
    { facts: { payment_id: paymentId } },
  );
}
