import { type StateKind, StateLabel } from '../../../pages/components/values.js';
import type { PaymentStatus } from '../../../payments/rules/payment-status.js';

const STATES: Record<PaymentStatus, readonly [kind: StateKind, text: string]> = {
  opening: ['info', 'Being prepared'],
  open: ['info', 'Being processed'],
  paid: ['accent', 'Paid'],
  given_up: ['quiet', 'Given up'],
  failed: ['bad', 'Could not be opened'],
};

export const PaymentState = ({ status }: { status: PaymentStatus }) => {
  const [kind, text] = STATES[status];
  return <StateLabel kind={kind}>{text}</StateLabel>;
};
