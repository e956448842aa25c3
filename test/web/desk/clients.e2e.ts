import { orderReturns } from '../../support/order-returns.js';
import { orderDesk } from '../../support/order-desk.js';
import { RequestLog } from '../../../src/modules/request-log/recording/request-log.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { placeAndMove } from '../../support/order-steps.js';
import { headline, hiddenFields, linkOf, noticeIn, readable, rows } from '../../support/page-text.js';
import { type FormValues, type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const CLIENTS = '/desk/clients';

describe('Clients at the desk', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  const admin = makeBeforeAll(() => signInAtDesk(test, 'admin'));
  const staff = makeBeforeAll(() => signInAtDesk(test, 'staff'));
  let store: Store;
  let path: string;
  let made = 0;
  beforeEach(async () => {
    store = await test.fixtures.store({ name: `Store ${++made}` });
    path = `${CLIENTS}/${store.clientId}`;
  });

  const page = async (address: string, by: Pick<SignedIn, 'get'> = admin) => {
    const { text } = await by.get(address).expect(200);
    return { text, title: headline(text), words: readable(text), rows: rows(text) };
  };
  const noticeOf = ({ headers }: { headers: Record<string, unknown> }) => noticeIn(headers);
  const audited = () =>
    test.audited('action, details', 'client_id = $1 AND person_id = $2', store.clientId, admin.person.id);
  const accountStatus = async (token: string, domain: string) => {
    await test.fixtures.observed();
    const headers = { Authorization: `Bearer ${token}`, 'X-Client-Domain': domain };
    return (await fetch(`${test.url}/api/account`, { headers })).status;
  };
  const tokenIn = (text: string) => /id="token"[^>]*value="([^"]+)"/.exec(text)![1]!;

  it('are listed with their plan and money, and found by number, name, address or domain', async () => {
    await test.app.get(WalletService, { strict: false }).adjust(store.clientId, '12', 'for a test', 'test');
    const requested = async (search: string) => (await page(`${CLIENTS}?search=${search}`, staff)).rows;
    const row = expect.stringMatching(new RegExp(`^Store ${made} .* ₹0.00 Active ₹12.00$`)) as string;
    expect(await requested(`Store+${made}`)).toEqual([row]);
    expect(await requested(store.headers['X-Client-Domain']!)).toEqual([row]);
    expect(await requested(String(store.clientId))).toContainEqual(row);
    expect((await page(`${CLIENTS}?search=nobody+has+this`, staff)).words).toContain('No client matches.');
    const orders = await page(`/desk/orders?client=${store.clientId}`, staff);
    expect(orders.rows).toEqual([]);
    expect(orders.text).not.toMatch(/class="count">[1-9]/);
    await staff.get(`${CLIENTS}/999999`).expect(404);
    await staff.get(`${CLIENTS}/x`).expect(404);
  });

  it('are listed before their subscription ends, unless another one follows', async () => {
    const ends = (days: number) =>
      test.pool.query(
        `UPDATE subscriptions SET ends_at = date_trunc('day', now()) + $2 * interval '1 day'
          WHERE client_id = $1`,
        [store.clientId, days],
      );
    const listed = async () => {
      const { words } = await page(path, staff);
      const tab = await page(`${CLIENTS}?only=ending&search=${store.clientId}`, staff);
      return [/State (Active.*?) Since/.exec(words)![1], tab.rows.length];
    };
    await ends(16);
    expect(await listed()).toEqual(['Active', 0]);
    await ends(13);
    expect(await listed()).toEqual([expect.stringMatching(/^Active until \d+ \w+ \d{4}/), 1]);
    const all = await page(`${CLIENTS}?search=${store.clientId}`, staff);
    expect(all.words).toContain('Subscription ends soon');
    expect(all.rows[0]).toMatch(/Active until \d+ \w+ \d{4}/);
    await test.pool.query(
      `INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
       SELECT client_id, plan_id, ends_at, ends_at + interval '1 year' FROM subscriptions
        WHERE client_id = $1`,
      [store.clientId],
    );
    expect(await listed()).toEqual(['Active', 0]);
  });

  it('are added with a token and a link, which are shown once; a twin only by force', async () => {
    const { rows: plans } = await test.pool.query<{ code: string }>('SELECT code FROM plans LIMIT 1');
    const form: FormValues = {
      name: `New ${++made}`,
      email: `owner-${made}@new.example.com`,
      domain: `new-${made}.example.com`,
      plan: plans[0]!.code,
      from: '',
      until: '2031-03-31',
    };
    const wrong = await admin.post(`${CLIENTS}/new`, { ...form, until: 'soon' }).expect(422);
    expect(readable(wrong.text)).toContain('Must be a date, such as 2026-01-31');
    expect(wrong.text).toContain(`value="${form.name as string}"`);
    const { text } = await admin.post(`${CLIENTS}/new`, form).expect(200);
    expect(headline(text)).toBe(`Copy the token of ${form.name as string} now`);
    expect(text).toMatch(/id="link"[^>]*value="http[^"]*link/);
    expect(await accountStatus(tokenIn(text), form.domain as string)).toBe(200);
    const twin = await admin.post(`${CLIENTS}/new`, form).expect(409);
    expect(readable(twin.text)).toContain('Use “force” to add a second one.');
    expect(twin.text).toContain('name="force"');
    expect((await page(`${CLIENTS}?search=${form.domain as string}`)).rows).toHaveLength(1);
  });

  it('keep the change of one admin when another one saves an old form', async () => {
    const [mine, other] = await Promise.all(
      ['Mine', 'Other'].map(async (name) => {
        const { text } = await page(`${path}/details`);
        return {
          shown: hiddenFields(text).shown!,
          name,
          email: 'a@example.com',
          unpaidValueLimit: '5000',
          unpaidOrdersLimit: 'none',
          timeZone: 'default',
        };
      }),
    );
    await admin.post(`${path}/details`, mine).expect(303);
    const refused = await admin.post(`${path}/details`, other).expect(409);
    expect(readable(refused.text)).toContain('Nothing was changed, because another person changed these');
    expect(readable(refused.text)).toContain('Name Mine');
    expect(refused.text).toContain('value="Other"');
    const displayed = hiddenFields((await page(`${path}/details`)).text).shown!;
    const wrong = await admin
      .post(`${path}/details`, { ...mine, shown: displayed, unpaidValueLimit: 'x' })
      .expect(422);
    expect(readable(wrong.text)).toContain('The limit of unpaid value must be an amount of more than 0');
    expect((await page(path)).words).toContain('Limit of unpaid value ₹5,000.00 Limit of unpaid orders None');
    expect(await audited()).toMatchObject([{ action: 'client.changed', details: { name: 'Mine' } }]);
  });

  it('are suspended and resumed', async () => {
    const call = () =>
      accountStatus(store.headers.Authorization!.slice('Bearer '.length), store.headers['X-Client-Domain']!);
    expect((await page(path)).words).toContain('The client reads it in the mail about the suspension.');
    await admin.post(`${path}/suspend`, { reason: 'Two cheques bounced' }).expect(303);
    expect(await call()).toBe(401);
    expect((await audited()).at(-1)).toMatchObject({ details: { reason: 'Two cheques bounced' } });
    expect((await page(path)).words).toContain(
      'All its tokens are refused: its stores read “Your account is suspended. Ask the wholesaler.”',
    );
    expect((await page(path)).text).not.toContain(`${path}/order"`);
    await admin.post(`${path}/resume`).expect(303);
    expect(await call()).toBe(200);
    expect((await page(path)).text).toContain(`${path}/order"`);
    expect((await audited()).map(({ action }) => action)).toEqual(['client.suspended', 'client.resumed']);
  });

  it('get another subscription, unless it has changed since the page was opened', async () => {
    const { text } = await page(`${path}/subscription`);
    const displayed = hiddenFields(text).shown![0]!;
    const plan = /<option value="([^"]+)" selected/.exec(text)![1]!;
    const form = { plan, from: '', until: '2032-03-31', shown: displayed };
    await test.pool.query(`UPDATE plans SET name = 'Best ' || code WHERE code = $1`, [plan]);
    const set = await admin.post(`${path}/subscription`, form).expect(303);
    expect(noticeOf(set)).toContain(`The plan is Best ${plan} until 31 Mar 2032.`);
    const extended = (await page(path)).words;
    expect(extended).toContain(`Plan Best ${plan} until 31 Mar 2032`);
    // One change of its end, not the end of one and the start of another.
    const changed = (await page('/desk/goods/changes?subject=subscription')).words;
    expect(changed).toMatch(/Subscription client \d+ plan Best \S+ Until: [^→]* → 31 Mar 2032 \S+@/);
    const late = await admin.post(`${path}/subscription`, { ...form, until: '2033-01-01' }).expect(409);
    expect(readable(late.text)).toContain('have changed since you opened the page');
    await admin.post(`${path}/subscription/end`, { shown: displayed }).expect(409);
    const now = hiddenFields((await page(`${path}/subscription`)).text).shown![0]!;
    await admin.post(`${path}/subscription/end`, { shown: now }).expect(303);
    expect((await page(path)).words).toContain('No active subscription');
    expect((await page(path)).words).toMatch(/Plan Best \S+ ended .* State Ended/);
    const none = hiddenFields((await page(`${path}/subscription`)).text).shown![0]!;
    const next = { plan, from: '2099-01-01', until: '2099-12-31', shown: none };
    await admin.post(`${path}/subscription`, next).expect(303);
    const { words } = await page(path);
    expect(words).toMatch(/Plan Best \S+ to come, until 31 Dec 2099 .* State To come From 1 Jan 2099, 00:00/);
    expect(words).not.toContain('Next: plan');
  });

  describe('Tokens', () => {
    it('are made once by a repeated form, and shown once', async () => {
      const domain = `tokens-${++made}.example.com`;
      const key = hiddenFields((await page(`${path}/tokens`)).text).key!;
      const form = { name: 'Second shop', domain, key };
      const { text } = await admin.post(`${path}/tokens/new`, form).expect(200);
      const token = tokenIn(text);
      expect(await accountStatus(token, domain)).toBe(200);
      const secondTime = await admin.post(`${path}/tokens/new`, form).expect(409);
      expect(readable(secondTime.text)).toContain('This token was already created, and shown once.');
      const list = await page(`${path}/tokens`);
      expect(list.title).toBe(`${(await page(path)).title}: 2 valid tokens`);
      expect(list.text).not.toContain(token);
      const wrong = await admin.post(`${path}/tokens/new`, { ...form, domain: 'a/b' }).expect(422);
      expect(readable(wrong.text)).toContain('The domain must look like store.example.com');
    });

    it('are replaced once, and revoked', async () => {
      const { rows: found } = await test.pool.query<{ id: number }>(
        'SELECT id FROM tokens WHERE client_id = $1',
        [store.clientId],
      );
      const token = `${path}/tokens/${found[0]!.id}`;
      const key = hiddenFields((await page(token)).text).key!;
      const { text } = await admin.post(`${token}/replace`, { overlap: '1h', key }).expect(200);
      const successor = tokenIn(text);
      const late = await admin.post(`${token}/replace`, { overlap: '1h', key: `${key[0]}x` }).expect(303);
      expect(noticeOf(late)).toContain('was replaced already');
      expect((await page(token)).words).not.toContain('Replace token');
      expect((await page(`${token}/revoke`)).words).toContain('will be refused within a second');
      await admin.post(`${token}/revoke`).expect(303);
      await admin.get(token).expect(404);
      expect((await page(`${path}/tokens`)).words).toContain('Ended tokens');
      expect(await accountStatus(successor, store.headers['X-Client-Domain']!)).toBe(200);
      expect((await audited()).map(({ action }) => action)).toEqual([
        'token.issued',
        'token.replaced',
        'token.revoked',
      ]);
    });

    it('of another client are not revoked here', async () => {
      const other = await test.fixtures.store();
      const { rows: found } = await test.pool.query<{ id: number }>(
        'SELECT id FROM tokens WHERE client_id = $1',
        [other.clientId],
      );
      await admin.post(`${path}/tokens/${found[0]!.id}/revoke`).expect(404);
      await admin.get(`${path}/tokens/${found[0]!.id}`).expect(404);
    });

    it('have domains that are allowed and removed', async () => {
      const allowed = `more-${++made}.example.com`;
      await admin.post(`${path}/domains/allow`, { allowed }).expect(303);
      expect((await page(`${path}/tokens`, staff)).words).toContain(`${allowed} Allowed`);
      await admin.post(`${path}/domains/disallow`, { disallowed: allowed }).expect(303);
      expect((await page(`${path}/tokens`)).words).not.toContain(allowed);
      const wrong = await admin.post(`${path}/domains/allow`, { allowed: 'a b' }).expect(422);
      expect(wrong.text).toContain('id="field-allowed-fault"');
    });
  });

  describe('The wallet', () => {
    const review = async (amount: string) => {
      const { text } = await admin.post(`${path}/wallet/adjust`, { amount, reason: 'goodwill' }).expect(200);
      return { title: headline(text), words: readable(text), text };
    };
    const balance = async () =>
      (await test.app.get(WalletService, { strict: false }).show(store.clientId)).balance;
    const formOf = (text: string): FormValues => {
      const { key, last, amount, reason } = hiddenFields(text);
      return { key: key!, last: last!, amount: amount!, reason: reason!, step: 'confirm' };
    };

    it('is corrected once, after a page that shows what it does', async () => {
      const requested = await review('1,250.50');
      expect(requested.title).toBe(`Add ₹1,250.50 to the wallet of Store ${made}?`);
      expect(requested.words).toContain('In the wallet now ₹0.00 Correction +₹1,250.50');
      const form = formOf(requested.text);
      await Promise.all([0, 1].map(() => admin.post(`${path}/wallet/adjust`, form).expect(303)));
      const repeated = await admin.post(`${path}/wallet/adjust`, form).expect(303);
      expect(noticeOf(repeated)).toContain('This was posted before.');
      expect(await balance()).toBe(1250.5);
      const { words, title } = await page(`${path}/wallet`, staff);
      expect(title).toBe(`₹1,250.50 in the wallet of Store ${made}`);
      expect(words).toContain('Corrected by the wholesaler goodwill');
      expect(await audited()).toEqual([
        { action: 'wallet.adjusted', details: { amount: 1250.5, reason: 'goodwill' } },
      ]);
    });

    it('records a payout to the bank once, after a review', async () => {
      await admin.post(`${path}/wallet/adjust`, formOf((await review('100')).text)).expect(303);
      const form = { amount: '40', reference: 'N123456789012345', date: '', bank: 'HDFC 1234' };
      const { text } = await admin.post(`${path}/wallet/pay-out`, form).expect(200);
      expect(headline(text)).toBe(`Pay ₹40.00 out of the wallet of Store ${made}?`);
      expect(readable(text)).toContain(
        'Payout −₹40.00 In the wallet afterwards ₹60.00 Reference N123456789012345 of',
      );
      const confirmed = { ...form, step: 'confirm' };
      await Promise.all([0, 1].map(() => admin.post(`${path}/wallet/pay-out`, confirmed).expect(303)));
      expect(await balance()).toBe(60);
      const repeated = await admin.post(`${path}/wallet/pay-out`, confirmed).expect(303);
      expect(noticeOf(repeated)).toContain('is already in the wallet');
      const { words } = await page(`${path}/wallet`, staff);
      expect(words).toContain('Paid out to the bank N123456789012345 of');
      const rights = 'Only admins can record a payout or correct the wallet.';
      expect(words).toContain(rights);
      expect((await page(`${path}/wallet`, admin)).words).not.toContain(rights);
      const beyond = await admin.post(`${path}/wallet/pay-out`, { ...form, amount: '61' }).expect(200);
      expect(readable(beyond.text)).toContain('The wallet has only ₹60.00 to take out.');
      const wrong = await admin.post(`${path}/wallet/pay-out`, { ...form, date: '2999-01-01' }).expect(422);
      expect(wrong.text).toContain('id="field-date-fault"');
      await staff.get(`${path}/wallet/pay-out`).expect(403);
    });

    it('is not corrected twice by two people for one mistake', async () => {
      const [first, second] = await Promise.all([review('10'), review('10')]);
      await admin.post(`${path}/wallet/adjust`, formOf(first.text)).expect(303);
      const late = await admin.post(`${path}/wallet/adjust`, formOf(second.text)).expect(303);
      expect(noticeOf(late)).toContain('another person has corrected this wallet');
      expect(await balance()).toBe(10);
    });

    it('never goes below zero, and shows an error at its field', async () => {
      expect((await review('-1')).words).toContain('The wallet has only ₹0.00 to take out.');
      const wrong = await admin.post(`${path}/wallet/adjust`, { amount: 'x', reason: 'why' }).expect(422);
      expect(wrong.text).toContain('id="field-amount-fault"');
      expect(wrong.text).toContain('value="why"');
      const form = { amount: '5', reason: 'why', key: 'x', last: '0', step: 'confirm' };
      await admin.post(`${path}/wallet/adjust`, form).expect(400);
      expect(await balance()).toBe(0);
    });
  });

  it('show staff the calls of their store as the client sees them, and of no other client', async () => {
    const other = await test.fixtures.store();
    const body = orderBody([{ sku: 'NONE', quantity: 1 }], { store_order_id: '4711' });
    expect((await page(`${path}/requests`, staff)).title).toBe('The store has not called since yesterday');
    await test.post(store, '/api/orders', body).expect(422);
    await test.post(other, '/api/orders', body).expect(422);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    const calls = await page(`${path}/requests`, staff);
    expect(calls.title).toBe('1 call was refused since yesterday');
    expect(linkOf(calls.text, 'Requests')).toBe(`${path}/requests`);
    const owner = await signIn(test, store.clientId);
    const own = await page('/dashboard/requests', owner);
    const atDesk = (text: string) => text.replaceAll('/dashboard/requests', `${path}/requests`);
    const plot = (text: string) => /<figure class="plot">.*<\/figure>/s.exec(text)![0];
    expect(plot(calls.text)).toBe(atDesk(plot(own.text)));
    const call = linkOf(calls.text, 'POST /api/orders');
    expect(call).toBe(atDesk(linkOf(own.text, 'POST /api/orders')));
    const displayed = await page(call, staff);
    expect(displayed.words).toMatch(/items\[0\]\.sku/);
    expect(displayed.words).toContain('The store’s order id 4711');
    expect(displayed.words).toContain('Advice for the store: Correct every field in errors , then');
    expect(linkOf((await page(`${path}/requests?request_id=4711`, staff)).text, 'POST /api/orders')).toBe(
      call,
    );
    expect(linkOf(displayed.text, 'Requests')).toBe(`${path}/requests`);
    await staff.get(call.replace(path, `${CLIENTS}/${other.clientId}`)).expect(404);
    await staff.get(`${CLIENTS}/999999/requests`).expect(404);
    expect(calls.text + displayed.text).not.toContain('/dashboard');
  });

  it('have people whom an admin invites, changes and disables', async () => {
    const owner = await signIn(test, store.clientId);
    const email = `buyer-${++made}@example.com`;
    const invited = await admin.post(`${path}/people/invite`, { email, role: 'buyer' }).expect(200);
    expect(invited.text).toMatch(/id="link"[^>]*value="http/);
    expect((await page(`${path}/people`)).words).toMatch(new RegExp(`${email} Buyer`));
    const taken = await admin.post(`${path}/people/invite`, { email, role: 'buyer' }).expect(422);
    expect(taken.text).toContain('id="field-email-fault"');
    const person = `${path}/people/${owner.person.id}`;
    const last = await admin.post(`${person}/disable`).expect(409);
    expect(readable(last.text)).toContain('is the only owner who can sign in');
    const second = await signIn(test, store.clientId);
    await test.pool.query(`UPDATE people SET password_hash = 'x' WHERE id = $1`, [second.person.id]);
    await admin.post(`${person}/disable`).expect(303);
    await owner.get('/dashboard').expect(303);
    expect((await audited()).map(({ action }) => action)).toEqual(['person.invited', 'person.disabled']);
    const other = await test.fixtures.store();
    const outsider = await signIn(test, other.clientId);
    await admin.get(`${path}/people/${outsider.person.id}`).expect(404);
  });

  it('need the data of invoices where GST is on; staff set it, and Today lists clients without it', async () => {
    const form = (await page(`${CLIENTS}/new`)).text;
    expect([form, (await page('/desk', staff)).words].join()).not.toMatch(/GSTIN|cannot leave/);
    await staff.get(`${path}/tax`).expect(404);
    await test.fixtures.seller();
    expect((await page(`${CLIENTS}/new`)).text).toContain('name="billingAddress"');
    const { rows: plans } = await test.pool.query<{ code: string }>('SELECT code FROM plans LIMIT 1');
    const add = async (more: FormValues) => {
      const n = ++made;
      const { text } = await admin
        .post(`${CLIENTS}/new`, {
          name: `New ${n}`,
          email: `n-${n}@new.example.com`,
          domain: `n-${n}.example.com`,
          plan: plans[0]!.code,
          until: '2031-03-31',
          ...more,
        })
        .expect(200);
      return readable(text);
    };
    const whole = { gstin: '27AAPFU0939F1ZV', state: '', billingAddress: '4, Residency Road' };
    expect(await add(whole)).not.toContain('cannot leave');
    expect(await add({ ...whole, gstin: '' })).toContain('an invoice needs its GSTIN or state.');
    await test.pool.query('UPDATE clients SET suspended_at = now() WHERE id <> $1', [store.clientId]);
    expect((await page('/desk', staff)).words).toContain(
      `Store ${made - 2} GSTIN or state, and billing address`,
    );
    expect((await page(path, staff)).words).toContain('Its parcels cannot leave');
    const opened = await page(`${path}/tax`, staff);
    expect(opened.title).toMatch(/^Tax data of /);
    const { shown: displayed } = hiddenFields(opened.text);
    const sellers = { ...whole, gstin: '29AAGCB7383J1Z4', shown: displayed! };
    expect((await staff.post(`${path}/tax`, sellers).expect(422)).text).toContain(
      'This GSTIN belongs to the seller',
    );
    await staff.post(`${path}/tax`, { ...whole, shown: displayed!, name: 'Other' }).expect(303);
    expect((await page(path, staff)).words).not.toContain('cannot leave');
    expect((await page(path, staff)).title).toBe(`Store ${made - 2}`);
    expect((await page('/desk', staff)).words).not.toContain('cannot leave');
    await test.fixtures.sql('DELETE FROM sellers');
  });

  afterAll(endEverything);
});

