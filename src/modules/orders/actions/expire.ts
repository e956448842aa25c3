import { CANCEL_REASONS } from '../cancel-reasons.js';
import { transition } from '../rules/order-transitions.js';
import type { OrderChange } from './order-action.js';

/** When an unpaid order ends. */
export const IS_OVERDUE = `o.status = 'awaiting_payment' AND o.paymentDueAt <= statement_timestamp()`;

/** The payment window of an unpaid order is over. Only the service itself does this. */
export const expire: OrderChange = {
  needs: [],
  decide: (order) => {
    const next = transition('expire', order);
    return 'refused' in next ? next : { ...next, columns: { cancelReason: CANCEL_REASONS.expired } };
  },
};
