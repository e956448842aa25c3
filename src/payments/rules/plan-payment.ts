import { DomainError } from '../../platform/errors/domain-error.js';
import { amountFromMinor, type Minor, numericFromMinor } from '../../platform/money/money.js';

/** A gateway takes no less than this. What is too much of it stays in the wallet. */
export const LEAST_CHARGE: Minor = 100;

/** How orders would be paid. */
export interface PaymentPlan {
  total: Minor;
  /** What the wallet holds. */
  balance: Minor;
  /** What goes through the gateway: what the wallet lacks. */
  charge: Minor;
}

/** What a screen said, from which the rest follows. */
export type Shown = Pick<PaymentPlan, 'total' | 'balance'>;

export function planPayment(total: Minor, balance: Minor): PaymentPlan {
  const lacking = total - balance;
  return { total, balance, charge: lacking > 0 ? Math.max(lacking, LEAST_CHARGE) : 0 };
}

/**
 * What was shown is what is paid, or nothing is: as much out of the wallet, as much through the gateway. What else the wallet holds may have
 * changed, as it does all the time where orders are paid by themselves.
 */
export function checkShown(shown: Shown, plan: PaymentPlan): void {
  const before = planPayment(shown.total, shown.balance);
  if (before.total === plan.total && before.charge === plan.charge) return;
  throw new DomainError(
    'total_changed',
    `You were shown ${inWords(before)}, but it is ${inWords(plan)} now. Nothing was paid.`,
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

function inWords({ total, charge }: PaymentPlan): string {
  return `${numericFromMinor(total)} with ${numericFromMinor(charge)} of it through the gateway`;
}
