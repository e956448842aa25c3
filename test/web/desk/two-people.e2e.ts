import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { OrderReturnsService } from '../../../src/modules/fulfilment/returns/order-returns.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { SETTINGS, type Settings } from '../../../src/platform/settings/settings.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { given } from '../../support/given.js';
import { moveOrder } from '../../support/order-steps.js';
import { headline, hiddenFields, linkOf, readable, rows } from '../../support/page-text.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { type FormValues, type SignedIn, signInAtDesk } from '../../support/sign-in.js';
import { givenTestApp } from '../../support/test-app.js';

const FROM = 1000;

/** What a deed begins with: where its form is sent, and its fields. */
interface Begun {
  path: string;
  fields: FormValues;
}

describe('Deeds about money that need two people', () => {
  const test = givenTestApp({ twoPeopleFrom: FROM });
  let [asha, binod, chitra]: SignedIn<DeskPerson>[] = [];
  const staff = given(() => signInAtDesk(test, 'staff'));
  let store: Store;
  beforeAll(async () => {
    const taxed = { hsn: '691200', gstRate: '18', unit: 'PCS', stock: 1000 };
    await test.fixtures.products([
      { sku: 'LAMP', name: 'Lamp', basePrice: '1000.00', ...taxed },
      { sku: 'MUG', name: 'Mug', basePrice: '999.99', ...taxed },
    ]);
    await test.fixtures.seller();
  });
  beforeEach(async () => {
    store = await test.fixtures.store({ state: '29' });
    [asha, binod, chitra] = await Promise.all([1, 2, 3].map(() => signInAtDesk(test)));
  });
  afterEach(async () => {
    Object.assign(test.app.get<Settings>(SETTINGS), { twoPeopleFrom: FROM });
    expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });

  const desk = () => test.app.get(OrderDeskService, { strict: false });
  const actor = ({ person }: SignedIn<DeskPerson>) => `person ${person.id} (${person.email})`;
  const fill = (amount = '5000') =>
    test.app.get(WalletService, { strict: false }).adjust(store.clientId, amount, 'for a test', 'test');
  const order = async (sku = 'LAMP', ...steps: ('pay' | 'ship')[]) => {
    const number = await test.place(store, [{ sku, quantity: 1 }]);
    await moveOrder(test, store, number, ...steps);
    return number;
  };
  const on = (number: string, action: string, fields: FormValues): Begun => ({
    path: `/desk/orders/${number}/${action}`,
    fields,
  });
  const payment = (number: string) => on(number, 'pay', { method: 'UPI', reference: 'UPI 123' });
  const refund = (number: string, amount: string) =>
    on(number, 'refund', { kind: 'amount', amount, reason: 'late' });
  const correction = (amount: string): Begun => ({
    path: `/desk/clients/${store.clientId}/wallet/adjust`,
    fields: { amount, reason: 'goodwill' },
  });

  /** Entries of the deeds of these people, without what they only proposed. */
  const deeds = async () => {
    const { rows: found } = await test.pool.query<{ action: string; actor: string; by: string | null }>(
      `SELECT action, actor, details ->> 'proposed_by' AS by FROM audit_log
        WHERE actor = ANY ($1) ORDER BY id`,
      [[asha!, binod!, chitra!, staff].map(actor)],
    );
    return found;
  };
  /** The review that a person sees. */
  const review = async ({ path, fields }: Begun, who = asha!) => {
    const { text } = await who.post(path, fields).expect(200);
    return { text, words: readable(text), sent: hiddenFields(text) };
  };
  const propose = async (begun: Begun, who = asha!) => {
    const { sent } = await review(begun, who);
    const { headers } = await who.post(begun.path, { ...sent, step: 'propose' }).expect(303);
    expect(headers.location).toMatch(/^\/desk\/proposals\/\d+$/);
    return headers.location!;
  };
  const page = async (path: string, who = binod!) => {
    const { text } = await who.get(path).expect(200);
    return { text, title: headline(text), words: readable(text) };
  };
  const noticeOf = ({ headers }: { headers: Record<string, unknown> }) =>
    Buffer.from(/notice=([\w-]+)/.exec(String(headers['set-cookie']))![1]!, 'base64url').toString();
  /** What the page of the proposal sends, as a second person does. */
  const open = async (proposal: string) => hiddenFields((await page(proposal)).text);

  const DEEDS: [name: string, action: string, begin: () => Promise<Begun>][] = [
    ['a recorded payment', 'order.paid', async () => payment(await order())],
    [
      'paid goods that are cancelled',
      'order.cancelled',
      async () => on(await order('LAMP', 'pay'), 'cancel', { line_1: '1', reason: 'sold out' }),
    ],
    ['a refund', 'order.refunded', async () => refund(await order('LAMP', 'pay', 'ship'), '1000')],
    [
      'a refund that is taken back',
      'order.refund_taken_back',
      async () => {
        const number = await order('LAMP', 'pay', 'ship');
        await desk().refund(number, 'test', { amount: '1000', reason: 'late' });
        return on(number, 'take-back', { refund: '1', amount: '', reason: 'was in time' });
      },
    ],
    [
      'an invoice that is issued again',
      'order.invoice_issued_again',
      async () => {
        const number = await order('LAMP', 'pay', 'ship');
        await test.pool.query(`UPDATE clients SET name = 'Lotus LLP' WHERE id = $1`, [store.clientId]);
        return on(number, 'reissue', { parcel: '1', reason: 'wrong name' });
      },
    ],
    [
      'a return with a refund',
      'order.refunded',
      async () => {
        const asked = { lines: [{ line: 1, quantity: 1 }], reason: 'Wrong item', key: 'r' };
        const returns = test.app.get(OrderReturnsService, { strict: false });
        const { number } = await returns.add(await order('LAMP', 'pay', 'ship'), asked, 'test');
        const fields = { line_1: '1', restock_1: '1', refund: 'yes', note: '' };
        return { path: `/desk/returns/${number}/receive`, fields };
      },
    ],
    ['money into a wallet', 'wallet.adjusted', async () => correction('1,000')],
    [
      'money out of a wallet',
      'wallet.adjusted',
      async () => {
        await fill();
        return correction('-1000');
      },
    ],
    [
      'money sent back through the gateway',
      'payment.refunded',
      async () => {
        const browser = new SandboxBrowser(test);
        const paid = await (await Buyer.of(test, store.clientId)).topUp('1000');
        await browser.comeBack(await browser.press(paid, 'pay'));
        return { path: `/desk/money/payments/${paid.paymentId}/refund`, fields: { amount: '' } };
      },
    ],
  ];

  it.each(DEEDS)(
    '%s of the whole amount is proposed by one and done by another, once',
    async (_, action, begin) => {
      const begun = await begin();
      const { path } = begun;
      const { text, sent } = await review(begun);
      expect(text).toContain('Ask another person');
      expect(readable(text)).toContain(
        'An amount this high needs two people. This is what another one will do:',
      );
      expect(text).not.toContain('value="confirm"');
      const direct = await asha!.post(path, { ...sent, step: 'confirm' }).expect(409);
      expect(readable(direct.text)).toContain('An amount this high needs two people');
      const proposal = await propose(begun);

      const own = await page(proposal, asha);
      expect(own.words).toContain('Withdraw');
      expect(own.text).not.toContain('See what it does');
      const form = await open(proposal);
      for (const step of ['', 'confirm']) {
        const answer = await asha!
          .post(path, { ...form, step })
          .expect(303)
          .expect('Location', proposal);
        expect(noticeOf(answer)).toContain('You proposed this. Another person must do it.');
      }
      expect(await deeds()).toEqual([]);

      const seen = await review({ path, fields: form }, binod);
      expect(seen.words).toMatch(new RegExp(`Proposed [^<]* by ${asha!.person.email}`));
      const both = [binod!, chitra!];
      const answers = await Promise.all(
        both.map((who) => who.post(path, { ...seen.sent, step: 'confirm' }).expect(303)),
      );
      const won = answers.map((answer) => noticeOf(answer).includes('"accent"'));
      expect(won.filter(Boolean)).toHaveLength(1);
      const winner = both[won.indexOf(true)]!;
      await winner.post(path, { ...seen.sent, step: 'confirm' });
      const done = { actor: actor(winner), by: actor(asha!) };
      expect((await deeds()).filter((one) => one.action === action)).toEqual([{ action, ...done }]);
      expect(new Set((await deeds()).map((one) => one.actor))).toEqual(new Set([done.actor]));
      expect((await page(proposal)).words).toMatch(new RegExp(`: done .* Done .* by ${winner.person.email}`));
    },
  );

  it.each([
    ['a paisa less', () => order('MUG'), {}],
    ['the setting off', () => order(), { twoPeopleFrom: undefined }],
  ])('%s is done by one person at once', async (_, make, setting) => {
    Object.assign(test.app.get<Settings>(SETTINGS), setting);
    const begun = payment(await make());
    const { text, sent } = await review(begun);
    expect(text).not.toContain('Ask another person');
    await asha!.post(begun.path, { ...sent, step: 'confirm' }).expect(303);
    expect(await deeds()).toEqual([{ action: 'order.paid', actor: actor(asha!), by: null }]);
  });

  it('are all of them, from the amount 0 on', async () => {
    Object.assign(test.app.get<Settings>(SETTINGS), { twoPeopleFrom: 0 });
    expect((await review(correction('0.01'))).text).toContain('Ask another person');
  });

  it('are refused with a reason, or withdrawn, and can be proposed again', async () => {
    const begun = payment(await order());
    const refused = await propose(begun);
    const { sent } = await review(begun);
    const twice = await asha!.post(begun.path, { ...sent, step: 'propose' }).expect(409);
    expect(readable(twice.text)).toContain('A proposal about this waits already.');
    const form = await open(refused);
    const without = await binod!.post(`${refused}/end`, { reason: ' ' }).expect(422);
    expect(readable(without.text)).toContain('The reason must not be empty.');
    await binod!.post(`${refused}/end`, { reason: 'no such UPI payment' }).expect(303);
    expect((await page(refused, asha)).words).toMatch(/: refused .* Reason no such UPI payment/);
    const late = await binod!.post(begun.path, { ...form, step: 'confirm' }).expect('Location', refused);
    expect(noticeOf(late)).toContain('The proposal was refused already.');

    const withdrawn = await propose(begun);
    await asha!.post(`${withdrawn}/end`).expect(303);
    const after = await binod!.post(`${withdrawn}/end`, { reason: 'x' }).expect(409);
    expect(readable(after.text)).toContain('The proposal was withdrawn already.');
    expect(await deeds()).toEqual([]);
    const list = await page('/desk/proposals?state=all', staff);
    expect(rows(list.text).slice(0, 2)).toEqual([
      expect.stringMatching(/^Record a payment of WO-\S+ by admin-\S+ just now Withdrawn ₹1,000.00$/),
      expect.stringMatching(/^Record a payment of WO-\S+ by admin-\S+ just now Refused ₹1,000.00$/),
    ]);
  });

  it('are done as they were proposed: no other field, no other order, no lower role', async () => {
    const proposal = await propose(correction('1000'));
    const form = await open(proposal);
    const { path } = correction('1000');
    for (const change of [{ amount: '9000.00' }, { more: 'x' }] as FormValues[]) {
      const answer = await binod!.post(path, { ...form, ...change, step: 'confirm' }).expect(303);
      expect(noticeOf(answer)).toContain('The form is not the one that was proposed.');
    }
    const other = await test.fixtures.store();
    const elsewhere = path.replace(String(store.clientId), String(other.clientId));
    await binod!
      .post(elsewhere, { ...form, step: 'confirm' })
      .expect(303)
      .expect('Location', proposal);
    await staff.post(path, { ...form, step: 'confirm' }).expect(403);
    const seen = await page(proposal, staff);
    expect(seen.words).toContain('another person with the role admin');
    expect(seen.text).not.toMatch(/See what it does|Refuse it/);
    const refusal = await staff.post(`${proposal}/end`, { reason: 'x' }).expect(403);
    expect(readable(refusal.text)).toContain('Only admins can do this.');
    await binod!.get('/desk/proposals/999999').expect(404);
    expect(await deeds()).toEqual([]);
  });

  it('are not done over a newer change, and say so', async () => {
    const number = await test.place(store, [{ sku: 'LAMP', quantity: 2 }]);
    await moveOrder(test, store, number, 'pay');
    const begun = refund(number, '1000');
    const { sent } = await review(begun);
    await desk().refund(number, 'test', { amount: '0.01', reason: 'late' });
    const stale = await asha!.post(begun.path, { ...sent, step: 'propose' }).expect(409);
    expect(readable(stale.text)).toContain('Something changed meanwhile.');
    const wallet = await propose(correction('1000'));
    const paid = await propose(payment(await order()));
    await fill('1');
    for (const [proposal, words] of [
      [wallet, 'Something changed meanwhile.'],
      [paid, 'An order that is pending cannot be paid.'],
    ] as const) {
      const { text } = await page(proposal);
      const path = /action="([^"]*)"/g;
      const action = [...text.matchAll(path)].map(([, to]) => to!).find((to) => /adjust|pay$/.test(to))!;
      if (proposal === paid) await desk().pay(action.split('/')[3]!, 'test', { method: 'Cash' });
      const answer = await binod!.post(action, hiddenFields(text)).expect(303).expect('Location', proposal);
      expect(noticeOf(answer)).toContain(words);
      await binod!.post(action, { ...hiddenFields(text), step: 'confirm' }).expect(303);
    }
    expect(await deeds()).toEqual([]);
  });

  it('are a transfer that one person records and another confirms', async () => {
    const record = async (sent: string, utr: string) => {
      const report = { client: String(store.clientId), sent, utr, payer: '' };
      return (await asha!.post('/desk/money/transfers', report).expect(303)).headers.location!;
    };
    const transfer = await record('1000', 'UTR000000000001');
    expect((await page(transfer, asha)).words).toContain('You recorded this transfer.');
    await asha!.post(`${transfer}/confirm`, { payer: 'x' }).expect(303).expect('Location', transfer);
    expect(await deeds()).toMatchObject([{ action: 'transfer.announced' }]);
    await binod!.post(`${transfer}/confirm`, { payer: 'x' }).expect(303).expect('Location', '/desk/money');
    const less = await record('999.99', 'UTR000000000002');
    expect((await page(less, asha)).words).not.toContain('You recorded this transfer.');
    await asha!.post(`${less}/confirm`, { payer: 'x' }).expect(303).expect('Location', '/desk/money');
  });

  it('wait on the first page for the people who may decide', async () => {
    const tile = async (who: SignedIn<DeskPerson>) =>
      Number(/Proposals to decide (\d+)/.exec((await page('/desk', who)).words)![1]);
    const before = await Promise.all([tile(asha!), tile(binod!), tile(staff)]);
    await propose(payment(await order()));
    await propose(correction('1000'));
    const after = await Promise.all([tile(asha!), tile(binod!), tile(staff)]);
    expect(after.map((count, at) => count - before[at]!)).toEqual([0, 2, 1]);
    expect(linkOf((await page('/desk', staff)).text, 'Proposals to decide')).toBe('/desk/proposals');
  });
});
