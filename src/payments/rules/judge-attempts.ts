import type { Minor } from '../../platform/money/money.js';
import type { Concern } from './payment-status.js';

/** What the gateway says of an attempt to pay, as far as it matters here. */
export interface Attempt {
  gatewayPaymentId: string;
  amount: Minor;
  currency: string;
  status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed';
  amountRefunded: Minor;
}

export interface Asked {
  amount: Minor;
  currency: string;
}

/** What was written down about earlier attempts, by the gateway's ids. */
export interface Known {
  credited: ReadonlySet<string>;
  /** What was credited for another payment, of this client or of another. */
  elsewhere: ReadonlySet<string>;
  /** What was asked to be sent back of each, here. */
  refunded: ReadonlyMap<string, Minor>;
}

export interface Judgement {
  /** To be credited now. Several, if somebody paid twice. */
  credits: Attempt[];
  /** The bank has said yes, and the money may still come. */
  isUnderway: boolean;
  concern: Concern | undefined;
}

/** What follows from what the gateway says of a payment. An amount that is not what was asked for is not believed. */
export function judgeAttempts(attempts: readonly Attempt[], asked: Asked, known: Known): Judgement {
  const isNew = ({ gatewayPaymentId }: Attempt) => !known.credited.has(gatewayPaymentId);
  const isOurs = (attempt: Attempt) => attempt.status === 'captured' || !isNew(attempt);
  const isReused = ({ gatewayPaymentId }: Attempt, index: number) =>
    known.elsewhere.has(gatewayPaymentId) ||
    attempts.findIndex((other) => other.gatewayPaymentId === gatewayPaymentId) < index;
  const asAsked = (attempt: Attempt) =>
    attempt.amount === asked.amount && attempt.currency === asked.currency;
  const fresh = attempts.filter((attempt, index) => !isReused(attempt, index));
  const captured = fresh.filter(({ status }) => status === 'captured');
  return {
    // What has gone back again, wholly or in part, is not for us to guess about.
    credits: captured.filter((attempt) => isNew(attempt) && asAsked(attempt) && attempt.amountRefunded === 0),
    isUnderway: attempts.some(({ status }) => status === 'authorized'),
    concern: attempts.some(isReused)
      ? 'payment_reused'
      : captured.some((attempt) => isNew(attempt) && !asAsked(attempt))
        ? 'amount_differs'
        : attempts.some((attempt) => isOurs(attempt) && isSentBackElsewhere(attempt, known))
          ? 'refunded_elsewhere'
          : undefined,
  };
}

function isSentBackElsewhere({ gatewayPaymentId, amountRefunded }: Attempt, { refunded }: Known): boolean {
  return amountRefunded > (refunded.get(gatewayPaymentId) ?? 0);
}
