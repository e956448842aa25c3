import { countOf, dayOf, exactTime, formatDay, formatMoney, formatMonth } from '../../../platform/formats.js';
import { describeJob } from '../../../platform/jobs/job-names.js';
import { minorFromNumeric } from '../../../platform/money/money.js';
import { type Day, type Month, offsetName, type TimeZone } from '../../../platform/time/time.js';
import type { PaymentConcern } from '../../orders/entities/payment.entity.js';
import { describeReference, isUtr } from '../../payments/rules/read-inputs.js';
import { describeConcern } from '../../payments/rules/payment-status.js';
import { formatReturnState } from '../../orders/rules/return-request.js';
import type { NoticeKind } from './kinds.js';

/** The number of orders that a mail names. It counts the others. */
export const MAX_NAMED_ORDERS = 20;

/** The number of prices of a change that a mail counts, and the number that it lists. */
export const MAX_COUNTED_PRICES = 1_000;
export const MAX_LISTED_PRICES = 5;

/** Amounts are numeric texts. Order numbers may be followed by the store's id. */
export interface NoticeFacts {
  payment_due: { count: number; total: string; numbers: string[]; firstDueAt: Date };
  order_cancelled: { count: number; total: string; numbers: string[] };
  money: { news: MoneyNews[] };
  low_wallet: { balance: string; threshold: string };
  calls_failing: { failed: number; all: number; codes: string[]; hour: Date };
  order_shipped: { count: number; numbers: string[] };
  price_change: { changes: PriceNews[] };
  return_answered: { answers: ReturnAnswer[] };
  refund: NamedEvents & { total: string };
  suspended: { at: Date; reason: string | null };
  subscription_ends: { plan: string; endsAt: Date };
  transfer_reported: NamedEvents & { total: string };
  return_requested: NamedEvents;
  payment_to_check: { count: number; payments: PaymentToCheck[] };
  low_stock: NamedEvents;
  job_failed: NamedEvents;
  /** In the order of time. */
  statement: { months: Month[] };
}

/** The first `MAX_NAMED_ORDERS`, each in words, and the number of all. */
interface NamedEvents {
  count: number;
  numbers: string[];
}

interface PaymentToCheck {
  client: string;
  amount: string;
  concern: PaymentConcern;
}

/** An accepted return, with where and until when to send the goods, a received one, or a refused one. */
export type ReturnAnswer = { number: string; order: string } & (
  | { sendTo: string; sendBy: Day }
  | { sendTo: null; state: 'refused' | 'received' | 'partly_received'; reason: string | null }
);

/** A scheduled change of prices, as one client sees it. Times are ISO. */
export interface PriceNews {
  from: string;
  /** The old prices return at this time. */
  to: string | null;
  /** At most `MAX_COUNTED_PRICES`. */
  count: number;
  /** The first ones. The discount of the plan has no SKU. */
  examples: { sku: string | null; name: string | null; old: string; new: string }[];
}

/** The end of a payment or of a bank transfer. */
export interface MoneyNews {
  amount: string;
  /** The UTR of a bank transfer, or the reference of a cheque or of cash. */
  utr: string | null;
  status: 'paid' | 'given_up' | 'confirmed' | 'refused';
  reason: string | null;
  /** The orders of a payment, the number that it paid, and the orders that are still unpaid. */
  orders: number;
  paid: number;
  waiting: string[];
}

export interface NoticeContext {
  currency: string;
  timeZone: TimeZone;
}

export interface NoticeText {
  subject: string;
  lines: string[];
  /** The page where a person can act. */
  page: string;
}

type Texts = { [Kind in NoticeKind]: (fact: NoticeFacts[Kind], context: NoticeContext) => NoticeText };

