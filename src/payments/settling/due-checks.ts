import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../platform/database/database.js';
import type { RefundKey } from '../entities/gateway-refund.entity.js';
import type { PaymentKey } from '../../orders/entities/payment.entity.js';

/** A node that takes a check and dies leaves it to another node after this time. */
const LEASE_SECONDS = 60;

/** Clients take turns among this many of the oldest checks, so a round reads no more. One client alone cannot fill it in five days. */
const LOOKED_AT = 1_000;

/**
 * How many checks of each kind a round has. Each kind has its own share, so a flood of one kind does not delay the others. The sum is small, so
 * a slow gateway does not delay the end of a node.
 */
const SHARES = { urgent: 8, others: 4, refunds: 4 };

/** The plans below follow the order of an index and stop at their limit, even if statistics are missing. */
const BY_INDEX: Statement = {
  name: 'due-by-index',
  text: `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
};

/**
 * Clients take turns: the first check of each comes before the second of any. Raw, because one statement takes rows and skips those that
 * another node has locked. A row that was taken is not due for a while, so two nodes never do the same work.
 */
const takeFrom = (table: string, id: string, among: string): Statement => ({
  name: `due-${table}`,
  text: `
    UPDATE ${table} SET checks = checks + 1, next_check_at = now() + make_interval(secs => ${LEASE_SECONDS})
     WHERE ctid = ANY (ARRAY(
       SELECT own.ctid
         FROM (SELECT client_id, ${id}
                 FROM (SELECT client_id, ${id}, next_check_at FROM ${table} AS t
                        WHERE next_check_at <= now() AND ${among} ORDER BY next_check_at LIMIT ${LOOKED_AT}) AS oldest
                ORDER BY row_number() OVER (PARTITION BY client_id ORDER BY next_check_at), next_check_at) AS due
        CROSS JOIN LATERAL (
               SELECT ctid FROM ${table}
                WHERE (client_id, ${id}) = (due.client_id, due.${id}) AND next_check_at <= now()
                LIMIT 1 FOR UPDATE SKIP LOCKED) AS own
        LIMIT $1))
    RETURNING client_id AS "clientId", ${id} AS "${id === 'payment_id' ? 'paymentId' : 'refundId'}"`,
});

const PAYMENTS = takeFrom('payments', 'payment_id', 'urgent = $2');

/** Refunds of another gateway wait until that gateway is set up again. */
const REFUNDS = takeFrom(
  'gateway_refunds',
  'refund_id',
  '(SELECT provider FROM payments AS p WHERE (p.client_id, p.payment_id) = (t.client_id, t.payment_id)) = $2',
);

/** Chooses the payments and refunds of which the gateway is asked now. */
@Injectable()
export class DueChecks {
  constructor(private readonly database: Database) {}

  take(provider: string): Promise<{ payments: PaymentKey[]; refunds: RefundKey[] }> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(BY_INDEX, []);
      const urgent = await transaction.query<PaymentKey>(PAYMENTS, [SHARES.urgent, true]);
      const others = await transaction.query<PaymentKey>(PAYMENTS, [SHARES.others, false]);
      const refunds = await transaction.query<RefundKey>(REFUNDS, [SHARES.refunds, provider]);
      return { payments: [...urgent, ...others], refunds };
    });
  }
}