describe('Notes of the desk', () => {
  const test = setUpTestApp();
  let packer: SignedIn<DeskPerson>;
  let staff: SignedIn<DeskPerson>;
  let store: Store;
  let order: string;
  let unpaid: string;

  beforeAll(async () => {
    await test.fixtures.products([{ sku: 'MUG', name: 'Mug', basePrice: '100.00', stock: 1000 }]);
    [packer, staff] = [await signInAtDesk(test, 'packer'), await signInAtDesk(test, 'staff')];
    store = await test.fixtures.store({ name: 'Mango Market' });
    order = await placeAndMove(test, store, [{ sku: 'MUG', quantity: 2 }], 'pay');
    unpaid = await test.place(store, [{ sku: 'MUG', quantity: 1 }]);
  });

  const add = (who: SignedIn<DeskPerson>, of: string, text: string) =>
    who.post(`/desk/notes/${of}`, { text });
  const observed = async (path: string, who = staff) => readable((await who.get(path).expect(200)).text);

  it('are seen with their author by everybody at the desk, the newest first', async () => {
    const { headers } = await add(packer, `order/${order.toLowerCase()}`, ' Fragile\r\nwrap it <twice> ');
    expect(headers.location).toBe(`/desk/orders/${order}`);
    await add(staff, `order/${order}`, 'Called the customer').expect(303);
    const text = await observed(`/desk/orders/${order}`, packer);
    expect(text).toMatch(/Notes Called the customer .* by .* Fragile wrap it <twice> .* by /);
    expect(text).toContain(packer.person.email);
    expect(await observed(`/desk/orders/${unpaid}`)).not.toContain('Fragile');
  });

  it('are seen by no store and no client', async () => {
    await add(staff, `order/${order}`, 'Kept among us').expect(303);
    const owner = await signIn(test, store.clientId);
    for (const path of [`/dashboard/orders/${order}`, '/dashboard/orders'])
      expect((await owner.get(path).expect(200)).text).not.toContain('Kept among us');
    const { text } = await test.get(store, `/api/orders/${order}/status`).expect(200);
    expect(text).not.toContain('Kept among us');
  });

  it('stand on returns and clients too', async () => {
    const desk = orderDesk(test.app);
    const parcel = { courier: 'x', trackingNumber: null, trackingUrl: null, shippedAt: null };
    await desk.ship(order, 'test', parcel);
    const requested = { lines: [{ line: 1, quantity: 1 }], reason: 'Wrong item', note: '' };
    const { number } = await orderReturns(test.app).add(order, requested, 'test');
    await add(packer, `return/${number}`, 'Box is open').expect(303);
    expect(await observed(`/desk/returns/${number}`)).toContain('Box is open');
    await add(staff, `client/${store.clientId}`, 'Pays late').expect(303);
    expect(await observed(`/desk/clients/${store.clientId}`)).toContain('Pays late');
    const other = await test.fixtures.store({ name: 'Other' });
    expect(await observed(`/desk/clients/${other.clientId}`)).not.toContain('Pays late');
  });

  it('are removed by their author only', async () => {
    await add(packer, `order/${unpaid}`, 'x').expect(403);
    await add(staff, `order/${unpaid}`, 'Wait').expect(303);
    const { text } = await staff.get(`/desk/orders/${unpaid}`).expect(200);
    const [path] = /\/desk\/notes\/order\/[^"]+\/remove/.exec(text)!;
    const another = await signInAtDesk(test, 'staff');
    expect((await another.get(`/desk/orders/${unpaid}`)).text).not.toContain(path);
    await another.post(path).expect(303);
    expect(await observed(`/desk/orders/${unpaid}`)).toContain('Wait');
    await staff.post(path).expect(303);
    expect(await observed(`/desk/orders/${unpaid}`)).not.toContain('Wait');
    await staff.post(path).expect(303);
  });

  it.each([
    ['no text', ' \n '],
    ['too much text', 'x'.repeat(1001)],
  ])('are refused with %s', async (_, text) => {
    await add(staff, `order/${order}`, text).expect(303);
    expect(await observed(`/desk/orders/${order}`)).not.toContain('x'.repeat(1001));
    expect((await test.pool.query("SELECT FROM notes WHERE text = ''")).rowCount).toBe(0);
  });

  it('are refused about what is not there, or not for a packer', async () => {
    await add(packer, `client/${store.clientId}`, 'x').expect(403);
    for (const of of [
      'order/WO-20260101-AAAAA-AAAAA',
      'return/RET-1',
      'client/999999',
      'client/x',
      'plan/GOLD',
    ])
      await add(staff, of, 'x').expect(404);
    await staff.post(`/desk/notes/order/${order}/x/remove`).expect(303);
  });
});
