import { ENDS_SOON_DAYS } from '../../clients/rules/ends-soon.js';
import { type Permission } from '../../../platform/access/desk-permissions.js';
import { may, type SignedInPerson } from '../../../platform/access/signed-in-person.js';

/** Notices for people of clients. */
export const CLIENT_KINDS = [
  'payment_due',
  'order_cancelled',
  'money',
  'low_wallet',
  'calls_failing',
  'order_shipped',
  'price_change',
  'return_answered',
  'refund',
  'suspended',
  'subscription_ends',
  'statement',
] as const;

/** Notices for the wholesaler's people, with the permission for the page of the notice. */
export const DESK_KINDS = {
  transfer_reported: 'keep payments and books',
  return_requested: 'receive returns',
  payment_to_check: 'keep payments and books',
  low_stock: 'keep goods and prices',
  job_failed: 'change settings',
} as const satisfies Record<string, Permission>;

export type DeskNoticeKind = keyof typeof DESK_KINDS;
export type NoticeKind = (typeof CLIENT_KINDS)[number] | DeskNoticeKind;

export const isDeskKind = (kind: NoticeKind): kind is DeskNoticeKind => kind in DESK_KINDS;

export const NOTICE_KINDS: readonly NoticeKind[] = [
  ...CLIENT_KINDS,
  ...(Object.keys(DESK_KINDS) as DeskNoticeKind[]),
];

/** The notices that a person may choose. */
export const kindsFor = (person: Pick<SignedInPerson, 'clientId' | 'role'>): NoticeKind[] =>
  NOTICE_KINDS.filter((kind) =>
    isDeskKind(kind) ? may(person, DESK_KINDS[kind]) : person.clientId !== null,
  );

/** Defaults for buyers and owners. Others get no mail until they choose notices. */
export const USUAL_KINDS: readonly NoticeKind[] = [
  'payment_due',
  'order_cancelled',
  'money',
  'price_change',
  'return_answered',
  'refund',
  'suspended',
  'subscription_ends',
  'statement',
];

/** A store fails if this number and this share of the calls of an hour fail. */
export const FAILING = { calls: 20, percent: 50 };

/** Lead times of the notices of the end of a subscription. */
export const SUBSCRIPTION_DAYS = [ENDS_SOON_DAYS, 3] as const;

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
  return_answered: {
    name: 'Returns answered',
    when: 'When the wholesaler accepts, refuses or receives a return.',
  },
  refund: { name: 'Refunds', when: 'When money of an order comes back to the wallet.' },
  suspended: { name: 'Access suspended', when: 'When the wholesaler suspends your access.' },
  subscription_ends: {
    name: 'Subscription ends',
    when: `${SUBSCRIPTION_DAYS.join(' and ')} days before your subscription ends and no other follows.`,
  },
  transfer_reported: { name: 'Transfers to confirm', when: 'When a client reports a bank transfer.' },
  return_requested: { name: 'Returns', when: 'When a client wants to send goods back.' },
  payment_to_check: {
    name: 'Payments to check',
    when: 'When a payment is not as it was asked for, so that a person must look.',
  },
  low_stock: { name: 'Low stock', when: 'Each morning, if products are below their threshold.' },
  job_failed: {
    name: 'Failed jobs',
    when: 'When a background job of the service fails, once a day.',
  },
  statement: { name: 'Statement of the month', when: 'When the wholesaler sends the statement of a month.' },
};
