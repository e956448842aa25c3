import { readLine, readOptionalLine } from '../../../platform/validation/texts.js';
import type { Minor } from '../../../platform/money/money.js';
import { type AcceptedUses, joinReference } from '../../wallet/rules/payment-reference.js';
import { orderPayment, orderTopUp, type Posting } from '../../wallet/rules/posting.js';
import type { Order } from '../entities/order.entity.js';
import { transition } from '../rules/order-transitions.js';
import type { OrderAction, OrderChange } from './order-action.js';

/** Of money that a person or a program received. */
export const PAYMENT_METHODS = ['Cash', 'Cheque', 'UPI', 'Bank transfer'] as const;

export const hasReference = (method: string) => method.toLowerCase() !== 'cash';

export interface PayInput {
  method?: string | undefined;
  reference?: string | undefined;
  /** Pays from the wallet. Says who agreed, and how. */
  consent?: string | undefined;
  /** Other uses of the reference, which a person accepted. */
  acceptedUses?: AcceptedUses | undefined;
}

export const pay: OrderAction<PayInput> = {
  name: 'pay',
  sentence: 'Records the payment of an order, so that it can be shipped.',
  role: 'staff',
  change: ({ method, reference, consent, acceptedUses }) =>
    consent === undefined
      ? recordPayment({
          paymentMethod: readOptionalLine('payment method', method, 100),
          paymentReference: joinReference(readOptionalLine('payment reference', reference, 200)),
          acceptedUses,
        })
      : payFromWallet(readLine('consent', consent, 200)),
};

/** A payment by the client itself has no consent to name. */
export const payFromWallet = (consent?: string): OrderChange => ({
  needs: [],
  isPayment: true,
  decide: (order) => {
    const next = transition('pay', order);
    if ('refused' in next) return next;
    const columns = { paymentMethod: 'wallet', paymentReference: consent };
    return {
      ...next,
      columns,
      postings: () => (order.total === 0 ? [] : [paymentOf(order)]),
      audit: consent !== undefined && paidEntry(columns),
    };
  },
});

type RecordedColumns = { paymentMethod?: string | undefined; paymentReference?: string | undefined };

/** Money from outside the service goes through the wallet, so that the books add up. */
const recordPayment = ({
  acceptedUses,
  ...columns
}: RecordedColumns & Pick<PayInput, 'acceptedUses'>): OrderChange => ({
  needs: [],
  isPayment: true,
  decide: (order) => {
    const next = transition('pay', order);
    if ('refused' in next) return next;
    const [topUp, payment] = recordedPayment(order, columns);
    return {
      ...next,
      columns,
      postings: () => (order.total === 0 ? [] : [{ ...topUp, acceptedUses }, payment]),
      audit: paidEntry(columns),
    };
  },
});

type PaidOrder = { total: Minor } & Pick<Order, 'orderNumber' | 'paymentsUndone'>;

const paymentOf = ({ orderNumber, total, paymentsUndone }: PaidOrder) =>
  orderPayment(orderNumber, total, paymentsUndone);

/** The postings of a payment that a person recorded: the money comes in, and is spent at once. */
export function recordedPayment(
  order: PaidOrder,
  { paymentMethod, paymentReference }: Partial<Pick<Order, 'paymentMethod' | 'paymentReference'>>,
): [topUp: Posting, payment: Posting] {
  const note = paymentNote(paymentMethod, paymentReference) || undefined;
  return [orderTopUp(order.orderNumber, order.total, note, order.paymentsUndone), paymentOf(order)];
}

/** How an order was paid, as its entry in the wallet has it: "Cheque 123456 HDFC". */
export function paymentNote(method?: string | null, reference?: string | null): string {
  return [method, reference].filter(Boolean).join(' ');
}

const paidEntry = ({ paymentMethod = undefined, paymentReference = undefined }: RecordedColumns) => ({
  action: 'order.paid' as const,
  details: { method: paymentMethod ?? null, reference: paymentReference ?? null },
});
