import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { PaymentKey } from '../orders/entities/payment.entity.js';
import { Database, type SqlStatement } from '../../platform/database/database.js';
import { GatewayEventRecord, type RefundKey } from './entities/gateway.entity.js';

/** If a node dies during a check, another node takes the check after this time. */
const LEASE_SECONDS = 60;

/** Each round chooses among this many of the oldest checks. One client cannot fill them in five days. */
const MAX_CANDIDATES = 1_000;

/**
 * Checks per round. Each kind has its own share, so that a flood of one kind does not delay the others. The
 * sum is small, so a slow gateway does not delay a shutdown.
 */
const CHECKS_PER_ROUND = { urgent: 8, others: 4, refunds: 4 };

/** The plans below follow the order of an index and stop at their limit, even if statistics are missing. */
const BY_INDEX: SqlStatement = {
  name: 'due-by-index',
  text: `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
};

/**
 * Takes a row by its key: COALESCE avoids the index of due rows, which may have many later rows. Clients take
 * turns: the first check of each client comes before the second check of any. SQL, because one statement
 * takes rows and skips rows that another node has locked. A taken row is not due for a while, so two nodes
 * never do the same work.
 */
const takeDueRows = (table: string, id: string, condition: string): SqlStatement => ({
  name: `due-${table}`,
  text: `
    UPDATE ${table} SET checks = checks + 1, next_check_at = now() + make_interval(secs => ${LEASE_SECONDS})
     WHERE ctid = ANY (ARRAY(
       SELECT own.ctid
         FROM (SELECT client_id, ${id}
                 FROM (SELECT client_id, ${id}, next_check_at FROM ${table} AS t
                        WHERE next_check_at <= now() AND ${condition}
                        ORDER BY next_check_at LIMIT ${MAX_CANDIDATES}) AS oldest
                ORDER BY row_number() OVER (PARTITION BY client_id ORDER BY next_check_at), next_check_at
              ) AS due
        CROSS JOIN LATERAL (
               SELECT ctid FROM ${table}
                WHERE (client_id, ${id}) = (due.client_id, due.${id})
                  AND coalesce(next_check_at <= now(), false)
                LIMIT 1 FOR UPDATE SKIP LOCKED) AS own
        LIMIT $1))
    RETURNING client_id AS "clientId", ${id} AS "${id === 'payment_id' ? 'paymentId' : 'refundId'}"`,
});

const PAYMENTS = takeDueRows('payments', 'payment_id', 'urgent = $2');

/** Refunds of another gateway wait until that gateway is set up again. */
const REFUNDS = takeDueRows(
  'gateway_refunds',
  'refund_id',
  '(SELECT provider FROM payments AS p WHERE (p.client_id, p.payment_id) = (t.client_id, t.payment_id)) = $2',
);

const EVENT_RETENTION_DAYS = 30;

/** Events are kept for a month, so one purge per hour is enough. */
const PURGE_INTERVAL_MS = 3_600_000;

/** Chooses the payments and refunds to ask about now. */
@Injectable()
export class DueChecksRepository {
  private purgedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    @InjectRepository(GatewayEventRecord) private readonly events: Repository<GatewayEventRecord>,
  ) {}

  take(provider: string): Promise<{ payments: PaymentKey[]; refunds: RefundKey[] }> {
    return this.database.transaction(async (transaction) => {
      await transaction.query(BY_INDEX, []);
      const urgent = await transaction.query<PaymentKey>(PAYMENTS, [CHECKS_PER_ROUND.urgent, true]);
      const others = await transaction.query<PaymentKey>(PAYMENTS, [CHECKS_PER_ROUND.others, false]);
      const refunds = await transaction.query<RefundKey>(REFUNDS, [CHECKS_PER_ROUND.refunds, provider]);
      return { payments: [...urgent, ...others], refunds };
    });
  }

  async purgeEvents(): Promise<void> {
    if (performance.now() - this.purgedAt < PURGE_INTERVAL_MS) return;
    this.purgedAt = performance.now();
    await this.events
      .createQueryBuilder()
      .delete()
      .where('received_at < now() - make_interval(days => :days)', { days: EVENT_RETENTION_DAYS })
      .execute();
  }
}
