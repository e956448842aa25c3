import type { PaymentStatus } from '../entities/sandbox-payment.entity.js';
import type { RefundStatus } from '../entities/refund-status.js';

/** How an attempt to pay ends, and what the gateway tells of it. */
interface Outcome {
  label: string;
  attempts: PaymentStatus[];
  webhooks: 'in order' | 'before the return' | 'twice' | 'out of order' | 'lost';
  /** What becomes of a refund of it. */
  refunds: RefundStatus;
}

const PAID: Omit<Outcome, 'label'> = { attempts: ['captured'], webhooks: 'in order', refunds: 'processed' };

/** All that a gateway was seen to do. The names are what the buttons post. */
export const OUTCOMES = {
  pay: { label: 'Pay', ...PAID },
  fail: { label: 'Fail', ...PAID, attempts: ['failed'] },
  pay_late: { label: 'Pay late', ...PAID, attempts: ['created'] },
  pay_twice: { label: 'Pay twice', ...PAID, attempts: ['captured', 'captured'] },
  webhook_before_return: { label: 'Pay, webhook before return', ...PAID, webhooks: 'before the return' },
  webhook_twice: { label: 'Pay, webhook twice', ...PAID, webhooks: 'twice' },
  webhook_lost: { label: 'Pay, webhook lost', ...PAID, webhooks: 'lost' },
  webhooks_out_of_order: { label: 'Pay, webhooks out of order', ...PAID, webhooks: 'out of order' },
  refund_waits: { label: 'Pay, refund waits', ...PAID, refunds: 'pending' },
  refund_fails: { label: 'Pay, refund fails', ...PAID, refunds: 'failed' },
} satisfies Record<string, Outcome>;

export type OutcomeName = keyof typeof OUTCOMES;

export function isOutcome(name: unknown): name is OutcomeName {
  return typeof name === 'string' && Object.hasOwn(OUTCOMES, name);
}

export function outcomeOf(name: OutcomeName): Outcome {
  return OUTCOMES[name];
}