export const NOTICE_TEXTS: Texts = {
  payment_due: ({ count, total, numbers, firstDueAt }, { currency, timeZone }) => ({
    subject: `${countOf(count, 'order needs', 'orders need')} payment within a day`,
    lines: [
      `Pay ${inAll(count, total, currency)}. The service cancels orders that are not paid in time.`,
      `The first one is due on ${exactTime(firstDueAt, timeZone)} (${offsetName(firstDueAt, timeZone)}).`,
      ...named(numbers, count),
    ],
    page: '/dashboard/orders?group=to_pay',
  }),
  order_cancelled: ({ count, total, numbers }, { currency }) => ({
    subject: `${countOf(count, 'order was', 'orders were')} cancelled unpaid`,
    lines: [
      `These orders were not paid in time and are cancelled: ${inAll(count, total, currency)}.`,
      ...named(numbers, count),
    ],
    page: '/dashboard/orders?group=cancelled',
  }),
  money: ({ news }, context) => {
    const words = news.map((one) => moneyWords(one, context));
    return {
      subject: words.length === 1 ? words[0]!.subject : `The results of ${words.length} payments`,
      lines: words.map(({ line }) => line),
      page: '/dashboard/wallet',
    };
  },
  low_wallet: ({ balance, threshold }, { currency }) => ({
    subject: `Your wallet is below ${money(threshold, currency)}`,
    lines: [`It holds ${money(balance, currency)}.`, 'Top it up, so that new orders ship without delay.'],
    page: '/dashboard/wallet/top-up',
  }),
  calls_failing: ({ failed, all, codes, hour }, { timeZone }) => ({
    subject: `${Math.floor((failed / all) * 100)} % of your store’s calls fail`,
    lines: [
      `${failed} of ${countOf(all, 'call', 'calls')} failed in the hour from ` +
        `${exactTime(hour, timeZone)} (${offsetName(hour, timeZone)}).`,
      `The most frequent errors: ${codes.join(', ')}.`,
    ],
    page: '/dashboard/requests',
  }),
  order_shipped: ({ count, numbers }) => ({
    subject: `${countOf(count, 'order was', 'orders were')} shipped`,
    lines: [
      `Since the last mail ${countOf(count, 'order was', 'orders were')} shipped:`,
      ...named(numbers, count),
    ],
    page: '/dashboard/orders?group=shipped',
  }),
  price_change: ({ changes }, { currency, timeZone }) => ({
    subject:
      changes.length === 1
        ? `Prices change on ${dayOf(new Date(changes[0]!.from), timeZone)}`
        : `Prices change: ${changes.length} changes`,
    lines: changes.flatMap((change, at) => [
      ...(at > 0 ? [''] : []),
      ...priceLines(change, currency, timeZone),
    ]),
    page: '/dashboard/plan#prices',
  }),
  return_answered: ({ answers }) => ({
    subject:
      answers.length === 1
        ? `The return ${answers[0]!.number} is ${answerWord(answers[0]!)}`
        : `${answers.length} returns are answered`,
    lines: answers.flatMap((answer, at) => [...(at > 0 ? [''] : []), ...answerLines(answer)]),
    page: `/dashboard/orders/${answers[0]!.order}`,
  }),
  refund: ({ count, total, numbers }, { currency }) => ({
    subject: `${money(total, currency)} came back to your wallet`,
    lines: [
      `${countOf(count, 'refund', 'refunds')}, ${money(total, currency)} in all:`,
      ...named(numbers, count),
    ],
    page: '/dashboard/wallet',
  }),
  suspended: ({ at, reason }, { timeZone }) => ({
    subject: 'Your access is suspended',
    lines: [
      `The wholesaler suspended your access on ${exactTime(at, timeZone)} (${offsetName(at, timeZone)}).`,
      ...(reason === null ? [] : [`The reason: ${reason}`]),
      'Every call of your store is refused. This page says how to reach the wholesaler:',
    ],
    page: '/dashboard/help',
  }),
  subscription_ends: ({ plan, endsAt }, { timeZone }) => ({
    subject: `Your subscription ends on ${dayOf(endsAt, timeZone)}`,
    lines: [
      `Your subscription to ${plan} ends on ${exactTime(endsAt, timeZone)} ` +
        `(${offsetName(endsAt, timeZone)}).`,
      'After that your store can place no orders. Ask the wholesaler to extend it.',
    ],
    page: '/dashboard/plan',
  }),
  transfer_reported: ({ count, total, numbers }, { currency }) => ({
    subject: `${countOf(count, 'bank transfer', 'bank transfers')} to confirm`,
    lines: [
      `Clients report ${money(total, currency)}. Compare with your bank statement.`,
      ...named(numbers, count),
    ],
    page: '/desk/money',
  }),
  return_requested: ({ count, numbers }) => ({
    subject: `${countOf(count, 'return is', 'returns are')} requested`,
    lines: ['Clients want to send goods back:', ...named(numbers, count)],
    page: '/desk/returns',
  }),
  payment_to_check: ({ count, payments }, { currency }) => ({
    subject: `${countOf(count, 'payment needs', 'payments need')} a person`,
    lines: [
      'What the payment gateway says is not as it was asked for:',
      ...named(
        payments.map(
          ({ client, amount, concern }) =>
            `${client}, ${money(amount, currency)}: ${describeConcern(concern) ?? concern}`,
        ),
        count,
      ),
    ],
    page: '/desk/money/payments',
  }),
  low_stock: ({ count, numbers }) => ({
    subject: `Low stock: ${countOf(count, 'product', 'products')}`,
    lines: ['Fewer are for sale than the threshold says:', ...named(numbers, count)],
    page: '/desk/goods/low',
  }),
  job_failed: ({ count, numbers }) => ({
    subject: `${countOf(count, 'background job', 'background jobs')} failed`,
    lines: [
      'The service tries again. Its log has the reasons. Failed jobs:',
      ...named(numbers.map(describeJob), count),
    ],
    page: '/desk',
  }),
  statement: ({ months }) => {
    const names = months.map(formatMonth).join(', ');
    return {
      subject: `Your statement of ${names}`,
      lines: [`Your statement of ${names} is ready, as PDF and CSV.`],
      page: `/dashboard/wallet?month=${months.at(-1)!}`,
    };
  },
};

