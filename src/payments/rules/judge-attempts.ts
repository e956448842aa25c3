import type { Minor } from '../../platform/money/money.js';
import type { GatewayPayment } from '../gateway/payment-gateway.js';
import type { Concern } from './payment-status.js';

export interface Asked {
  amount: Minor;
  currency: string;
}

/** What was written down about earlier attempts, by the gateway's ids. */
export interface Known {
  credited: ReadonlySet<string>;
  /** What was asked to be sent back of each, here. */
  refunded: ReadonlyMap<string, Minor>;
}

export interface Judgement {
  /** To be credited now. Several, if somebody paid twice. */
  credits: GatewayPayment[];
  /** The bank has said yes, and the money may still come. */
  isUnderway: boolean;
  concern: Concern | undefined;
}

/** What follows from what the gateway says of a payment. An amount that is not what was asked for is not believed. */
export function judgeAttempts(attempts: readonly GatewayPayment[], asked: Asked, known: Known): Judgement {
  const isNew = ({ gatewayPaymentId }: GatewayPayment) => !known.credited.has(gatewayPaymentId);
  const captured = attempts.filter(({ status }) => status === 'captured');
  const isOurs = (attempt: GatewayPayment) => attempt.status === 'captured' || !isNew(attempt);
  const asAsked = (attempt: GatewayPayment) =>
    attempt.amount === asked.amount && attempt.currency === asked.currency;
  return {
    credits: captured.filter((attempt) => isNew(attempt) && asAsked(attempt)),
    isUnderway: attempts.some(({ status }) => status === 'authorized'),
    concern: captured.some((attempt) => isNew(attempt) && !asAsked(attempt))
      ? 'amount_differs'
      : attempts.some((attempt) => isOurs(attempt) && isSentBackElsewhere(attempt, known))
        ? 'refunded_elsewhere'
        : undefined,
  };
}

function isSentBackElsewhere(
  { gatewayPaymentId, amountRefunded }: GatewayPayment,
  { refunded }: Known,
): boolean {
  return amountRefunded > (refunded.get(gatewayPaymentId) ?? 0);
}
