import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { RefundKey } from '../entities/gateway-refund.entity.js';
import type { PaymentKey } from '../../orders/entities/payment.entity.js';

/** Whoever takes one and is never heard of again leaves it to another after this time. */
const LEASE_SECONDS = 60;

/**
 * Raw, because taking what is due and passing over what others take are one statement. What is taken is not due any more, so any number
 * of nodes may ask, and none does what another does.
 */
const takeFrom = (table: string, id: string, of: string) => ({
  name: `due-${table}`,
  text: `
    UPDATE ${table} SET checks = checks + 1, next_check_at = now() + make_interval(secs => ${LEASE_SECONDS})
     WHERE (client_id, ${id}) IN (
       SELECT client_id, ${id} FROM ${table} WHERE next_check_at <= now() AND ${of}
        ORDER BY next_check_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING client_id AS "clientId", ${id} AS "${id === 'payment_id' ? 'paymentId' : 'refundId'}"`,
});

const PAYMENTS = takeFrom('payments', 'payment_id', 'provider = $2');

const REFUNDS = takeFrom(
  'gateway_refunds',
  'refund_id',
  `EXISTS (SELECT FROM payments p WHERE (p.client_id, p.payment_id) = (gateway_refunds.client_id, gateway_refunds.payment_id)
                                    AND p.provider = $2)`,
);

/** Opened at another gateway, which nobody asks any more: a person must know, and what was never opened is over. */
const LEAVE_TO_PERSON = {
  name: 'due-of-others',
  text: `
    UPDATE payments
       SET next_check_at = NULL, status = CASE WHEN status = 'opening' THEN 'failed' ELSE status END,
           concern = CASE WHEN status = 'open' THEN 'other_gateway' ELSE concern END
     WHERE next_check_at <= now() AND provider <> $1`,
};

/** What the gateway is to be asked about now. */
@Injectable()
export class DueChecks {
  constructor(private readonly database: Database) {}

  payments(provider: string, most: number): Promise<PaymentKey[]> {
    return this.database.query<PaymentKey>(PAYMENTS, [most, provider]);
  }

  async leaveToPerson(provider: string): Promise<void> {
    await this.database.query(LEAVE_TO_PERSON, [provider]);
  }

  refunds(provider: string, most: number): Promise<RefundKey[]> {
    return this.database.query<RefundKey>(REFUNDS, [most, provider]);
  }
}
