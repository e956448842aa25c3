import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database } from '../../platform/database/database.js';
import { type PaymentStatus, SandboxPayment } from '../entities/sandbox-payment.entity.js';
import type { RefundStatus } from '../entities/refund-status.js';
import { newId } from '../new-id.js';
import { isPaid, type OrderState } from '../protocol.js';
import { Refusal } from '../refusal.js';
import { stateOfOrder, stateOfPayment } from '../state-of-order.js';
import { paymentEvents, type SandboxEvent } from '../webhooks/events.js';
import { WebhookSender } from '../webhooks/webhook-sender.js';
import { type OutcomeName, outcomeOf } from './outcomes.js';

/** Of one order: more than anybody tries out. Each is read again with every look at the order. */
const MOST_ATTEMPTS = 20;

/** What the buttons do. */
@Injectable()
export class SandboxCheckouts {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhookSender,
  ) {}

  find(orderId: unknown): Promise<OrderState> {
    return this.database.transaction(({ manager }) => stateOfOrder(manager, orderId));
  }

  findPayment(paymentId: string) {
    return this.database.transaction(({ manager }) => stateOfPayment(manager, paymentId));
  }

  /** Gives the attempt with which the browser returns: the last, if there were more. */
  async attempt(orderId: unknown, name: OutcomeName): Promise<SandboxPayment> {
    const { attempts, webhooks, refunds } = outcomeOf(name);
    const payment = await this.database.transaction(async ({ manager }) => {
      const state = await stateOfOrder(manager, orderId, true);
      if (isPaid(state.payments)) throw new Refusal('The order is already paid.');
      if (state.payments.length + attempts.length > MOST_ATTEMPTS) throw tooManyAttempts();
      const made = await Promise.all(attempts.map((status) => this.write(manager, state, status, refunds)));
      const events = made.flatMap((one) => paymentEvents(one, state));
      await this.webhooks.write(manager, arrange(events, webhooks));
      return made.at(-1)!;
    });
    const sent = this.webhooks.soon();
    if (webhooks === 'before the return') await sent;
    return payment;
  }

  /** The money of a late payment comes at last, whatever became of its order meanwhile. */
  async arrive(paymentId: string): Promise<void> {
    await this.database.transaction(async ({ manager }) => {
      const { state, payment } = await stateOfPayment(manager, paymentId, true);
      if (payment.status !== 'created') throw new Refusal('The payment is not on its way.');
      payment.status = 'captured';
      await manager.update(SandboxPayment, { id: payment.id }, { status: payment.status });
      await this.webhooks.write(manager, paymentEvents(payment, state));
    });
    void this.webhooks.soon();
  }

  private async write(
    manager: EntityManager,
    state: OrderState,
    status: PaymentStatus,
    refunds: RefundStatus,
  ): Promise<SandboxPayment> {
    const payment = manager.create(SandboxPayment, {
      id: newId('pay'),
      orderId: state.order.id,
      status,
      refunds,
      createdAt: new Date(),
    });
    await manager.insert(SandboxPayment, payment);
    state.payments.push(payment);
    return payment;
  }
}

function tooManyAttempts(): Refusal {
  return new Refusal(`The order was tried to be paid ${MOST_ATTEMPTS} times. Begin another one.`);
}

function arrange(events: SandboxEvent[], webhooks: ReturnType<typeof outcomeOf>['webhooks']): SandboxEvent[] {
  if (webhooks === 'lost') return [];
  if (webhooks === 'out of order') return events.toReversed();
  return webhooks === 'twice' ? events.flatMap((event) => [event, event]) : events;
}
