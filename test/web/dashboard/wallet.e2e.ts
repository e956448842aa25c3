import { AutoPayJobService } from '../../../src/modules/orders/auto-pay/auto-pay-job.service.js';
import { BankTransfersService } from '../../../src/modules/payments/bank-transfers.service.js';
import type { ClientRole } from '../../../src/platform/access/signed-in-person.js';
import { orderDesk } from '../../support/order-desk.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { placeAndMove } from '../../support/order-steps.js';
import { expectPage, noticeIn, readable, rows as rowsOf } from '../../support/page-text.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const WALLET = '/dashboard/wallet';

describe('The wallet in the dashboard', () => {
  let test: TestApp;
  let store: Store;
  let owner: SignedIn;
  let sku: string;
  let made = 0;

  beforeAll(async () => {
    test = await startTestApp();
    await test.fixtures.neighbours();
    ({ sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10_000 }));
  });
  beforeEach(async () => {
    store = await test.fixtures.store({ name: 'Anaya Home' });
    owner = await signIn(test, store.clientId);
  });
  afterEach(async () => expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]));
  afterAll(() => test.close());

  const as = (role: ClientRole) => signIn(test, store.clientId, role);
  const adjust = (amount: string, reason = 'for a test') =>
    test.app.get(WalletService, { strict: false }).adjust(store.clientId, amount, reason, 'test');
  const transfers = () => test.app.get(BankTransfersService, { strict: false });
  const utr = () => `N${String(++made).padStart(15, '0')}`;
  const announced = () =>
    test.query<{ transfer_id: number } & Record<'utr' | 'amount' | 'status', string>>(
      'SELECT transfer_id, utr, amount, status FROM bank_transfers WHERE client_id = $1 ORDER BY transfer_id',
      store.clientId,
    );
  const payments = () =>
    test.query<{ payment_id: string; amount: string; status: string }>(
      'SELECT payment_id, amount, status FROM payments WHERE client_id = $1 ORDER BY created_at',
      store.clientId,
    );
  /** What the people of the client did. */
  const audited = () =>
    test.audited(
      'action, actor, subject, details',
      'client_id = $1 AND person_id IS NOT NULL',
      store.clientId,
    );
  const page = (path: string, person = owner) => person.get(path);
  const place = (quantity = 1) => test.place(store, [{ sku, quantity }]);

  it('says what it holds, and that nothing has happened yet', async () => {
    const { status, text } = await page(WALLET);
    expect(status).toBe(200);
    expect(text).toContain('<h1>₹0.00 in your wallet</h1>');
    expect(text).toContain('No entries yet.');
  });

  it('lists what came in and went out with its references, as text and never as markup', async () => {
    await adjust('1000', '<script>alert(1)</script> & more');
    const { text } = await page(WALLET);
    expect(text).toContain('+₹1,000.00');
    expect(text).toContain('&lt;script>alert(1)&lt;/script> &amp; more');
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('Corrected by the wholesaler');
    expect(readable(text)).toMatch(/Money in this month ₹1,000\.00 top-ups, refunds and corrections/);
    expect(readable(text)).toMatch(/Money out this month ₹0\.00 orders, payouts and corrections/);
  });

  it('goes on page by page, and shows one kind or one month alone', async () => {
    for (let n = 0; n < 51; n++) await adjust('1', `number ${n}`);
    const { text: first } = await page(WALLET);
    expect(first).toContain('number 50<');
    expect(first).not.toContain('number 0<');
    const older = /href="([^"]*before=[^"]*)"/.exec(first)![1]!;
    const { text: second } = await page(older.replaceAll('&amp;', '&'));
    expect(second).toContain('number 0<');
    expect(second).not.toContain('number 1<');
    expect((await page(`${WALLET}?kind=top_up`)).text).toContain('No entries match');
    expect((await page(`${WALLET}?month=2020-02`)).text).toContain('No entries match in February 2020.');
  });

  it('names each order by the store’s own id too, on the page and in the file', async () => {
    await adjust('1000');
    const order = orderBody([{ sku, quantity: 1 }], { store_order_id: 'WEB-77' });
    const number = await placeAndMove(test, store, order, 'pay');
    expect(rowsOf((await page(WALLET)).text)[0]).toContain(`${number} · WEB-77`);
    expect((await owner.get(`${WALLET}.csv`)).text).toContain(`,${number},WEB-77,`);
  });

  it('says for paper whose it is, and the balances before and after its entries', async () => {
    for (let n = 0; n < 51; n++) await adjust('1', `number ${n}`);
    const onPaper = async (path: string) => readable((await page(path)).text);
    const time = String.raw`\d+ \w+ 20\d\d, \d\d:\d\d`;
    const first = await onPaper(WALLET);
    expect(first).toMatch(new RegExp(`Anaya Home, ${time} `));
    expect(first).toMatch(
      new RegExp(`Passbook ${time} to ${time} Opening balance ₹1.00 Closing balance ₹51.00`),
    );
    expect(await onPaper(`${WALLET}?before=2`)).toContain('Opening balance ₹0.00 Closing balance ₹1.00');
    await test.fixtures.rewrite(`UPDATE wallet_entries SET created_at = '2026-02-15' WHERE entry <= 5`);
    expect(await onPaper(`${WALLET}?month=2026-02&kind=adjustment`)).toContain(
      'Passbook February 2026 Entries Only: Corrections Opening balance ₹0.00 Closing balance ₹5.00',
    );
  });

  it('gives the passbook as a file that no spreadsheet runs', async () => {
    await adjust('250.50', '=1+1');
    const { status, headers, text } = await owner.get(`${WALLET}.csv`);
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="passbook-[\d-]+\.csv"$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toMatch(
      /^\uFEFF?entry,at,kind,amount,balance_after,.*,note\r\n1,\S+ \S+,adjustment,250\.50,250\.50,,,,'=1\+1\r\n$/,
    );
  });

  it('gives the statement of the chosen month as files, in the time of the wholesaler', async () => {
    await adjust('250.50', 'a gift');
    await test.fixtures.rewrite(`UPDATE wallet_entries SET created_at = '2026-02-28T18:29:59Z'`);
    const { text } = await page(WALLET);
    expect(text).toMatch(
      new RegExp(
        `action="${WALLET}/statement.pdf">.*<option value="2026-02">February 2026</option></select>.*` +
          `formaction="${WALLET}/statement.csv"`,
      ),
    );
    expect((await page(`${WALLET}?month=2026-02`)).text).toContain('<option value="2026-02" selected>');
    const csv = await owner.get(`${WALLET}/statement.csv?month=2026-02`);
    expect(csv.headers['content-disposition']).toBe('attachment; filename="statement-2026-02.csv"');
    expect(csv.text).toContain('2026-02-28 23:59:59,1,Corrected by the wholesaler,,,a gift,250.50,,250.50');
    const pdf = await owner.get(`${WALLET}/statement.pdf?month=2026-02`);
    expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(pdf.headers['content-disposition']).toBe('attachment; filename="statement-2026-02.pdf"');
    const { text: refusal } = await owner.get(`${WALLET}/statement.csv?month=never`).expect(422);
    expect(readable(refusal)).toContain('The month must be one such as 2026-11.');
  });

  describe('takes the announcement of a bank transfer', () => {
    const announce = (fields: Record<string, string>, person = owner) =>
      person.post(`${WALLET}/transfers`, fields);

    it('and shows it until the wholesaler has seen the money', async () => {
      const number = utr();
      const { status, headers } = await announce({ sent: '1,00,000', utr: number });
      expect([status, headers.location]).toEqual([303, WALLET]);
      expect(await announced()).toMatchObject([{ utr: number, amount: '100000.00', status: 'announced' }]);
      const { text } = await page(WALLET);
      expect(text).toContain(`UTR ${number}`);
      expect(text).toContain('Waiting for the wholesaler');
      expect(text).toContain('<h1>₹0.00 in your wallet</h1>');
      const id = (await announced())[0]!.transfer_id;
      await transfers().confirm(id, 'operator');
      expect((await page(WALLET)).text).toContain('<h1>₹1,00,000.00 in your wallet</h1>');
      expect(await audited()).toEqual([
        {
          action: 'transfer.announced',
          actor: `person ${owner.person.id} (${owner.person.email})`,
          subject: `transfer ${id}`,
          details: { amount: 100000, utr: number },
        },
      ]);
    });

    it('once, however often the form is sent', async () => {
      const fields = { sent: '500', utr: utr() };
      const answers = await Promise.all([announce(fields), announce(fields), announce(fields)]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
      expect(await announced()).toHaveLength(1);
      const notices = answers.map(({ headers }) => noticeIn(headers));
      expect(notices.filter((notice) => notice.includes('You reported this transfer before'))).toHaveLength(
        2,
      );
      for (const [field, value] of [
        ['sent', '600'],
        ['tds', '5'],
        ['payer', 'Asha'],
      ] as const) {
        const other = await announce({ ...fields, [field]: value });
        expectPage(other, 422, 'already announced this transfer with ₹500.00');
      }
    });

    it('but not of one that the wholesaler recorded for an order', async () => {
      const number = await test.place(store, [{ sku, quantity: 1 }]);
      const desk = orderDesk(test.app);
      const { total } = await desk.show(number);
      const fields = { sent: String(total), utr: utr() };
      await desk.pay(number, 'test', { method: 'UPI', reference: fields.utr });
      expectPage(await announce(fields), 422, `This transfer is known already: it paid ${number}`);
      expect(await announced()).toEqual([]);
    });

    it.each([
      [{ sent: '', utr: 'N1234567890' }, 'The amount must be a plain number'],
      [{ sent: '"><b>5', utr: '<i>' }, 'The UTR must be the 10 to 22 letters'],
      [{ utr: '12' }, 'The UTR must be the 10 to 22 letters'],
    ])('and says at the field what is wrong with %j', async (fields, fault) => {
      const { status, text } = await announce(fields as Record<string, string>);
      expect(status).toBe(422);
      expect(text).toContain(fault);
      expect(text).toContain('aria-invalid="true"');
      expect(text).not.toMatch(/<b>5|<i>/);
      expect(await announced()).toEqual([]);
    });

    it('but not of one that is in the wallet', async () => {
      const number = utr();
      await announce({ sent: '5', utr: number });
      await transfers().confirm((await announced())[0]!.transfer_id, 'operator');
      expectPage(await announce({ sent: '5', utr: number }), 422, 'This transfer is already in your wallet.');
    });

    it('which only its client can withdraw', async () => {
      const number = utr();
      await announce({ sent: '500', utr: number });
      const id = (await announced())[0]!.transfer_id;
      const withdraw = (person: SignedIn, which: number | string = id) =>
        person.post(`${WALLET}/transfers/${which}/withdraw`);
      const outsider = await signIn(test, (await test.fixtures.store()).clientId);
      expect((await withdraw(outsider)).status).toBe(404);
      expect((await withdraw(await as('viewer'))).status).toBe(403);
      for (const which of ['0', 'x', '99999999999', '1%27'])
        expect((await withdraw(owner, which)).status).toBe(404);
      expect((await announced())[0]!.status).toBe('announced');
      const buyer = await as('buyer');
      expect((await withdraw(buyer)).status).toBe(303);
      expect((await withdraw(owner)).status).toBe(409);
      // Its number is free again.
      expect((await announce({ sent: '600', utr: number })).status).toBe(303);
      expect((await announced()).map(({ status }) => status)).toEqual(['withdrawn', 'announced']);
      expect((await audited()).slice(1)).toMatchObject([
        {
          action: 'transfer.withdrawn',
          actor: `person ${buyer.person.id} (${buyer.person.email})`,
          subject: `transfer ${id}`,
          details: {},
        },
        { action: 'transfer.announced', details: { amount: 600, utr: number } },
      ]);
    });

    it('and counts it as on its way only until it is confirmed, refused or withdrawn', async () => {
      for (const sent of ['1', '20', '300', '4000']) await announce({ sent, utr: utr() });
      const [one, twenty, hundreds] = (await announced()).map(({ transfer_id }) => transfer_id);
      const onItsWay = async () =>
        /<dt>On its way<\/dt><dd class="figure">(.*?)<\/div>/
          .exec((await page(WALLET)).text)![1]!
          .replaceAll(/<[^>]*>/g, ' ')
          .trim()
          .split(/ {2,}/);
      expect(await onItsWay()).toEqual(['₹4,321.00', '4 payments']);
      await transfers().refuse(one!, 'did not arrive', 'operator');
      expect(await onItsWay()).toEqual(['₹4,320.00', '3 payments']);
      await transfers().confirm(twenty!, 'operator');
      expect(await onItsWay()).toEqual(['₹4,300.00', '2 payments']);
      await owner.post(`${WALLET}/transfers/${hundreds}/withdraw`).expect(303);
      expect(await onItsWay()).toEqual(['₹4,000.00', '1 payment']);
    });

    it('but not without end', async () => {
      for (let n = 0; n < 19; n++) await transfers().announce(store.clientId, '5', utr(), 'test');
      const last = { sent: '5', utr: utr() };
      for (let n = 0; n < 2; n++) expect((await announce(last)).status).toBe(303);
      const { status, text } = await announce({ sent: '5', utr: utr() });
      expectPage({ status, text }, 409, '20 transfers wait');
    });

    it('nor a hundred times a day, in any state, and independent of other clients', async () => {
      const oldest = utr();
      await announce({ sent: '5', utr: oldest });
      const { clientId: other } = await test.fixtures.store();
      await test.fixtures.sql(
        `INSERT INTO bank_transfers (client_id, amount, utr, announced_by, announced_at, status,
          decided_at, decided_by)
         SELECT client, 5, 'AXIS' || n || 'OF' || client, 'test', now() - interval '23 hours', 'withdrawn',
           now(), 'test'
           FROM generate_series(1, 98) AS n, unnest($1::int[]) AS client`,
        [[store.clientId, other]],
      );
      expect((await page(WALLET)).text).toContain(oldest);
      expect((await announce({ sent: '5', utr: utr() })).status).toBe(303);
      const { status, text } = await announce({ sent: '5', utr: utr() });
      expectPage({ status, text }, 409, '100 transfers were announced in the last 24 hours');
      await test.fixtures.rewrite(
        `UPDATE bank_transfers SET announced_at = now() - interval '25 hours'
          WHERE utr = 'AXIS1OF' || $1::int`,
        [store.clientId],
      );
      expect((await announce({ sent: '5', utr: utr() })).status).toBe(303);
    });
  });

  describe('is topped up through the gateway', () => {
    const topUp = (amount: string, person = owner) => person.post(`${WALLET}/top-up`, { amount });

    it('with one payment, however often the form is sent, and goes on from there', async () => {
      const first = await topUp('₹2,500');
      const second = await topUp('2500');
      const [payment, ...others] = await payments();
      expect(others).toEqual([]);
      expect(payment).toMatchObject({ amount: '2500.00', status: 'open' });
      for (const { status, headers } of [first, second]) {
        expect(status).toBe(303);
        expect(headers.location).toContain(payment!.payment_id);
      }
      const { text } = await page(WALLET);
      expect(text).toContain('Top-up through the gateway');
      expect(text).toContain('Not finished');
    });

    const started = (count: number, state: string, ago: string) =>
      test.fixtures.sql(
        `INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status,
          actor, created_at)
         SELECT $1, gen_random_uuid(), 'sandbox', gen_random_uuid(), 100, 'INR', $3, 'test',
           now() - $4::interval
           FROM generate_series(1, $2)`,
        [store.clientId, count, state, ago],
      );

    it('by at most 20 payments at a time, and no other client is refused for them', async () => {
      await started(18, 'open', '1 minute');
      const answers = await Promise.all(['201', '202', '203', '204'].map((amount) => topUp(amount)));
      expect(answers.map(({ status: answered }) => answered).toSorted()).toEqual([303, 303, 422, 422]);
      expect(await payments()).toHaveLength(20);
      const { status, text } = await topUp('900');
      expect(status).toBe(422);
      expect(text).toContain('You have 20 open payments. Finish one, or give one up');
      const outsider = await signIn(test, (await test.fixtures.store()).clientId);
      expect((await topUp('900', outsider)).status).toBe(303);
      const [first] = await payments();
      await test.fixtures.sql(`UPDATE payments SET status = 'given_up' WHERE payment_id = $1`, [
        first!.payment_id,
      ]);
      expect((await topUp('900')).status).toBe(303);
    });

    it('by at most 200 payments a day that are not paid', async () => {
      await started(199, 'given_up', '23 hours');
      await started(5, 'failed', '25 hours');
      await started(5, 'paid', '1 hour');
      expect((await topUp('900')).status).toBe(303);
      const { status, text } = await topUp('901');
      expectPage({ status, text }, 422, 'You started 200 payments in one day');
      // Nothing of these is in the wallet, so the books would not add up.
      await test.fixtures.sql(
        `UPDATE payments SET status = 'failed' WHERE status = 'paid' AND client_id = $1`,
        [store.clientId],
      );
    });

    it('and checks whether it has arrived, while a person may be waiting', async () => {
      await topUp('1750');
      const [payment] = await payments();
      const paths = [WALLET, `/payments/${payment!.payment_id}`];
      for (const path of paths) expect((await page(path)).text).toContain(' data-refresh="10"');
      await test.fixtures.rewrite(
        `UPDATE payments SET created_at = now() - interval '20 minutes' WHERE client_id = $1`,
        [store.clientId],
      );
      for (const path of paths) expect((await page(path)).text).not.toContain('data-refresh');
    });

    it('with one payment, however many tabs send the form at once', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => topUp('1750')));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(303));
      expect(await payments()).toHaveLength(1);
    });

    it.each(['0.99', 'all'])('and refuses the amount %j', async (amount) => {
      const { status, text } = await topUp(amount);
      expect([status, text.includes('aria-invalid="true"')]).toEqual([422, true]);
      expect(await payments()).toEqual([]);
    });
  });

  describe('tells what is on its way and what is not finished', () => {
    const listed = async (title: 'On its way' | 'Not finished') => {
      const list = new RegExp(`<caption[^>]*>${title}.*?</table>`, 's');
      return rowsOf(list.exec((await page(WALLET)).text)?.[0] ?? '');
    };
    const telling = (...parts: string[]) => parts.map((part) => expect.stringContaining(part) as unknown);

    it('of transfers those that wait, and those refused in the last month, newest first', async () => {
      const other = await test.fixtures.store();
      for (const { clientId } of [store, other])
        for (const [amount, days] of [
          ['101', 40],
          ['102', 40],
          ['103', 29],
          ['104', undefined],
        ] as const) {
          const number = utr();
          await transfers().announce(clientId, amount, number, 'test');
          if (days === undefined) continue;
          if (amount !== '101') await refuse(number, days);
          else
            await test.fixtures.rewrite(
              `UPDATE bank_transfers SET announced_at = now() - interval '40 days' WHERE utr = $1`,
              [number],
            );
        }
      expect(await listed('On its way')).toEqual(telling('₹104.00', '₹101.00'));
      expect(await listed('Not finished')).toEqual(telling('₹103.00'));
    });

    it('of payments those that a bank has authorized, and what is not finished, newest first', async () => {
      const other = await signIn(test, (await test.fixtures.store()).clientId);
      for (const person of [owner, other])
        for (const amount of ['101', '102', '103', '104']) await person.post(`${WALLET}/top-up`, { amount });
      await test.fixtures.rewrite(
        `UPDATE payments
            SET status = CASE amount WHEN 102 THEN 'given_up' WHEN 103 THEN 'failed' ELSE status END,
                created_at = now() - CASE amount WHEN 101 THEN interval '9 days'
                  WHEN 102 THEN interval '49 hours'
                                                 WHEN 103 THEN interval '47 hours'
                                                   ELSE interval '50 hours' END
          WHERE amount BETWEEN 101 AND 104`,
      );
      await owner.post(`${WALLET}/top-up`, { amount: '105' });
      await test.fixtures.sql('UPDATE payments SET authorized = true WHERE amount = 104');
      expect(await listed('On its way')).toEqual(telling('₹104.00'));
      expect(await listed('Not finished')).toEqual(telling('₹105.00', '₹103.00', '₹101.00'));
      const { text } = await page(WALLET);
      expect(readable(text)).toContain('On its way ₹104.00 1 payment');
      const [newest] = (await payments()).filter(({ amount }) => amount === '105.00');
      expect(text).toContain(`href="/dashboard/payments/${newest!.payment_id}/checkout"`);
      expect(text.match(/action="[^"]*give-up"/g)).toHaveLength(2);
    });

    async function refuse(number: string, daysAgo: number): Promise<void> {
      await test.fixtures.rewrite(
        `UPDATE bank_transfers SET status = 'refused', decided_by = 'test', reason = 'never came',
                decided_at = now() - make_interval(days => $2) WHERE utr = $1`,
        [number, daysAgo],
      );
    }
  });

  describe('pays new orders by itself', () => {
    const displayed = async () =>
      /name="shown" value="([^"]*)"/.exec((await page(`${WALLET}/auto-pay`)).text)![1]!;
    const set = async (fields: Record<string, string>, person = owner) =>
      person.post(`${WALLET}/auto-pay`, { shown: await displayed(), ...fields });
    const setting = async () => {
      const rows = await test.query(
        'SELECT enabled_at IS NOT NULL AS enabled, order_cap, day_cap FROM auto_pay WHERE client_id = $1',
        store.clientId,
      );
      return rows[0] as unknown;
    };

    it('once an owner has said so, up to what the owner has said', async () => {
      await adjust('1000');
      const before = await place();
      expect((await set({ enabled: 'yes', orderCap: '1,500', dayCap: '150' })).status).toBe(303);
      expect(await setting()).toEqual({ enabled: true, order_cap: '1500.00', day_cap: '150.00' });
      const after = await place();
      await test.app.get(AutoPayJobService, { strict: false }).run();
      const statusOf = async (number: string) =>
        (await test.get(store, `/api/orders/${number}/status`)).body as { status: string };
      expect((await statusOf(before)).status).toBe('awaiting_payment');
      expect((await statusOf(after)).status).toBe('pending');
      const { text } = await page(`${WALLET}/auto-pay`);
      expect(text).toContain('<h1>Auto-pay is on</h1>');
      expect(text).toMatch(/Paid by auto-pay today<\/dt><dd><span class="money">₹100\.00/);
      const neighbour = await signIn(test, (await test.fixtures.store()).clientId);
      const { text: theirs } = await page(`${WALLET}/auto-pay`, neighbour);
      expect(theirs).toContain('<h1>Auto-pay is off</h1>');
      expect(theirs).toMatch(/Paid by auto-pay today<\/dt><dd><span class="money">₹0\.00/);
      expect((await set({ enabled: 'yes', orderCap: '1500.00', dayCap: '150' })).status).toBe(303);
      const by = { actor: `person ${owner.person.id} (${owner.person.email})` };
      const on = { enabled: true, order_cap: '1500.00', day_cap: '150.00' };
      expect(await audited()).toEqual([
        { ...by, action: 'auto-pay.changed', subject: 'auto-pay', details: on },
      ]);
      expect((await set({ enabled: 'no', orderCap: '', dayCap: '' })).status).toBe(303);
      expect(await setting()).toEqual({ enabled: false, order_cap: null, day_cap: null });
      const off = { enabled: false, order_cap: null, day_cap: null };
      expect((await audited()).slice(1)).toEqual([
        { ...by, action: 'auto-pay.changed', subject: 'auto-pay', details: off },
      ]);
    });

    it('and not because of a page that was left open: who sends it is shown both', async () => {
      const before = await displayed();
      const other = await as('owner');
      await set({ enabled: 'yes', orderCap: '500', dayCap: '' }, other);
      const stale = await set({ enabled: 'no', orderCap: '', dayCap: '750', shown: before });
      expect(stale.status).toBe(409);
      expect(stale.text).toContain('Nothing was changed');
      expect(stale.text).toMatch(/Limit per order<\/dt><dd>At most <span class="money">₹500\.00/);
      expect(stale.text).toContain('value="750"');
      expect(await setting()).toEqual({ enabled: true, order_cap: '500.00', day_cap: null });
      expect(await audited()).toEqual([
        {
          action: 'auto-pay.changed',
          actor: `person ${other.person.id} (${other.person.email})`,
          subject: 'auto-pay',
          details: { enabled: true, order_cap: '500.00', day_cap: null },
        },
      ]);
      // It has seen what holds now.
      const repeated = /name="shown" value="([^"]*)"/.exec(stale.text)![1]!;
      expect((await set({ enabled: 'no', orderCap: '', dayCap: '750', shown: repeated })).status).toBe(303);
      expect(await setting()).toEqual({ enabled: false, order_cap: null, day_cap: '750.00' });
    });

    it('and says at both fields what is wrong with its limits, keeping what was typed', async () => {
      const { status, text } = await set({ enabled: 'yes', orderCap: '0', dayCap: '"><script>' });
      expect(status).toBe(422);
      expect(text.match(/aria-invalid="true"/g)).toHaveLength(2);
      expect(text).toContain('value="&quot;>&lt;script>"');
      expect(await setting()).toBeUndefined();
    });
  });
});

describe('The wallet with payments by command only', () => {
  it('says so, and takes no announcement', async () => {
    const test = await startTestApp({ paymentGateway: { name: 'none' }, bankDetails: [] });
    const owner = await signIn(test, (await test.fixtures.store()).clientId);
    expect(readable((await owner.get(`${WALLET}/top-up`)).text)).toContain('Ask the wholesaler how to pay.');
    const { status } = await owner.post(`${WALLET}/transfers`, { sent: '5', utr: 'N1234567890' });
    expect(status).toBe(409);
    expect((await test.pool.query('SELECT FROM bank_transfers')).rowCount).toBe(0);
    await test.close();
  });
});
