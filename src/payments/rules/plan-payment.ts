import { DomainError } from '../../platform/errors/domain-error.js';
import { amountFromMinor, type Minor, numericFromMinor } from '../../platform/money/money.js';

/** A gateway takes no less than this. What is too much of it stays in the wallet. */
export const LEAST_CHARGE: Minor = 100;

/** How orders would be paid. */
export interface PaymentPlan {
  total: Minor;
  /** What goes through the gateway: what the wallet lacks. */
  charge: Minor;
}

export function planPayment(total: Minor, balance: Minor): PaymentPlan {
  const lacking = total - balance;
  return { total, charge: lacking > 0 ? Math.max(lacking, LEAST_CHARGE) : 0 };
}

/** What was shown is what is paid, or nothing is. */
export function checkShown(shown: PaymentPlan | undefined, plan: PaymentPlan): void {
  if (!shown || (shown.total === plan.total && shown.charge === plan.charge)) return;
  const [before, now] = [shown, plan].map(inWords);
  throw new DomainError(
    'total_changed',
    `You were shown ${before}, but it is ${now} now. Nothing was paid.`,
    {
      facts: {
        shown: amountFromMinor(shown.total),
        shown_charge: amountFromMinor(shown.charge),
        total: amountFromMinor(plan.total),
        charge: amountFromMinor(plan.charge),
      },
    },
  );
}

function inWords({ total, charge }: PaymentPlan): string {
  return `${numericFromMinor(total)} with ${numericFromMinor(charge)} of it through the gateway`;
}
