export const NOTICE_KINDS = [
  'payment_due',
  'order_cancelled',
  'money',
  'low_wallet',
  'calls_failing',
  'order_shipped',
  'price_change',
  'return_answered',
  'statement',
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Defaults for buyers and owners. Viewers get no mail until they choose notices. */
export const USUAL_KINDS: readonly NoticeKind[] = [
  'payment_due',
  'order_cancelled',
  'money',
  'price_change',
  'return_answered',
  'statement',
];

/** A store fails if this number and this share of the calls of an hour fail. */
export const FAILING = { calls: 20, percent: 50 };

/** Lead time of the notice of price changes. */
export const PRICE_CHANGE_DAYS = 7;

export const NOTICE_NAMES: Record<NoticeKind, { name: string; when: string }> = {
  payment_due: { name: 'Payment due', when: 'A day before unpaid orders are cancelled.' },
  order_cancelled: {
    name: 'Orders cancelled',
    when: 'When orders are cancelled because they were not paid.',
  },
  money: {
    name: 'Money',
    when: 'When a top-up or a bank transfer arrives or fails, or leaves orders unpaid.',
  },
  low_wallet: { name: 'Low wallet', when: 'When the wallet falls below your amount.' },
  calls_failing: {
    name: 'Store calls fail',
    when: `When at least ${FAILING.percent} % of your store’s calls in an hour fail.`,
  },
  order_shipped: { name: 'Orders shipped', when: 'Each evening: the orders that were shipped.' },
  price_change: {
    name: 'Prices change soon',
    when: `${PRICE_CHANGE_DAYS} days before your prices or your discount change, or as soon as we know it.`,
  },
  return_answered: { name: 'Returns answered', when: 'When the wholesaler accepts or refuses a return.' },
  statement: { name: 'Statement of the month', when: 'When the wholesaler sends the statement of a month.' },
};
