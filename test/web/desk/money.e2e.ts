import { randomUUID } from 'node:crypto';
import { unzipSync } from 'fflate';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { monthAt } from '../../../src/platform/time/time.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { Buyer } from '../../support/buyer.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { headline, hiddenFields, linkOf, noticeIn, readable, rows } from '../../support/page-text.js';
import type { OutcomeName } from '../../support/sandbox-checkout.js';
import { SandboxBrowser } from '../../support/sandbox-browser.js';
import { type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { VouchersRepository } from '../../../src/modules/sales/vouchers/vouchers.repository.js';
import { addDays, dayAt } from '../../../src/platform/time/time.js';
import { setUpTestApp } from '../../support/test-app.js';

const MONEY = '/desk/money';

describe('Money at the desk', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  const admin = makeBeforeAll(() => signInAtDesk(test, 'admin'));
  const staff = makeBeforeAll(() => signInAtDesk(test, 'staff'));
  let store: Store;
  let made = 0;
  beforeEach(async () => {
    store = await test.fixtures.store({ name: `Store ${++made}` });
  });
  afterEach(async () => {
    await test.pool
      .query(`UPDATE bank_transfers SET status = 'withdrawn', decided_at = now(), decided_by = 'test'
                            WHERE status = 'announced'`);
    expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });

  const wallets = () => test.app.get(WalletService, { strict: false });
  const transfers = () => test.app.get(BankTransfersService, { strict: false });
  const balance = async (of = store) => (await wallets().show(of.clientId)).balance;
  const utr = () => `N${String(++made).padStart(15, '0')}`;
  const announce = async (amount: string, { of = store, number = utr(), payer = '' } = {}) =>
    (await transfers().announce(of.clientId, amount, number, 'test', payer)).transfer_id;
  const page = async (path: string, by: Pick<SignedIn, 'get'> = staff) => {
    const { text } = await by.get(path).expect(200);
    return { text, title: headline(text), words: readable(text), rows: rows(text) };
  };
  const audited = (subject: string) =>
    test.audited('action, actor, client_id, person_id, address, details', 'subject = $1', subject);

  describe('Transfers', () => {
    it('are listed with the payer beside the client, until one is confirmed into the wallet', async () => {
      await wallets().adjust(store.clientId, '100', 'for a test', 'test');
      const number = utr();
      const id = await announce('500', { number, payer: 'Asha Traders' });
      const list = await page(MONEY);
      expect(list.title).toBe('2 transfers wait to be confirmed');
      expect(list.words).toContain('₹577.00 in all.');
      expect(list.rows).toEqual([
        expect.stringMatching(
          `^Store \\d+ Account of Asha Traders ${number} just now by test To confirm ₹500.00$`,
        ),
        expect.stringMatching(/^NEIGHBOUR-1 UTRNEIGHBOUR1A .* To confirm ₹77.00$/),
      ]);
      const one = await page(linkOf(list.text, 'Store'));
      expect(one.words).toContain('Account holder, as recorded Asha Traders');
      expect(one.words).toContain('In the wallet now ₹100.00 As recorded +₹500.00');
      expect(one.words).toContain('Afterwards, if all of it arrived ₹600.00');

      const path = `${MONEY}/transfers/${id}`;
      await staff
        .post(`${path}/confirm`, { payer: 'ASHA TRADERS PVT' })
        .expect(303)
        .expect('Location', MONEY);
      expect(await balance()).toBe(600);
      const actor = `person ${staff.person.id} (${staff.person.email})`;
      expect(await audited(`transfer ${id}`)).toEqual([
        expect.objectContaining({ action: 'transfer.announced' }),
        {
          action: 'transfer.confirmed',
          actor,
          client_id: store.clientId,
          person_id: staff.person.id,
          address: expect.stringContaining('127.0.0.1'),
          details: { amount: 500, utr: number, payer: 'Asha Traders', received_from: 'ASHA TRADERS PVT' },
        },
      ]);
      const decided = await page(path);
      expect(decided.words).toContain('Payer on your bank statement ASHA TRADERS PVT');
      expect(decided.words).toMatch(new RegExp(`Confirmed \\d.*by ${staff.person.email}`));
      expect(decided.text).not.toContain('<form method="post" class="form"');
      expect((await page(MONEY)).title).toBe('1 transfer waits to be confirmed');
    });

    it('are credited once if two people confirm at once, and the second sees who did', async () => {
      const path = `${MONEY}/transfers/${await announce('500')}`;
      const answers = await Promise.all(
        [staff, admin].map((by) => by.post(`${path}/confirm`, { payer: 'x' }).expect(303)),
      );
      expect(await balance()).toBe(500);
      expect(answers.map(({ headers }) => headers.location as string).toSorted()).toEqual([MONEY, path]);
      const late = await admin.post(`${path}/refuse`, { reason: 'not there' }).expect(303);
      expect(noticeIn(late.headers)).toContain('Nothing was changed. The transfer is already confirmed.');
      expect(await balance()).toBe(500);
    });

    it('are confirmed with another amount and a reason, which the client reads', async () => {
      const id = await announce('500');
      const path = `${MONEY}/transfers/${id}`;
      const typed = { payer: 'ASHA', amount: '490', difference: '' };
      const repeated = await staff.post(`${path}/confirm`, typed).expect(422);
      expect(readable(repeated.text)).toContain('The reason for another amount must not be empty.');
      await staff.post(`${path}/confirm`, { ...typed, difference: 'bank charges' }).expect(303);
      expect(await balance()).toBe(490);
      expect((await page(path)).words).toContain('Amount received ₹490.00');
      const owner = await signIn(test, store.clientId);
      expect((await page('/dashboard/wallet', owner)).words).toContain(
        'reported ₹500.00, received ₹490.00: bank charges',
      );
    });

    it('are refused with a reason that the client reads', async () => {
      const id = await announce('500');
      const path = `${MONEY}/transfers/${id}/refuse`;
      const repeated = await staff.post(path, { reason: ' ' }).expect(422);
      expect(readable(repeated.text)).toContain('The reason must not be empty.');
      await staff.post(path, { reason: 'not on our statement' }).expect(303);
      expect(await balance()).toBe(0);
      const owner = await signIn(test, store.clientId);
      expect((await page('/dashboard/wallet', owner)).words).toContain('not on our statement');
      expect(await audited(`transfer ${id}`)).toMatchObject([
        { action: 'transfer.announced' },
        { action: 'transfer.refused', details: { amount: 500, reason: 'not on our statement' } },
      ]);
    });

    it('are recorded for a client that did not report one, then confirmed', async () => {
      const number = utr();
      const report = { client: String(store.clientId), sent: '1,500.50', utr: number, payer: 'Asha Traders' };
      const record = (change = {}) => staff.post(`${MONEY}/transfers`, { ...report, ...change });
      expect((await page(MONEY)).text).toContain(`${MONEY}/transfers/new`);
      expect((await page(`${MONEY}/transfers/new`)).words).toContain('did not report');
      const wrong = await record({ client: 'nobody', sent: 'much' }).expect(422);
      expect(readable(wrong.text)).toMatch(/no client/i);
      const amount = await record({ sent: 'much', utr: '1' }).expect(422);
      expect(amount.text.match(/class="fault"/g)).toHaveLength(2);
      const { headers } = await record().expect(303);
      const repeated = await record().expect(422);
      expect(readable(repeated.text)).toContain('Was reported before: confirm that one');
      expect(await balance()).toBe(0);
      const id = headers.location!.split('/').at(-1);
      expect(linkOf(repeated.text, `Transfer ${id}`)).toBe(`${MONEY}/transfers/${id}`);
      expect(await audited(`transfer ${id}`)).toMatchObject([
        { action: 'transfer.announced', actor: `person ${staff.person.id} (${staff.person.email})` },
      ]);
      await staff.post(`${headers.location}/confirm`, { payer: 'Asha Traders' }).expect(303);
      expect(await balance()).toBe(1500.5);
      expect(readable((await record().expect(422)).text)).toContain('Was confirmed before');
    });

    it('are recorded of a cheque or cash too, with a reference that counts once', async () => {
      const other = await test.fixtures.store({ name: 'Other store' });
      const cheque = { sent: '500', kind: 'cheque', utr: '123456 hdfc', payer: '' };
      const record = (change = {}, of = store) =>
        staff.post(`${MONEY}/transfers`, { client: String(of.clientId), ...cheque, ...change });
      expect((await page(`${MONEY}/transfers/new`)).words).toContain('number and bank, such as 123456 HDFC');
      const bare = await record({ utr: '123456' }).expect(422);
      expect(readable(bare.text)).toContain('The number of the cheque and its bank, such as 123456 HDFC');
      const { headers } = await record().expect(303);
      const id = headers.location!.split('/').at(-1)!;
      expect(noticeIn(headers)).toContain('The cheque is recorded.');
      const { words: waits } = await page(headers.location!);
      expect(waits).toContain('Reference CHEQUE 123456 HDFC');
      expect(waits).toMatch(/Payer on the cheque .*Amount on the cheque .*Confirm the cheque/);
      expect(waits).not.toMatch(/transfer again|statement/);
      expect(readable((await record().expect(422)).text)).toContain('Was reported before: confirm that one');
      const spelled = await record({ utr: '0123456 HDFC Bank' }).expect(422);
      expect(readable(spelled.text)).toContain('Has the number, bank and amount of CHEQUE 123456 HDFC');
      await record({ utr: '0123456 HDFC Bank', sent: '499' }).expect(303);
      const same = await record({}, other).expect(422);
      expect(readable(same.text)).toContain('Is of another client. If this is different money, add more');
      expect(linkOf(same.text, `Transfer ${id}`)).toBe(`${MONEY}/transfers/${id}`);
      await record({ utr: '123456 SBI' }).expect(303);
      const unlike = await record({ utr: '123456 HDFC Pune 4711' }, other).expect(303);
      await staff.post(`${headers.location}/confirm`, { payer: 'x' }).expect(303);
      await staff.post(`${unlike.headers.location}/confirm`, { payer: 'x' }).expect(303);
      const cash = await record({ kind: 'cash', utr: 'R-17', sent: '70' }).expect(303);
      const { words: counted } = await page(cash.headers.location!);
      expect(counted).toMatch(/Payer Recorded: Store.*Confirm the cash/);
      await staff.post(`${cash.headers.location}/confirm`, { payer: 'x' }).expect(303);
      expect([await balance(), await balance(other)]).toEqual([570, 500]);
      expect((await page(`${MONEY}?status=all&utr=123456+hdfc`)).rows).toHaveLength(3);
      const today = dayAt(Date.now(), 'Asia/Kolkata');
      const books = test.app.get(VouchersRepository, { strict: false });
      const received = books.money({ from: addDays(today, -1), to: today, clientId: store.clientId });
      const against = [];
      for await (const { amount, against: ledger } of received) against.push([Number(amount), ledger]);
      expect(against).toEqual([
        [500, 'bank'],
        [70, 'cash'],
      ]);
      expect(readable((await record().expect(422)).text)).toContain('Was confirmed before');
      const owner = await signIn(test, store.clientId);
      const { words } = await page('/dashboard/wallet', owner);
      expect(words).toContain('Cheque 123456 SBI');
      expect(words).not.toMatch(/UTR CHEQUE|Cheque CHEQUE/);
      await owner.post(`/dashboard/wallet/transfers/${Number(id) + 2}/withdraw`, {}).expect(404);
      const report = { sent: '5', tds: '', utr: '1234 SBI', payer: '', kind: 'cheque' };
      await owner.post('/dashboard/wallet/transfers', report).expect(422);
    });

    it('that two clients claim are not confirmed before one is refused', async () => {
      const other = await test.fixtures.store({ name: 'Other store' });
      const number = utr();
      const id = await announce('500', { number });
      const second = await announce('500', { number, of: other });
      expect((await page(MONEY)).rows).toEqual([
        expect.stringContaining('Claimed twice'),
        expect.stringContaining('Claimed twice'),
      ]);
      expect((await page(`${MONEY}/transfers/${id}`)).words).toContain(
        `Another client claims this reference too: transfer ${second}`,
      );
      await staff.post(`${MONEY}/transfers/${id}/confirm`, { payer: 'x' }).expect(303);
      expect([await balance(), await balance(other)]).toEqual([0, 0]);
      await staff.post(`${MONEY}/transfers/${second}/refuse`, { reason: 'not theirs' }).expect(303);
      await staff.post(`${MONEY}/transfers/${id}/confirm`, { payer: 'x' }).expect(303);
      expect([await balance(), await balance(other)]).toEqual([500, 0]);
    });

    it('are found by a part of the UTR, and no page follows an exactly full one', async () => {
      const clients = await Promise.all(Array.from({ length: 3 }, () => test.fixtures.store()));
      for (let n = 0; n < 50; n++) await announce('1', { of: clients[n % 3]! });
      const full = await page(MONEY);
      expect(full.rows).toHaveLength(50);
      expect(full.text).not.toContain('rel="next"');
      await announce('1', { number: 'SPECIAL0000000001' });
      const first = await page(MONEY);
      expect(first.title).toBe('51 transfers wait to be confirmed');
      const second = await page(linkOf(first.text, 'Older'));
      expect(second.rows).toHaveLength(1);
      expect(second.text).not.toContain('rel="next"');
      expect((await page(`${MONEY}?utr=special`)).rows).toHaveLength(1);
      expect((await page(`${MONEY}?status=refused&utr=special`)).words).toContain('No transfer matches.');
    });
  });

  describe('Payments through the gateway', () => {
    const paid = async (amount: string, outcome: OutcomeName = 'pay') => {
      const browser = new SandboxBrowser(test);
      const payment = await (await Buyer.of(test, store.clientId)).topUp(amount);
      await browser.comeBack(await browser.press(payment, outcome));
      return `${MONEY}/payments/${payment.paymentId}`;
    };

    it('that need a person are shown with the reason, until the person notes the result', async () => {
      // Without later checks, which would find that nothing is wrong.
      const path = await paid('500', 'webhook_lost');
      const id = path.split('/').at(-1)!;
      await test.pool.query(
        `UPDATE payments SET concern = 'refunded_elsewhere', next_check_at = NULL WHERE payment_id = $1`,
        [id],
      );
      const list = await page(`${MONEY}/payments`);
      // Two of the neighbour: one failed, and of one a refund failed.
      expect(list.title).toBe('3 payments need you');
      expect(list.rows[0]).toContain('the gateway sent back money that was not refunded here');
      const all = await page(`${MONEY}/payments?view=all`);
      expect(all.rows.filter((row) => row.includes('Needs you'))).toEqual(list.rows);
      expect((await page(path)).words).toContain('Check this payment: the gateway sent back money');
      const repeated = await staff.post(`${path}/resolve`, { note: '' }).expect(422);
      expect(readable(repeated.text)).toContain('The note must not be empty.');
      await staff.post(`${path}/resolve`, { note: 'asked the gateway' }).expect(303);
      expect((await page(path)).words).toContain('Result of the check asked the gateway');
      expect((await page(`${MONEY}/payments`)).rows).toEqual(list.rows.slice(1));
      expect((await audited(`payment ${id}`)).slice(1)).toMatchObject([
        { action: 'payment.resolved', person_id: staff.person.id, details: { note: 'asked the gateway' } },
      ]);
    });

    it('are sent back once, after a page that shows what it does', async () => {
      const path = await paid('500', 'refund_waits');
      const requested = await page(`${path}/refund`, admin);
      expect(requested.title).toMatch(/^Send money back to Store/);
      const sent = await admin.post(`${path}/refund`, { amount: '200' }).expect(200);
      const review = { title: headline(sent.text), words: readable(sent.text), text: sent.text };
      expect(review.title).toMatch(/^Send ₹200.00 back to Store \d+\?$/);
      expect(review.words).toContain('Can go back of this payment ₹500.00 In the wallet now ₹500.00');
      expect(review.words).toContain('In the wallet afterwards ₹300.00');
      const form = hiddenFields(review.text);
      const post = () => admin.post(`${path}/refund`, { ...form, step: 'confirm' }).expect(303);
      await Promise.all([post(), post()]);
      await post();
      expect(await balance()).toBe(300);
      expect((await page(path)).words).toMatch(/On its way ₹200.00/);
      const list = await page(`${MONEY}/payments?view=refunds`);
      expect(list.title).toBe('2 refunds are under way');
      expect(list.rows).toEqual([
        expect.stringMatching(/^Store .* Paid ₹200.00 ₹500.00$/),
        expect.stringMatching(/^NEIGHBOUR-\d+ .* Needs you ₹30.00 ₹1,000.00$/),
      ]);
    });

    it('that came twice say so, until one of the two has gone back', async () => {
      const path = await paid('900', 'pay_twice');
      expect(await balance()).toBe(1800);
      const list = await page(`${MONEY}/payments`);
      expect(list.rows[0]).toMatch(/^Store \d+ the client paid it more than once; .* Needs you ₹1,800.00$/);
      const twice = await page(path, admin);
      expect(twice.title).toMatch(/^2 × ₹900.00 of Store \d+: paid$/);
      expect(twice.words).toContain('Asked for ₹900.00 Received 2 × ₹900.00 = ₹1,800.00 State Paid');
      expect(twice.words).toMatch(/Gateway’s payments pay_\w+ , pay_\w+ Payment id/);
      const send = async (left: string) => {
        const { text } = await admin.post(`${path}/refund`, { amount: '' }).expect(200);
        expect(readable(text)).toContain(`Can go back of this payment ${left}`);
        return hiddenFields(text);
      };
      expect((await page(`${path}/refund`, admin)).words).toContain('Leave it empty for ₹900.00.');
      const [first, second] = [await send('₹1,800.00'), await send('₹1,800.00')];
      await admin.post(`${path}/refund`, { ...first, step: 'confirm' }).expect(303);
      await admin.post(`${path}/refund`, { ...second, step: 'confirm' }).expect(303);
      expect(await balance()).toBe(900);
      const once = await page(path, admin);
      expect(once.words).toContain('Sent back ₹900.00 Can still go back ₹900.00 State Refunded in part');
      await staff.post(`${path}/settle`, {}).expect(303);
      expect((await page(`${MONEY}/payments`)).rows).toEqual(list.rows.slice(1));
      await admin.post(`${path}/refund`, { ...(await send('₹900.00')), step: 'confirm' }).expect(303);
      const none = await page(path, admin);
      expect(none.title).toMatch(/: refunded$/);
      expect(none.text).not.toContain(`${path}/refund`);
      expect((await page(`${MONEY}/payments?view=all`)).rows[0]).toMatch(/ Refunded ₹1,800.00$/);
    });

    it('are sent back by admins only, and others read so while something can go back', async () => {
      const path = await paid('500');
      expect((await page(path, admin)).text).toContain(`${path}/refund`);
      expect((await page(path)).words).toContain('Only admins can send money back.');
      expect((await page(path)).text).not.toContain(`${path}/refund`);
      const { text } = await admin.post(`${path}/refund`, { amount: '' }).expect(200);
      await admin.post(`${path}/refund`, { ...hiddenFields(text), step: 'confirm' }).expect(303);
      expect((await page(path)).words).not.toContain('Only admins can send money back.');
    });

    it('are not sent back beyond what they brought, or what the wallet can spend', async () => {
      const path = await paid('500');
      const tooMuch = await admin.post(`${path}/refund`, { amount: '500.01' }).expect(409);
      expect(readable(tooMuch.text)).toContain('At most 500.00 of this payment can be refunded at once.');
      const typed = await admin.post(`${path}/refund`, { amount: 'a lot' }).expect(422);
      expect(typed.text).toContain('value="a lot"');
      await wallets().adjust(store.clientId, '-450', 'for a test', 'test');
      const { text } = await admin.post(`${path}/refund`, { amount: '' }).expect(200);
      expect(readable(text)).toContain('The wallet has ₹50.00 to spend. Choose a smaller amount.');
      expect(text).not.toContain('value="confirm"');
      const key = randomUUID();
      await admin.post(`${path}/refund`, { amount: '500', left: '50000', key, step: 'confirm' }).expect(303);
      await admin.post(`${path}/refund`, { amount: '5', key: 'no uuid', step: 'confirm' }).expect(400);
      expect(await balance()).toBe(50);
    });

    it('of one moment stand each on one page', async () => {
      const { rows: payments } = await test.pool.query<{ id: string }>(
        `INSERT INTO payments (client_id, payment_id, provider, amount, currency, status, actor)
         SELECT $1, gen_random_uuid(), 'sandbox', 100, 'INR', 'failed', 'test' FROM generate_series(1, 60)
         RETURNING payment_id AS id`,
        [store.clientId],
      );
      const first = await page(`${MONEY}/payments?view=all`);
      const second = await page(linkOf(first.text, 'Older'));
      const listed = [first, second].flatMap(({ text }) => [
        ...new Set(text.match(/(?<=\/desk\/money\/payments\/)[\da-f-]{36}/g)),
      ]);
      for (const { id } of payments) expect(listed.filter((one) => one === id)).toEqual([id]);
    });

    it('that do not exist are a page of their own', async () => {
      for (const id of ['x', randomUUID()]) await staff.get(`${MONEY}/payments/${id}`).expect(404);
      await staff.get(`${MONEY}/transfers/999999`).expect(404);
      await staff.get(`${MONEY}/payments?before=x`).expect(200);
    });
  });

  describe('The books', () => {
    it('show what clients have and owe, by client', async () => {
      const { sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10 });
      await wallets().adjust(store.clientId, '123.45', 'for a test', 'test');
      await test.post(store, '/api/orders', orderBody([{ sku, quantity: 2 }])).expect(201);
      const idle = await test.fixtures.store({ name: 'Idle store' });
      const { words } = await page(`${MONEY}/wallets?only=unpaid`);
      expect(words).toMatch(new RegExp(`Store \\d+ ₹0.00 1 ₹200.00 ₹123.45`));
      expect(words).not.toContain('Idle store');
      expect((await page(`${MONEY}/wallets?after=${idle.clientId - 1}`)).rows).toEqual([
        'Idle store ₹0.00 0 ₹0.00 ₹0.00',
      ]);
    });

    it('have a statement of each client for a month, as PDF and CSV', async () => {
      await wallets().adjust(store.clientId, '123.45', 'for a test', 'test');
      const month = monthAt(Date.now(), 'Asia/Kolkata');
      const { text, rows: lines } = await page(`${MONEY}/month?month=${month}&after=${store.clientId - 1}`);
      expect(lines).toEqual([expect.stringMatching(/^Store \d+ ₹0.00 ₹123.45 ₹0.00 ₹123.45 PDF CSV$/)]);
      const csv = await staff.get(linkOf(text, 'CSV')).expect(200);
      expect(csv.text).toContain('123.45');
      expect(csv.headers['content-disposition']).toContain(`statement-${store.clientId}-${month}.csv`);
      const over = (await page(`${MONEY}/month`)).words;
      expect(over).toContain('No mail can be sent without the setting SMTP_URL');
      expect(over).not.toContain('Mail the statements');
      const pdf = await staff.get(linkOf(text, 'PDF')).expect(200).expect('Content-Type', 'application/pdf');
      expect((pdf.body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
      await staff.get(`${MONEY}/statements/${store.clientId}/2026-13.pdf`).expect(404);
      await staff.get(`${MONEY}/statements/999999/${month}.pdf`).expect(404);
    });

    it.each([
      ['gstr1', 'b2b.csv'],
      ['tally', '2-vouchers.xml'],
    ])('have the files for the accountant: %s', async (name, file) => {
      const { body } = await staff
        .get(`${MONEY}/month/${name}.zip?month=2026-01`)
        .responseType('blob')
        .expect(200);
      expect(Object.keys(unzipSync(body as Buffer))).toContain(file);
    });

    it('have the sales register and the ledger of a client for some days, as PDF and CSV', async () => {
      for (const [path, name] of [
        [`${MONEY}/register`, 'sales-register'],
        [`${MONEY}/ledgers/${store.clientId}`, `ledger-${store.clientId}`],
      ] as const) {
        const days = 'from=2026-01-01&to=2026-01-31';
        const csv = await staff.get(`${path}?${days}&as=csv`).expect(200);
        expect(csv.headers['content-disposition']).toContain(`${name}-2026-01-01-to-2026-01-31.csv`);
        const pdf = await staff.get(`${path}?${days}&as=pdf`).expect(200);
        expect((pdf.body as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
        for (const wrong of ['from=2026-02-30', 'from=2026-02-01&to=2026-01-31'])
          await staff.get(`${path}?${wrong}`).expect(422);
        await staff.get(path).expect(200);
      }
      await staff.get(`${MONEY}/ledgers/999999`).expect(404);
      const ledger = await staff.get(`${MONEY}/ledgers/${store.clientId}`);
      expect(ledger.text).toContain('Closing balance');
    });

    it('have a payout on the day of its payment, in the vouchers and in the ledger', async () => {
      const { clientId } = store;
      await wallets().adjust(clientId, '500', 'for a test', 'test');
      const today = dayAt(Date.now(), 'Asia/Kolkata');
      const paidOn = addDays(today, -40);
      for (const [amount, date] of [
        ['200', paidOn],
        ['50', ''],
      ] as const)
        await transfers().payOut(clientId, { amount, reference: utr(), date, bank: 'of 2026-01-01' }, 'test');
      const books = test.app.get(VouchersRepository, { strict: false });
      const days = async (from: string, to: string) => {
        const found: string[] = [];
        for await (const { day, amount } of books.money({ from, to, clientId }))
          found.push(`${day} ${amount}`);
        return found;
      };
      expect(await days(paidOn, today)).toEqual([`${paidOn} -200.00`, `${today} 500.00`, `${today} -50.00`]);
      expect(await days(paidOn, paidOn)).toEqual([`${paidOn} -200.00`]);
      const after = addDays(paidOn, 1);
      expect(await days(after, today)).toEqual([`${today} 500.00`, `${today} -50.00`]);
      expect(await books.openingBalance({ clientId, from: paidOn, to: today })).toBe(0);
      expect(await books.openingBalance({ clientId, from: after, to: today })).toBe(200_00);
      expect(await books.openingBalance({ clientId, from: addDays(today, 1), to: today })).toBe(-250_00);
    });

    it('list the invoices of all clients', async () => {
      const { title, rows: listed } = await page(`${MONEY}/invoices`);
      expect(title).toBe('Invoices and notes');
      expect(listed.map((row) => row.split('-')[0])).toEqual(['CN9', 'RV9', 'INV9', 'INV9']);
      await staff.get(`${MONEY}/invoices/INV-2627-0000001.pdf`).expect(404);
    });
  });
});
