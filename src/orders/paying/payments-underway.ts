import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { OrderKey } from '../entities/order.entity.js';

/** In which a payment may still bring money. */
export const UNDERWAY_STATES = `('opening', 'open')`;

/** Of which order which payment is on its way. SQL, by the names of the tables: payments stand above orders, and yet nobody may pay an order twice. */
export const UNDERWAY = `
  (SELECT client_id, order_number, payment_id FROM payments JOIN payment_orders USING (client_id, payment_id)
    WHERE payments.status IN ${UNDERWAY_STATES})`;

/** The numbers of such orders of the client `$1`. */
export const UNDERWAY_OF_CLIENT = `(SELECT order_number FROM ${UNDERWAY} AS underway WHERE client_id = $1)`;

const ONE_OF = {
  name: 'payments-underway',
  text: `
    SELECT payment_id AS "paymentId" FROM ${UNDERWAY} AS underway
      JOIN unnest($1::int[], $2::text[]) AS wanted (client_id, order_number) USING (client_id, order_number) LIMIT 1`,
};

/** Refuses to pay orders for which a payment is on its way. They are locked, so that none begins meanwhile. */
export async function refuseUnderway(transaction: Transaction, orders: readonly OrderKey[]): Promise<void> {
  const [payment] = await transaction.query<{ paymentId: string }>(ONE_OF, [
    orders.map(({ clientId }) => clientId),
    orders.map(({ orderNumber }) => orderNumber),
  ]);
  if (payment) throw paymentUnderway(payment.paymentId);
}

export function paymentUnderway(paymentId: string): DomainError {
  return new DomainError(
    'payment_underway',
    'A payment for this is being processed. Do not pay again: finish it, or give it up first.',
    { facts: { payment_id: paymentId } },
  );
}
