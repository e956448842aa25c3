import { readFileSync } from 'node:fs';
import { NOTICE_TEXTS } from './notice-texts.js';
import type { MoneyNews, NoticeContext, NoticeFacts, PriceNews } from './notice-texts.js';

const CONTEXT: NoticeContext = { currency: 'INR', timeZone: 'Asia/Kolkata' };

const DUE = {
  total: '45000.50',
  numbers: ['WO-1 (A-1)', 'WO-2'],
  firstDueAt: new Date('2026-11-20T20:00:00Z'),
};
const NEW_YEAR = new Date('2026-12-31T18:30:00Z');
const SOME = { count: 1, numbers: ['X'] };
const MUG = { sku: 'MUG', name: 'Mug', old: '80.00', new: '72.50' };
const DISCOUNT = { sku: null, name: null, old: '10.00', new: '12.50' };
const ACCEPTED = { number: 'RT-1', order: 'WO-1', sendTo: 'Acme\nPune', sendBy: '2026-12-12' };
const REFUSED = { number: 'RT-2', order: 'WO-2', sendTo: null, state: 'refused', reason: 'worn' } as const;
const PARTLY = { ...REFUSED, state: 'partly_received', reason: null } as const;
const CONFIRMED = { status: 'confirmed', utr: 'AXIS1' } as const;

const money = (...news: Partial<MoneyNews>[]): NoticeFacts['money'] => {
  const topUp = { amount: '500.00', utr: null, status: 'paid', reason: null, orders: 0, paid: 0 } as const;
  return { news: news.map((one) => ({ ...topUp, waiting: [], ...one })) };
};
const prices = (...changes: Partial<PriceNews>[]): NoticeFacts['price_change'] => {
  const mug = { from: '2026-11-30T18:30:00+00:00', to: null, count: 1, examples: [MUG] };
  return { changes: changes.map((one) => ({ ...mug, ...one })) };
};

/** A notice with the title of its part of the golden file. */
const notice = <Name extends keyof NoticeFacts>(title: string, name: Name, fact: NoticeFacts[Name]) =>
  [title, () => NOTICE_TEXTS[name](fact, CONTEXT)] as const;

/** For each title: the subject, the page and the lines. */
const GOLDEN = new Map(
  readFileSync(new URL('golden/notices.txt', import.meta.url), 'utf8')
    .split(/^== /m)
    .slice(1)
    .map((part) => part.trimEnd().split('\n'))
    .map(([title, ...lines]) => [title!, lines]),
);

const NOTICES = [
  notice('due orders', 'payment_due', { ...DUE, count: 22 }),
  notice('one due order', 'payment_due', { ...DUE, count: 1, numbers: ['WO-1'] }),
  notice('a top-up', 'money', money({})),
  notice('a payment that left an order unpaid', 'money', money({ orders: 5, paid: 3, waiting: ['WO-5'] })),
  notice('a payment that was given up', 'money', money({ status: 'given_up', orders: 1, waiting: ['WO-5'] })),
  notice('a confirmed transfer', 'money', money(CONFIRMED)),
  notice('a transfer of another amount', 'money', money({ ...CONFIRMED, reason: 'bank charges' })),
  notice('a confirmed cheque', 'money', money({ ...CONFIRMED, utr: 'CHEQUE 123456 HDFC' })),
  notice('a refused transfer', 'money', money({ ...CONFIRMED, status: 'refused', reason: 'it never came' })),
  notice('two payments', 'money', money({}, { amount: '1.00' })),
  notice('failing calls', 'calls_failing', {
    failed: 59,
    all: 60,
    codes: ['invalid_token'],
    hour: new Date('2026-11-20T08:00:00Z'),
  }),
  notice('new prices for a time', 'price_change', prices({ count: 7, to: '2026-12-31T18:30:00+00:00' })),
  notice('two changes of prices', 'price_change', prices({ count: 1_000 }, { examples: [DISCOUNT] })),
  notice('an accepted return', 'return_answered', { answers: [ACCEPTED] }),
  notice('a refused return', 'return_answered', { answers: [REFUSED] }),
  notice('a partly received return', 'return_answered', { answers: [PARTLY] }),
  notice('two returns', 'return_answered', { answers: [REFUSED, ACCEPTED] }),
  notice('refunds', 'refund', { count: 21, total: '90.00', numbers: ['WO-1: broken'] }),
  notice('a suspension', 'suspended', { at: NEW_YEAR, reason: 'Two cheques bounced' }),
  notice('the end of a subscription', 'subscription_ends', { plan: 'Growth', endsAt: NEW_YEAR }),
  notice('a reported transfer', 'transfer_reported', { ...SOME, total: '5.00' }),
  notice('a requested return', 'return_requested', SOME),
  notice('payments to check', 'payment_to_check', {
    count: 2,
    payments: [{ client: 'Anaya', amount: '5.00', concern: 'no_answer' }],
  }),
  notice('low stock', 'low_stock', SOME),
  notice('a failed job', 'job_failed', SOME),
];

describe('A notice', () => {
  it.each(NOTICES)('of %s has the words of its golden file', (title, textOf) => {
    const { subject, page, lines } = textOf();
    expect([subject, page, ...lines]).toEqual(GOLDEN.get(title));
  });
});
