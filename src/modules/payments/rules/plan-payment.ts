import { DomainError } from '../../../platform/errors/domain-error.js';
import { amountFromMinor, type Minor, numericFromMinor } from '../../../platform/money/money.js';

/** The smallest charge of a gateway. The excess stays in the wallet. */
export const MIN_CHARGE: Minor = 100;

/** The way to pay some orders. */
export interface PaymentPlan {
  total: Minor;
  /** The balance of the wallet without its reserved part. */
  balance: Minor;
  /** The part that the wallet lacks, which the gateway charges. */
  charge: Minor;
}

/** The amounts on the review page. The other amounts follow from them. */
export type ReviewedAmounts = Pick<PaymentPlan, 'total' | 'balance'>;

export function planPayment(total: Minor, balance: Minor): PaymentPlan {
  const lacking = total - balance;
  return { total, balance, charge: lacking > 0 ? Math.max(lacking, MIN_CHARGE) : 0 };
}

/**
 * Refuses a payment that differs from the review page in the total or in the charge of the gateway. The rest
 * of the balance may change, because auto-pay spends it at any time.
 */
export function requireReviewedAmounts(reviewed: ReviewedAmounts, plan: PaymentPlan): void {
  const before = planPayment(reviewed.total, reviewed.balance);
  if (before.total === plan.total && before.charge === plan.charge) return;
  throw new DomainError(
    'total_changed',
    `The page showed ${describeAmounts(before)}. It is now ${describeAmounts(plan)}. Nothing was paid.`,
    {
      facts: {
        shown: amountFromMinor(before.total),
        shown_balance: amountFromMinor(before.balance),
        shown_charge: amountFromMinor(before.charge),
        total: amountFromMinor(plan.total),
        balance: amountFromMinor(plan.balance),
        charge: amountFromMinor(plan.charge),
      },
    },
  );
}

function describeAmounts({ total, charge }: PaymentPlan): string {
  return `${numericFromMinor(total)} with ${numericFromMinor(charge)} of it through the gateway`;
}
