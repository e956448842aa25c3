import type { Minor } from '../../../platform/money/money.js';
import type { Concern } from './payment-status.js';

/** The fields of an attempt that decide the credit. */
export interface Attempt {
  gatewayPaymentId: string;
  amount: Minor;
  currency: string;
  status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed';
  /** The part that was refunded to the source. */
  amountRefunded: Minor;
}

type ExpectedPayment = Pick<Attempt, 'amount' | 'currency'>;

/** The stored facts about earlier attempts, by the gateway's ids. */
export interface RecordedAttempts {
  credited: ReadonlySet<string>;
  /** Ids that were credited for another payment, of any client. */
  creditedToOthers: ReadonlySet<string>;
  /** The amount of each that our own refunds sent back. */
  refunded: ReadonlyMap<string, Minor>;
}

export interface AttemptsDecision {
  /** Attempts to credit now. Several after a double payment. */
  credits: Attempt[];
  /** The bank has authorized it, and the money may still come. */
  isUnderway: boolean;
  concern: Concern | undefined;
}

/** Evaluates the gateway's answer. An attempt with another amount or currency is not credited. */
export function evaluateAttempts(
  attempts: readonly Attempt[],
  expected: ExpectedPayment,
  recorded: RecordedAttempts,
): AttemptsDecision {
  const isNew = ({ gatewayPaymentId }: Attempt) => !recorded.credited.has(gatewayPaymentId);
  const isOurs = (attempt: Attempt) => attempt.status === 'captured' || !isNew(attempt);
  const isReused = ({ gatewayPaymentId }: Attempt, index: number) =>
    recorded.creditedToOthers.has(gatewayPaymentId) ||
    attempts.findIndex((other) => other.gatewayPaymentId === gatewayPaymentId) < index;
  const isAsExpected = (attempt: Attempt) =>
    attempt.amount === expected.amount && attempt.currency === expected.currency;
  const fresh = attempts.filter((attempt, index) => !isReused(attempt, index));
  const captured = fresh.filter(({ status }) => status === 'captured');
  // Attempts that were refunded, even in part, need a person.
  const credits = captured.filter(
    (attempt) => isNew(attempt) && isAsExpected(attempt) && attempt.amountRefunded === 0,
  );
  const isKept = (attempt: Attempt) =>
    (!isNew(attempt) || credits.includes(attempt)) && refundedHere(attempt, recorded) < attempt.amount;
  return {
    credits,
    isUnderway: attempts.some(({ status }) => status === 'authorized'),
    concern: attempts.some(isReused)
      ? 'payment_reused'
      : captured.some((attempt) => isNew(attempt) && !isAsExpected(attempt))
        ? 'amount_differs'
        : attempts.some((attempt) => isOurs(attempt) && isRefundedOutside(attempt, recorded))
          ? 'refunded_elsewhere'
          : fresh.filter(isKept).length > 1
            ? 'paid_twice'
            : undefined,
  };
}

function isRefundedOutside(attempt: Attempt, recorded: RecordedAttempts): boolean {
  return attempt.amountRefunded > refundedHere(attempt, recorded);
}

function refundedHere({ gatewayPaymentId }: Attempt, { refunded }: RecordedAttempts): Minor {
  return refunded.get(gatewayPaymentId) ?? 0;
}
