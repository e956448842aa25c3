import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import type { SandboxPayment } from '../entities/sandbox-payment.entity.js';
import type { RefundStatus } from '../entities/refund-status.js';
import { SandboxRefund } from '../entities/sandbox-refund.entity.js';
import { isId, newId } from '../new-id.js';
import { type OrderState, refundedOf } from '../protocol.js';
import { Refusal, unknownId } from '../refusal.js';
import { stateOfPayment } from '../state-of-order.js';
import { refundEvent } from '../webhooks/events.js';
import { WebhookSender } from '../webhooks/webhook-sender.js';
import type { RefundToMake } from './refund-request.js';

export interface RefundState {
  refund: SandboxRefund;
  state: OrderState;
}

@Injectable()
export class SandboxRefunds {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhookSender,
  ) {}

  /** Of one key there is one refund, however often it is asked for. */
  async make(paymentId: string, asked: RefundToMake, key: string | undefined): Promise<RefundState> {
    const made = await this.database.transaction(async ({ manager }) => {
      const { state, payment } = await stateOfPayment(manager, paymentId, true);
      const known = key !== undefined && (await manager.findOneBy(SandboxRefund, { idempotencyKey: key }));
      if (known) return { refund: sameAsBefore(known, payment, asked), state };
      const amount = asked.amount ?? refundable(payment, state);
      if (payment.status !== 'captured')
        throw new Refusal('The payment status should be captured for action to be taken');
      if (amount > refundable(payment, state) || amount === 0)
        throw new Refusal('The total refund amount is greater than the refund payment amount', 'amount');
      return this.write(manager, state, payment, amount, key);
    });
    void this.webhooks.soon();
    return made;
  }

  find(paymentId: string, refundId: string): Promise<RefundState> {
    return this.database.transaction(async ({ manager }) => {
      const { state } = await stateOfPayment(manager, paymentId);
      const refund = state.refunds.find((one) => one.id === refundId && one.paymentId === paymentId);
      if (!refund) throw unknownId();
      return { refund, state };
    });
  }

  /** What was on its way has come, or has come back. */
  async settle(refundId: string, status: Exclude<RefundStatus, 'pending'>): Promise<SandboxPayment> {
    const settled = await this.database.transaction(async ({ manager }) => {
      const found = isId(refundId) ? await manager.findOneBy(SandboxRefund, { id: refundId }) : null;
      if (!found) throw unknownId();
      const { state, payment } = await stateOfPayment(manager, found.paymentId, true);
      const refund = state.refunds.find(({ id }) => id === refundId)!;
      if (refund.status !== 'pending') throw new Refusal('The refund is not pending.');
      refund.status = status;
      await manager.update(SandboxRefund, { id: refundId }, { status });
      await this.webhooks.write(manager, [refundEvent(refund, payment, state)]);
      return payment;
    });
    void this.webhooks.soon();
    return settled;
  }

  private async write(
    manager: EntityManager,
    state: OrderState,
    payment: SandboxPayment,
    amount: number,
    key: string | undefined,
  ): Promise<RefundState> {
    const refund = manager.create(SandboxRefund, {
      id: newId('rfnd'),
      paymentId: payment.id,
      amount: numericFromMinor(amount),
      status: payment.refunds,
      idempotencyKey: key ?? null,
      createdAt: new Date(),
    });
    await manager.insert(SandboxRefund, refund);
    state.refunds.push(refund);
    await this.webhooks.write(manager, [refundEvent(refund, payment, state)]);
    return { refund, state };
  }
}

function refundable(payment: SandboxPayment, { order, refunds }: OrderState): number {
  return minorFromNumeric(order.amount) - refundedOf(payment, refunds);
}

function sameAsBefore(
  known: SandboxRefund,
  payment: SandboxPayment,
  { amount }: RefundToMake,
): SandboxRefund {
  if (
    known.paymentId === payment.id &&
    (amount ?? minorFromNumeric(known.amount)) === minorFromNumeric(known.amount)
  )
    return known;
  throw new Refusal('Different request with the same idempotency key has already been processed.');
}
