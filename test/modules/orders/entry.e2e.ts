import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import { SnapshotService } from '../../../src/read-model/snapshot/snapshot.service.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { headline, hiddenFields, linkOf, noticeIn, readable, rows } from '../../support/page-text.js';
import { type FormValues, type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const RECIPIENT = {
  customerName: 'Ravi Kumar',
  customerPhone: '+91 98765 43210',
  customerEmail: '',
  shippingAddress: '12, MG Road',
  shippingCity: 'Bengaluru',
  shippingState: 'Karnataka',
  shippingPincode: '560 038',
  shippingCountry: 'India',
  notes: 'Call first.\r\nThen ring.',
};

const OWN_FORM = '/dashboard/orders/new';

describe('An order that a person enters', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let staff: SignedIn<DeskPerson>;
  let store: Store;
  let buyer: SignedIn;
  let desk: string;
  let mug: string;

  beforeAll(async () => {
    staff = await signInAtDesk(test, 'staff');
    await test.fixtures.product({
      sku: 'SHIRT',
      name: 'Shirt',
      basePrice: '200.00',
      deliveryCharge: '49.00',
      variations: [{ name: 'Size', values: ['S', 'M'] }],
      stock: { 'Size:S': 500, 'Size:M': 0 },
    });
  });
  beforeEach(async () => {
    const plan = await test.fixtures.plan({ discount: '10.00' });
    store = await test.fixtures.store({ planId: plan.id, name: 'Phone Traders' });
    buyer = await signIn(test, store.clientId, 'buyer');
    desk = `/desk/clients/${store.clientId}/order`;
    ({ sku: mug } = await test.fixtures.product({ basePrice: '149.55', deliveryCharge: '30.00', stock: 5 }));
  });

  const ordersOf = async ({ clientId }: Store) =>
    (
      await test.pool.query<{ order_number: string; origin: string; actor: string; held: number }>(
        `SELECT order_number, origin, actor FROM orders JOIN order_timeline USING (client_id, order_number)
          WHERE client_id = $1 AND entry = 1`,
        [clientId],
      )
    ).rows;
  const opened = async (who: SignedIn | SignedIn<DeskPerson>, path: string) =>
    hiddenFields((await who.get(path).expect(200)).text);
  const review = async (who: SignedIn | SignedIn<DeskPerson>, path: string, fields: FormValues) => {
    const { text } = await who
      .post(path, { ...RECIPIENT, ...(await opened(who, path)), ...fields })
      .expect(200);
    const confirm = () => who.post(path, { ...hiddenFields(text), step: 'confirm' });
    return { text, message: readable(text), confirm };
  };

  it('takes quantities as people write them', async () => {
    const [plain, written] = [`${mug} 2\nSHIRT 1 S`, `${mug} x 2\nSHIRT ×1 S`];
    const [one, other] = [
      await review(staff, desk, { items: plain }),
      await review(staff, desk, { items: written }),
    ];
    expect(rows(other.text)).toEqual(rows(one.text));
  });

  it('takes the beginning of a SKU or a name that one product alone has', async () => {
    await test.fixtures.product({ sku: 'TUMBLER-350', name: 'Steel tumbler', stock: 5 });
    await test.fixtures.product({ sku: 'JUG-1', name: 'Jug', stock: 5 });
    await test.fixtures.product({ sku: 'JUG-2', name: 'Jug with lid', stock: 5 });
    const { text } = await review(staff, desk, { items: 'tumbler x 3\nsteel,1\nJUG-1 1' });
    expect(rows(text)).toEqual([
      expect.stringMatching(/^Steel tumbler TUMBLER-350 3 /),
      expect.stringMatching(/^Steel tumbler TUMBLER-350 1 /),
      expect.stringMatching(/^Jug JUG-1 1 /),
    ]);
    expect(hiddenFields(text).items).toEqual(['TUMBLER-350 3\nTUMBLER-350 1\nJUG-1 1']);
    const refused = async (items: string) => {
      const fields = { ...RECIPIENT, ...(await opened(staff, desk)), items };
      return readable((await staff.post(desk, fields).expect(422)).text);
    };
    expect(await refused('JUG-1 1\njug 1')).toContain(
      'Line 2: sku must name one product for sale; these begin with it: JUG-1, JUG-2.',
    );
    // The whole word is another product, which is not sold, or never was.
    await test.fixtures.product({ sku: 'CUP350', name: 'Cup', active: false });
    await test.fixtures.product({ sku: 'CUP350-XL', name: 'Large cup', stock: 5 });
    const other = 'Line 1: sku must name one product for sale; these begin with it: CUP350-XL.';
    for (const typed of ['CUP350', 'cup350']) expect(await refused(`${typed} 1`)).toContain(other);
    // The whole word is this product, in another case.
    expect(rows((await review(staff, desk, { items: 'jug-1 1' })).text)).toEqual([
      expect.stringMatching(/^Jug JUG-1 1 /),
    ]);
    expect(rows((await review(staff, desk, { items: 'CUP350- 1' })).text)).toEqual([
      expect.stringMatching(/^Large cup CUP350-XL 1 /),
    ]);
    await test.pool.query(`UPDATE products SET active = true WHERE sku = 'CUP350'`);
    await test.app.get(SnapshotService).refreshNow();
    await test.pool.query(`UPDATE products SET active = false WHERE sku = 'CUP350'`);
    await test.app.get(SnapshotService).refreshNow();
    expect(await refused('CUP350 1')).toContain(other);
    expect(await refused('GHOST 1')).toContain('Line 1: sku is not the SKU of an active product');
  });

  it('shows the quote of the API, and is placed at the desk in the name of the person', async () => {
    const items = `${mug} 2\n\n  SHIRT,1,S  \nSHIRT\t2\tSize: S`;
    const { text, message, confirm } = await review(staff, desk, { items });
    const { body: quote } = await test
      .post(store, '/api/orders/quote', {
        items: [
          { sku: mug, quantity: 2 },
          { sku: 'SHIRT', quantity: 1, variation: 'S' },
          { sku: 'SHIRT', quantity: 2, variation: 'Size: S' },
        ],
      })
      .expect(200);
    expect(headline(text)).toBe(`Order for Ravi Kumar · ₹${quote.total}0`);
    expect(rows(text)).toEqual([
      expect.stringContaining(`${mug} 2 ₹134.60 ₹269.20`),
      'Shirt SHIRT · Size: S 1 ₹180.00 ₹180.00',
      'Shirt SHIRT · Size: S 2 ₹180.00 ₹360.00',
    ]);
    expect(message).toContain('New order for Phone Traders: nothing is placed yet.');
    expect(message).toContain('Goods ₹809.20 Delivery ₹79.00 Total ₹888.20');
    expect(message).toContain(
      'Address 12, MG Road City Bengaluru State Karnataka PIN code 560038 Country India',
    );
    expect(await ordersOf(store)).toEqual([]);

    const { headers } = await confirm().expect(303);
    const [order, ...others] = await ordersOf(store);
    const actor = `person ${staff.person.id} (${staff.person.email})`;
    expect([order, others]).toEqual([expect.objectContaining({ origin: 'desk', actor }), []]);
    const number = order!.order_number;
    expect(headers.location).toBe(`/desk/orders/${number}`);
    const atDesk = readable((await staff.get(headers.location!).expect(200)).text);
    expect(atDesk).toMatch(/An order of Phone Traders , placed by staff-1@wholesale.example.com just now/);
    const ofClient = readable((await buyer.get(`/dashboard/orders/${number}`).expect(200)).text);
    expect(ofClient).toContain('Placed by the wholesaler just now');
    expect(ofClient).not.toContain(staff.person.email);
    expect(ofClient).toContain('Call first. Then ring.');
    const { body: polled } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    expect(polled).toMatchObject({ status: 'awaiting_payment', total_amount: quote.total });
    const { rows: log } = await test.pool.query(
      `SELECT actor, person_id, client_id, details FROM audit_log WHERE subject = $1`,
      [`order ${number}`],
    );
    expect(log).toEqual([
      { actor, person_id: staff.person.id, client_id: store.clientId, details: { total: '888.20' } },
    ]);
    expect((await staff.get('/desk/orders/orders.csv?status=all').expect(200)).text).toMatch(
      new RegExp(`^${number}.*,desk,$`, 'm'),
    );
  });

  it('is placed once, however often and from however many tabs its form is sent', async () => {
    const { confirm, text } = await review(buyer, OWN_FORM, { items: `${mug} 5` });
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirm()));
    const [order, ...others] = await ordersOf(store);
    expect(others).toEqual([]);
    expect(order).toMatchObject({ origin: 'dashboard', actor: expect.stringContaining(buyer.person.email) });
    const path = `/dashboard/orders/${order!.order_number}`;
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual(
      answers.map(() => [303, path]),
    );
    // Back, then another quantity, or the same after the order was cancelled.
    const changed = await buyer.post(OWN_FORM, { ...hiddenFields(text), items: `${mug} 1`, step: 'confirm' });
    expect([changed.status, changed.headers.location]).toEqual([303, path]);
    await buyer.post(`${path}/cancel`).expect(303);
    const { headers } = await confirm().expect(303);
    expect(headers.location).toBe(path);
    expect(await ordersOf(store)).toHaveLength(1);
    expect(readable((await buyer.get(path)).text)).toContain(`Placed by ${buyer.person.email}`);
  });

  it('is not placed at another total or without stock than the person saw', async () => {
    const { confirm } = await review(buyer, OWN_FORM, { items: `${mug} 2` });
    await test.pool.query(`UPDATE products SET base_price = 200 WHERE sku = $1`, [mug]);
    const again = await confirm().expect(409);
    expect(readable(again.text)).toContain('Nothing was placed: you saw ₹299.20, and this has changed.');
    expect(headline(again.text)).toBe('Order for Ravi Kumar · ₹390.00');
    await test.pool.query(
      `UPDATE stock_items SET on_hand = 1 WHERE product_id = (SELECT id FROM products WHERE sku = $1)`,
      [mug],
    );
    const confirmed = { ...hiddenFields(again.text), step: 'confirm' };
    const short = await buyer.post(OWN_FORM, confirmed).expect(422);
    expect(headline(short.text)).toBe('This order cannot be placed now');
    expect(readable(short.text)).toContain('Line 1: only 1 can be sold now, but the order needs 2');
    expect(short.text).not.toContain('Place the order');
    await test.pool.query(`UPDATE products SET active = false WHERE sku = $1`, [mug]);
    await test.app.get(SnapshotService).refreshNow();
    const gone = await buyer.post(OWN_FORM, confirmed).expect(422);
    expect(readable(gone.text)).toContain('Line 1: sku is the SKU of an inactive product.');
    expect(await ordersOf(store)).toEqual([]);
    await buyer.post(OWN_FORM, { ...confirmed, items: 'SHIRT 1 S', key: '' }).expect(400);
    expect(await ordersOf(store)).toEqual([]);
  });

  it('names the wrong line and field, and keeps what was typed', async () => {
    const fields = {
      ...RECIPIENT,
      ...(await opened(buyer, OWN_FORM)),
      customerPhone: '12',
      shippingCity: '',
    };
    const items = `MUGG\n\nSHIRT 1 XL\n${mug} two\n${mug} 0`;
    const { text } = await buyer.post(OWN_FORM, { ...fields, items }).expect(422);
    const message = readable(text);
    const lines = [...message.matchAll(/Line (\d)/g)].map(([, line]) => Number(line));
    expect(lines).toEqual(lines.toSorted());
    expect(message).toContain('Line 1: quantity is required');
    expect(message).toContain('Line 2: variation is not a variation of this product: Size:S; Size:M.');
    expect(message).toContain('Line 3: quantity must be');
    expect(message).toContain('Line 4: quantity must be at least 1');
    expect(message).toContain('Must be ten digits in India');
    expect(text).toContain('is required.\nLine 2: ');
    expect(text).toContain(`MUGG\nSHIRT 1 XL\n${mug} two\n${mug} 0</textarea>`);
    const many = Array.from({ length: 101 }, () => `${mug} 1`).join('\n');
    const { text: refused } = await buyer.post(OWN_FORM, { ...RECIPIENT, items: many }).expect(422);
    expect(readable(refused)).toContain('at most 100');
  });

  it('takes products from a search, from the catalog, and from an earlier order with its recipient', async () => {
    const key = await opened(buyer, OWN_FORM);
    const search = { ...key, search: 'shirt', items: 'A 1' };
    const found = await buyer.post(OWN_FORM, { ...search, step: 'search' }).expect(200);
    expect(readable(found.text)).toContain('Add Shirt Size: S · ₹180.00 · 497 available');
    const added = await buyer.post(OWN_FORM, { ...search, add: 'SHIRT 1 Size:S' }).expect(200);
    expect(added.text).toContain('A 1\nSHIRT 1 Size:S</textarea>');
    expect(hiddenFields(added.text).key).toEqual(key.key);
    const fromCatalog = linkOf((await buyer.get(`/dashboard/catalog/${mug}`)).text, 'Add to an order');
    expect((await buyer.get(fromCatalog).expect(200)).text).toContain(`>${mug} 1</textarea>`);
    const varied = linkOf((await buyer.get('/dashboard/catalog/SHIRT')).text, 'Add to an order');
    expect((await buyer.get(varied).expect(200)).text).toContain('value="SHIRT 1 Size:S"');

    const number = await test.place(store, orderBody([{ sku: mug, quantity: 2, variation: 'gift wrap' }]));
    const filled = await buyer
      .post(OWN_FORM, { ...key, ...RECIPIENT, customerName: '', recipient: number, step: 'recipient' })
      .expect(200);
    expect(filled.text).toContain('value="ravi@example.com"');
    expect(filled.text).toContain('Call first.');
    await test.place(store, orderBody([{ sku: mug, quantity: 1 }]));
    expect((await buyer.get(OWN_FORM)).text.match(/<option[^>]*>Ravi Kumar, /g)).toHaveLength(1);
    const path = linkOf((await staff.get(`/desk/orders/${number}`)).text, 'Order again');
    const { text } = await staff.get(path).expect(200);
    expect(text).toContain(`${mug} 2 gift wrap</textarea>`);
    const charge = 'The delivery charge counts again.';
    expect(readable(text)).toContain(charge);
    const own = (await buyer.get(`${OWN_FORM}?again=${number}`).expect(200)).text;
    for (const other of [own, (await staff.get(desk)).text]) expect(readable(other)).not.toContain(charge);
    const fields = { ...RECIPIENT, ...hiddenFields(text), items: `${mug} 1` };
    const reviewed = await staff.post(desk, fields).expect(200);
    const wallets = test.app.get(WalletService, { strict: false });
    await wallets.adjust(store.clientId, '500', 'for a test', 'test');
    expect(readable(reviewed.text)).toContain('In the wallet now ₹0.00 In the wallet afterwards not enough');
    const afterwards = /In the wallet now ₹500.00 In the wallet afterwards ₹\d/;
    expect(readable((await staff.post(desk, fields).expect(200)).text)).toMatch(afterwards);
    const confirmed = { ...hiddenFields(reviewed.text), step: 'confirm', consent: 'Asha, by phone' };
    const odd = await staff.post(desk, { ...confirmed, consent: 'Asha\u0007' }).expect(422);
    expect(readable(odd.text)).toContain('The consent must be one line');
    // The form is sent twice.
    for (let times = 0; times < 2; times++) {
      const { headers } = await staff.post(desk, confirmed).expect(303);
      expect(noticeIn(headers)).toMatch(/WO-\S+ is placed and paid from the wallet\./);
    }
    const { rows: placed } = await test.pool.query(
      `SELECT metadata, order_number AS made FROM orders WHERE origin = 'desk' AND client_id = $1`,
      [store.clientId],
    );
    expect(placed).toMatchObject([{ metadata: { replaces_order: number } }]);
    const { made } = placed[0] as { made: string };
    expect(readable((await staff.get(`/desk/orders/${made}`)).text)).toContain(
      'Paid by wallet: Asha, by phone',
    );
    for (const [by, orders] of [
      [staff, '/desk/orders'],
      [buyer, '/dashboard/orders'],
    ] as const) {
      const page = (await by.get(`${orders}/${made}`).expect(200)).text;
      expect(readable(page)).toContain(`Instead of ${number}`);
      expect(linkOf(page, number)).toBe(`${orders}/${number}`);
      expect(readable(page)).not.toContain('replaces_order');
    }
  });

  it('is placed but not paid if the wallet has too little, which the next page says', async () => {
    const { text } = await review(staff, desk, { items: `${mug} 1` });
    const confirmed = { ...hiddenFields(text), step: 'confirm', consent: 'Asha, by phone' };
    const { headers } = await staff.post(desk, confirmed).expect(303);
    const { text: order } = await staff.get(headers.location!).expect(200);
    expect(headline(order)).toContain('waits for payment');
    expect(noticeIn(headers)).toMatch(/WO-\S+ is placed, but not paid: The wallet holds/);
    expect((await review(buyer, OWN_FORM, { items: `${mug} 1` })).text).not.toContain('consent');
  });

  it('needs a role, and an own order to repeat', async () => {
    const viewer = await signIn(test, store.clientId, 'viewer');
    const packer = await signInAtDesk(test, 'packer');
    for (const [person, path] of [
      [viewer, OWN_FORM],
      [packer, desk],
      [buyer, desk],
    ] as const) {
      const refused = [await person.get(path), await person.post(path, { step: 'confirm' })];
      expect(refused.map(({ status }) => status)).toEqual(person === buyer ? [303, 403] : [403, 403]);
    }
    expect((await viewer.get(`/dashboard/catalog/${mug}`).expect(200)).text).not.toContain('Add to an order');
    const other = await test.fixtures.store({});
    const foreign = await test.place(other, [{ sku: mug, quantity: 1 }]);
    await buyer.get(`${OWN_FORM}?again=${foreign}`).expect(404);
    await buyer.post(OWN_FORM, { ...RECIPIENT, recipient: foreign, step: 'recipient' }).expect(404);
    await staff.get(`${desk}?again=${foreign}`).expect(404);
    await staff.get('/desk/clients/999999/order').expect(404);
  });

  it('is refused for a client that is suspended, has no subscription, or owes too much', async () => {
    const { confirm } = await review(staff, desk, { items: 'SHIRT 1 S' });
    const set = (change: string) =>
      test.pool.query(`UPDATE clients SET ${change} WHERE id = $1`, [store.clientId]);
    await set('unpaid_orders_limit = 1');
    await test.place(store, [{ sku: mug, quantity: 1 }]);
    const limited = await confirm().expect(422);
    expect(readable(limited.text)).toContain('The limit is 1 orders');
    await set('suspended_at = now()');
    expect(readable((await confirm().expect(409)).text)).toContain('The account is suspended');
    await set('suspended_at = NULL');
    await test.pool.query('DELETE FROM subscriptions WHERE client_id = $1', [store.clientId]);
    await test.app.get(SnapshotService).refreshNow();
    expect(readable((await confirm().expect(403)).text)).toContain('There is no active subscription');
    await buyer.get(OWN_FORM).expect(403);
    expect(await ordersOf(store)).toHaveLength(1);
  });

  it('serves a client without a website', async () => {
    const admin = await signInAtDesk(test, 'admin');
    const { rows: plans } = await test.pool.query<{ code: string }>('SELECT code FROM plans LIMIT 1');
    const { text } = await admin
      .post('/desk/clients/new', {
        name: 'By Phone',
        email: 'by.phone@example.com',
        domain: '',
        plan: plans[0]!.code,
        from: '',
        until: '2099-12-31',
      })
      .expect(200);
    expect(headline(text)).toBe('By Phone is added');
    expect(text).not.toContain('id="token"');
    const path = `${linkOf(text, 'I have saved')}/order`;
    await test.app.get(SnapshotService).refreshNow();
    const { confirm } = await review(admin, path, { items: 'SHIRT 1 S' });
    const { headers } = await confirm().expect(303);
    const pay = { method: 'Cash', reference: '', step: 'confirm' };
    const asked = await admin.post(`${headers.location}/pay`, { ...pay, step: '' }).expect(200);
    await admin.post(`${headers.location}/pay`, { ...hiddenFields(asked.text), ...pay }).expect(303);
    expect(headline((await admin.get(headers.location!).expect(200)).text)).toContain('is paid');
  });
});
