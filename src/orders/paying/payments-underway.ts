import type { Transaction } from '../../platform/database/database.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { OrderKey } from '../entities/order.entity.js';

/** SQL, by the names of the tables: payments stand above orders, and yet nobody may pay an order twice. */
const UNDERWAY = {
  name: 'payments-underway',
  text: `
    SELECT p.payment_id AS "paymentId"
      FROM payment_orders
      JOIN payments p USING (client_id, payment_id)
      JOIN unnest($1::int[], $2::text[]) AS wanted (client_id, order_number) USING (client_id, order_number)
     WHERE p.status IN ('opening', 'open') LIMIT 1`,
};

/** Refuses to pay orders for which a payment is on its way. They are locked, so that none begins meanwhile. */
export async function refuseUnderway(transaction: Transaction, orders: readonly OrderKey[]): Promise<void> {
  const [payment] = await transaction.query<{ paymentId: string }>(UNDERWAY, [
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
