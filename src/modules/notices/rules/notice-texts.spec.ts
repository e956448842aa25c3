import { type MoneyNews, NOTICE_TEXTS, type PriceNews, type NoticeContext } from './notice-texts.js';

const CONTEXT: NoticeContext = { currency: 'INR', timeZone: 'Asia/Kolkata' };

describe('A notice', () => {
  it('of due orders says how many, how much, until when, and names the first ones', () => {
    const fact = {
      count: 22,
      total: '45000.50',
      numbers: ['WO-1 (A-1)', 'WO-2'],
      firstDueAt: new Date('2026-11-20T20:00:00Z'),
    };
    const { subject, lines, page } = NOTICE_TEXTS.payment_due(fact, CONTEXT);
    expect(subject).toBe('22 orders need payment within a day');
    expect(lines).toEqual([
      'Pay 22 orders, ₹45,000.50 in all. The service cancels orders that are not paid in time.',
      'The first one is due on 21 Nov 2026, 01:30 (GMT+5:30).',
      '',
      '  WO-1 (A-1)',
      '  WO-2',
      '  and 20 more',
    ]);
    expect(page).toBe('/dashboard/orders?group=to_pay');
    const one = { ...fact, count: 1, numbers: ['WO-1'] };
    expect(NOTICE_TEXTS.payment_due(one, CONTEXT).subject).toBe('1 order needs payment within a day');
    expect(NOTICE_TEXTS.payment_due(one, CONTEXT).lines.slice(-2)).toEqual(['', '  WO-1']);
  });

  const news = (changes: Partial<MoneyNews>): MoneyNews => ({
    amount: '500.00',
    utr: null,
    status: 'paid',
    reason: null,
    orders: 0,
    paid: 0,
    waiting: [],
    ...changes,
  });

  it.each<[string, Partial<MoneyNews>, string, string]>([
    ['a top-up', {}, '₹500.00 arrived in your wallet', '₹500.00 arrived in your wallet.'],
    [
      'a payment that left an order unpaid',
      { orders: 5, paid: 3, waiting: ['WO-5'] },
      '₹500.00 arrived in your wallet',
      '₹500.00 arrived in your wallet. It paid 3 of 5 orders. Still unpaid: WO-5.',
    ],
    [
      'a payment that was not finished',
      { status: 'given_up', orders: 1, waiting: ['WO-5'] },
      'A payment of ₹500.00 was not finished',
      'A payment of ₹500.00 was not finished within an hour and is given up. No money has arrived. ' +
        'Still unpaid: WO-5.',
    ],
    [
      'a confirmed transfer',
      { status: 'confirmed', utr: 'AXIS1' },
      '₹500.00 arrived in your wallet',
      'Your bank transfer of ₹500.00 (UTR AXIS1) arrived in your wallet.',
    ],
    [
      'a transfer of another amount',
      { status: 'confirmed', utr: 'AXIS1', reason: 'bank charges' },
      '₹500.00 arrived in your wallet',
      'Your bank transfer of ₹500.00 (UTR AXIS1) arrived in your wallet. You had reported another amount: ' +
        'bank charges',
    ],
    [
      'a confirmed cheque',
      { status: 'confirmed', utr: 'CHEQUE 123456 HDFC' },
      '₹500.00 arrived in your wallet',
      'Your payment of ₹500.00 (cheque 123456 HDFC) arrived in your wallet.',
    ],
    [
      'a refused transfer',
      { status: 'refused', utr: 'AXIS1', reason: 'it never came' },
      'A transfer of ₹500.00 was refused',
      'Your bank transfer of ₹500.00 (UTR AXIS1) was refused: it never came',
    ],
  ])('of %s has its words', (_, changes, subject, line) => {
    expect(NOTICE_TEXTS.money({ news: [news(changes)] }, CONTEXT)).toEqual({
      subject,
      lines: [line],
      page: '/dashboard/wallet',
    });
  });

  it('of several payments has a line for each', () => {
    const { subject, lines } = NOTICE_TEXTS.money({ news: [news({}), news({ amount: '1.00' })] }, CONTEXT);
    expect([subject, lines.length]).toEqual(['The results of 2 payments', 2]);
  });

  it('of failing calls says the share and the count', () => {
    const fact = { failed: 59, all: 60, codes: ['invalid_token'], hour: new Date('2026-11-20T08:00:00Z') };
    const { subject, lines } = NOTICE_TEXTS.calls_failing(fact, CONTEXT);
    expect(subject).toBe('98 % of your store’s calls fail');
    expect(lines[0]).toBe('59 of 60 calls failed in the hour from 20 Nov 2026, 13:30 (GMT+5:30).');
  });

  const priceNews = (changes: Partial<PriceNews> = {}): PriceNews => ({
    from: '2026-11-30T18:30:00+00:00',
    to: null,
    count: 1,
    examples: [{ sku: 'MUG', name: 'Mug', old: '80.00', new: '72.50' }],
    ...changes,
  });

  it('of new prices says from when, and names the first ones', () => {
    const change = priceNews({ count: 7, to: '2026-12-31T18:30:00+00:00' });
    const { subject, lines, page } = NOTICE_TEXTS.price_change({ changes: [change] }, CONTEXT);
    expect(subject).toBe('Prices change on 1 Dec 2026');
    expect(lines).toEqual([
      'From 1 Dec 2026, 00:00 (GMT+5:30) until 1 Jan 2027, 00:00 (GMT+5:30):',
      '',
      '  MUG Mug: ₹80.00 → ₹72.50',
      '  and 6 more',
    ]);
    expect(page).toBe('/dashboard/plan#prices');
  });

  it('of an accepted return says where and until when to send it, of a refused one why', () => {
    const accepted = { number: 'RT-1', order: 'WO-1', sendTo: 'Acme\nPune', sendBy: '2026-12-12' };
    const refused = {
      number: 'RT-2',
      order: 'WO-2',
      sendTo: null,
      state: 'refused',
      reason: 'worn',
    } as const;
    const received = { ...refused, state: 'partly_received', reason: null } as const;
    const one = NOTICE_TEXTS.return_answered({ answers: [accepted] }, CONTEXT);
    expect(one).toEqual({
      subject: 'The return RT-1 is accepted',
      lines: [
        'The return RT-1 of WO-1 is accepted.',
        'Send the goods by 12 Dec 2026 to:',
        '',
        '  Acme',
        '  Pune',
      ],
      page: '/dashboard/orders/WO-1',
    });
    const other = NOTICE_TEXTS.return_answered({ answers: [refused] }, CONTEXT);
    expect(other.subject).toBe('The return RT-2 is refused');
    const { subject, lines } = NOTICE_TEXTS.return_answered({ answers: [received] }, CONTEXT);
    expect([subject, ...lines]).toEqual([
      'The return RT-2 is partly received',
      'The return RT-2 of WO-2 is partly received.',
    ]);
    const both = NOTICE_TEXTS.return_answered({ answers: [refused, accepted] }, CONTEXT);
    expect(both.subject).toBe('2 returns are answered');
    expect(both.lines).toEqual(['The return RT-2 of WO-2 is refused: worn', '', ...one.lines]);
  });

  it('of a refund, a suspension and the end of a subscription says what a client must know', () => {
    const at = new Date('2026-12-31T18:30:00Z');
    const texts = [
      NOTICE_TEXTS.refund({ count: 21, total: '90.00', numbers: ['WO-1: broken'] }, CONTEXT),
      NOTICE_TEXTS.suspended({ at, reason: 'Two cheques bounced' }, CONTEXT),
      NOTICE_TEXTS.subscription_ends({ plan: 'Growth', endsAt: at }, CONTEXT),
    ];
    expect(texts).toEqual([
      {
        subject: '₹90.00 came back to your wallet',
        lines: ['21 refunds, ₹90.00 in all:', '', '  WO-1: broken', '  and 20 more'],
        page: '/dashboard/wallet',
      },
      {
        subject: 'Your access is suspended',
        lines: [
          'The wholesaler suspended your access on 1 Jan 2027, 00:00 (GMT+5:30).',
          'The reason: Two cheques bounced',
          'Every call of your store is refused. This page says how to reach the wholesaler:',
        ],
        page: '/dashboard/help',
      },
      {
        subject: 'Your subscription ends on 1 Jan 2027',
        lines: [
          'Your subscription to Growth ends on 1 Jan 2027, 00:00 (GMT+5:30).',
          'After that your store can place no orders. Ask the wholesaler to extend it.',
        ],
        page: '/dashboard/plan',
      },
    ]);
  });

  it('of the desk names what waits, and its page', () => {
    const some = { count: 1, numbers: ['X'] };
    const payments = [{ client: 'Anaya', amount: '5.00', concern: 'no_answer' as const }];
    const texts = [
      NOTICE_TEXTS.transfer_reported({ ...some, total: '5.00' }, CONTEXT),
      NOTICE_TEXTS.return_requested(some, CONTEXT),
      NOTICE_TEXTS.payment_to_check({ count: 2, payments }, CONTEXT),
      NOTICE_TEXTS.low_stock(some, CONTEXT),
      NOTICE_TEXTS.job_failed(some, CONTEXT),
    ];
    expect(texts.map(({ subject, lines, page }) => [subject, lines[0], lines.at(-1), page])).toEqual([
      [
        '1 bank transfer to confirm',
        'Clients report ₹5.00. Compare with your bank statement.',
        '  X',
        '/desk/money',
      ],
      ['1 return is requested', 'Clients want to send goods back:', '  X', '/desk/returns'],
      [
        '2 payments need a person',
        'What the payment gateway says is not as it was asked for:',
        '  and 1 more',
        '/desk/money/payments',
      ],
      ['Low stock: 1 product', 'Fewer are for sale than the threshold says:', '  X', '/desk/goods/low'],
      [
        '1 background job failed',
        'The service tries again. Its log has the reasons. Failed jobs:',
        '  X',
        '/desk',
      ],
    ]);
    expect(texts[2]!.lines).toContain('  Anaya, ₹5.00: the gateway has not answered for days');
  });

  it('of several changes has a part for each, and counts no more than it must', () => {
    const discount = { sku: null, name: null, old: '10.00', new: '12.50' };
    const changes = [priceNews({ count: 1_000 }), priceNews({ examples: [discount] })];
    const { subject, lines } = NOTICE_TEXTS.price_change({ changes }, CONTEXT);
    expect(subject).toBe('Prices change: 2 changes');
    expect(lines).toEqual([
      'From 1 Dec 2026, 00:00 (GMT+5:30):',
      '',
      '  MUG Mug: ₹80.00 → ₹72.50',
      '  and many more',
      '',
      'From 1 Dec 2026, 00:00 (GMT+5:30):',
      '',
      '  Your discount: 10 % → 12.5 %',
    ]);
  });
});