const answerWord = (answer: ReturnAnswer) =>
  answer.sendTo === null ? formatReturnState(answer.state) : 'accepted';

function answerLines(answer: ReturnAnswer): string[] {
  const { number, order } = answer;
  const what = `The return ${number} of ${order} is ${answerWord(answer)}`;
  if (answer.sendTo === null) return [answer.reason === null ? `${what}.` : `${what}: ${answer.reason}`];
  const address = answer.sendTo.split('\n').map((line) => `  ${line}`);
  return [`${what}.`, `Send the goods by ${formatDay(answer.sendBy)} to:`, '', ...address];
}

function priceLines(
  { from, to, count, examples }: PriceNews,
  currency: string,
  timeZone: TimeZone,
): string[] {
  const time = (at: string) => `${exactTime(new Date(at), timeZone)} (${offsetName(new Date(at), timeZone)})`;
  const others = count - examples.length;
  const more = count === MAX_COUNTED_PRICES ? '  and many more' : `  and ${others} more`;
  return [
    `From ${time(from)}${to === null ? '' : ` until ${time(to)}`}:`,
    '',
    ...examples.map(({ sku, name, ...change }) =>
      sku === null
        ? `  Your discount: ${Number(change.old)} % → ${Number(change.new)} %`
        : `  ${sku} ${name}: ${money(change.old, currency)} → ${money(change.new, currency)}`,
    ),
    ...(others > 0 ? [more] : []),
  ];
}

function moneyWords(news: MoneyNews, { currency }: NoticeContext): { subject: string; line: string } {
  const { utr, status, reason, orders, paid, waiting } = news;
  const amount = money(news.amount, currency);
  const what = utr === null || isUtr(utr) ? 'bank transfer' : 'payment';
  const transfer = `Your ${what} of ${amount} (${describeReference(utr ?? '')})`;
  switch (status) {
    case 'confirmed':
      return {
        subject: `${amount} arrived in your wallet`,
        line:
          `${transfer} arrived in your wallet.` +
          (reason === null ? '' : ` You had reported another amount: ${reason}`),
      };
    case 'refused':
      return { subject: `A transfer of ${amount} was refused`, line: `${transfer} was refused: ${reason}` };
    case 'given_up':
      return {
        subject: `A payment of ${amount} was not finished`,
        line: [
          `A payment of ${amount} was not finished within an hour and is given up. No money has arrived.`,
          ...stillWaiting(waiting),
        ].join(' '),
      };
    case 'paid':
      return {
        subject: `${amount} arrived in your wallet`,
        line: [
          `${amount} arrived in your wallet.`,
          ...(orders > 0 ? [`It paid ${paid} of ${countOf(orders, 'order', 'orders')}.`] : []),
          ...stillWaiting(waiting),
        ].join(' '),
      };
  }
}

function stillWaiting(numbers: string[]): string[] {
  if (numbers.length === 0) return [];
  const others = numbers.length - MAX_NAMED_ORDERS;
  const more = others > 0 ? ` and ${others} more` : '';
  return [`Still unpaid: ${numbers.slice(0, MAX_NAMED_ORDERS).join(', ')}${more}.`];
}

function inAll(count: number, total: string, currency: string): string {
  return `${countOf(count, 'order', 'orders')}, ${money(total, currency)} in all`;
}

function named(numbers: string[], count: number): string[] {
  const others = count - numbers.length;
  return ['', ...numbers.map((number) => `  ${number}`), ...(others > 0 ? [`  and ${others} more`] : [])];
}

function money(amount: string, currency: string): string {
  return formatMoney(minorFromNumeric(amount), currency);
}
