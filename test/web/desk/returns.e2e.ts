import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import { orderReturns, type OrderReturns } from '../../support/order-returns.js';
import { ReturnsRepository } from '../../../src/modules/fulfilment/returns/returns.repository.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import type { DeskPerson } from '../../../src/platform/access/signed-in-person.js';
import type { Store } from '../../support/fixtures.js';
import { placeAndMove } from '../../support/order-steps.js';
import { headline, hiddenFields, linkOf, readable, rows } from '../../support/page-text.js';
import { type FormValues, type SignedIn, signIn, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('Returns on the desk', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let desk: OrderDesk;
  let returns: OrderReturns;
  let staff: SignedIn<DeskPerson>;
  let packer: SignedIn<DeskPerson>;
  let store: Store;
  let order: string;

  beforeAll(async () => {
    desk = orderDesk(test.app);
    returns = orderReturns(test.app);
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', basePrice: '100.00', stock: 100_000 },
      { sku: 'POT', name: 'Pot', basePrice: '50.00', stock: 100_000 },
    ]);
    staff = await signInAtDesk(test, 'staff');
    packer = await signInAtDesk(test, 'packer');
  });
  beforeEach(async () => {
    store = await test.fixtures.store({ name: 'Mango Market' });
    const items = [
      { sku: 'MUG', quantity: 60 },
      { sku: 'POT', quantity: 2 },
    ];
    order = await placeAndMove(test, store, items, 'pay', 'ship');
    // The returns of earlier tests and of other clients do not wait.
    const open = test.app.get(ReturnsRepository, { strict: false }).list({ state: 'requested' });
    for await (const { number } of open) await returns.refuse(number, 'test', 'test');
  });
  afterEach(async () => expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]));

  let made = 0;
  const request = async (...lines: [line: number, quantity: number][]) => {
    const requested = {
      lines: lines.map(([line, quantity]) => ({ line, quantity })),
      reason: 'Wrong item',
      key: `k${++made}`,
    };
    return (await returns.add(order, requested, 'test')).number;
  };
  const path = (number: string, action = '') => `/desk/returns/${number}${action && `/${action}`}`;
  const page = async (address: string, who = staff) => (await who.get(address).expect(200)).text;
  const plan = async (number: string, fields: FormValues, who = staff) => {
    const { text } = await who.post(path(number, 'receive'), fields).expect(200);
    const confirm = () => who.post(path(number, 'receive'), { ...hiddenFields(text), step: 'confirm' });
    return { message: readable(text), text, confirm };
  };
  const stockOf = async (sku: string) => (await test.fixtures.stockOf(sku)).on_hand;

  it('wait with the oldest first, on pages that end exactly', async () => {
    const numbers: string[] = [];
    for (let n = 0; n < 50; n++) numbers.push(await request([1, 1]));
    const html = await page('/desk/returns', packer);
    expect(headline(html)).toBe('50 returns wait for your answer');
    expect(rows(html).map((row) => /RT-\S+/.exec(row)![0])).toEqual(numbers);
    expect(html).not.toContain('rel="next"');
    const last = await request([2, 1]);
    const next = await page(linkOf(await page('/desk/returns'), 'Next page'));
    expect(rows(next)).toHaveLength(1);
    expect(rows(next)[0]).toContain(last);
    for (const number of [...numbers, last]) await returns.refuse(number, 'test', 'test');
    expect(headline(await page('/desk/returns'))).toBe('No returns wait');
    const refused = await page('/desk/returns?state=refused');
    expect(headline(refused)).toBe('Refused returns');
    expect(rows(refused)[0]).toContain(last);
    expect(rows(await page(linkOf(refused, 'Next page')))[0]).toContain(numbers[0]);
  });

  it('are received once, after a review of the stock and the refund', async () => {
    const earlier = await request([1, 4]);
    const received = await plan(earlier, { line_1: '4', restock_1: '4', refund: 'yes', note: '' });
    await received.confirm().expect(303);
    const number = await request([1, 3], [2, 1]);
    const before = await stockOf('MUG');
    const fields = {
      line_1: '2',
      line_2: '1',
      restock_1: '1',
      restock_2: '0',
      refund: 'yes',
      note: 'one broke',
    };
    const { message, confirm } = await plan(number, fields);
    expect(message).toContain('Came 2 × Mug 1 × Pot For sale again 1 × Mug Written off 1 × Mug 1 × Pot');
    expect(message).toContain('Did not come can be returned again');
    expect(message).toContain('To the client’s wallet ₹250.00');
    expect(await stockOf('MUG')).toBe(before);
    await confirm().expect(303);
    expect(readable((await confirm().expect(409)).text)).toContain(
      `It was partly received by ${staff.person.email}`,
    );
    expect(await stockOf('MUG')).toBe(before + 1);
    const html = await page(path(number));
    expect(headline(html)).toBe(`${number} is partly received`);
    expect(linkOf(html, 'Order again')).toBe(`/desk/clients/${store.clientId}/order?again=${order}`);
    expect(readable(html)).toMatch(new RegExp(`Received \\S.* by ${staff.person.email} Answer one broke`));
    expect(rows(html)).toEqual(['Mug MUG 3 2 1 1', 'Pot POT 1 1 0 1']);
    expect(readable(html)).toContain('Answer one broke Refunded ₹250.00');
    expect((await desk.show(order)).refunded_amount).toBe(650);
    expect(await returns.show(number)).toMatchObject({ lines: [{ refunded: 200 }, { refunded: 50 }] });
    const ofOrder = readable(await page(`/desk/orders/${order}`));
    expect(ofOrder).toContain('Items 3 × Mug 1 × Pot Received 2 × Mug 1 × Pot Not received 1 × Mug');
    expect(rows(await page('/desk/returns?state=partly_received'))[0]).toContain('₹250.00');
  });

  it('are received by a packer without money', async () => {
    const number = await request([1, 1]);
    const form = await page(path(number, 'receive'), packer);
    expect(form).not.toContain('name="refund"');
    const fields = { line_1: '1', restock_1: '1', refund: 'yes', note: '' };
    const { message, text, confirm } = await plan(number, fields, packer);
    expect(message).toContain('Staff decide about a refund later');
    expect(text).not.toContain('₹');
    await confirm().expect(303);
    expect((await desk.show(order)).refunded_amount).toBe(0);
    expect(await page(path(number), packer)).not.toContain('₹');
  });

  it('wait for an answer until they are accepted, then for their goods', async () => {
    const [number, other] = [await request([1, 1]), await request([2, 1])];
    expect(headline(await page('/desk/returns'))).toBe('2 returns wait for your answer');
    expect(headline(await page(path(number)))).toBe(`${number} waits for your answer`);
    const mainButton = async () => /class="button primary"[^>]*>([^<]+)</.exec(await page(path(number)))![1];
    expect(await mainButton()).toBe('Accept');
    await returns.accept(number, { sendTo: 'Acme, Pune 411001', sendBy: '2099-12-31' }, 'test');
    expect(headline(await page(path(number)))).toBe(`${number} waits for its goods`);
    expect(await mainButton()).toBe('Receive');
    expect(headline(await page('/desk/returns'))).toBe('1 return waits for your answer, 1 to be received');
    await returns.refuse(other, 'test', 'test');
    expect(headline(await page('/desk/returns'))).toBe('1 return waits to be received');
  });

  it('are accepted with an address and a last day, which the client and its store read', async () => {
    const number = await request([1, 1]);
    const form = await page(path(number, 'accept'), packer);
    const [input] = /<input[^>]*"sendBy"[^>]*>/.exec(form)!;
    const [sendBy] = /\d{4}-\d{2}-\d{2}/.exec(input)!;
    const accept = (fields: FormValues) => packer.post(path(number, 'accept'), fields);
    const { text } = await accept({ sendTo: ' ', sendBy: '2020-01-01' }).expect(422);
    expect(readable(text)).toContain('The address must not be empty.');
    expect(readable(text)).toContain('The last day must be today or later');
    await accept({ sendTo: 'Acme\r\nPune 411001', sendBy }).expect(303);
    const view = readable(await page(path(number), packer));
    expect(view).toContain(`by ${packer.person.email}`);
    expect(view).toContain('Send the goods to Acme Pune 411001');
    const owner = await signIn(test, store.clientId);
    const ofClient = readable((await owner.get(`/dashboard/orders/${order}`).expect(200)).text);
    expect(ofClient).toContain('Accepted');
    expect(ofClient).toContain('Send the goods to Acme Pune 411001 Send them by');
    const { body } = await test.get(store, `/api/orders/${order}/status`).expect(200);
    expect(body.returns).toEqual([
      expect.objectContaining({
        number,
        state: 'requested',
        accepted_at: expect.any(String),
        send_to: 'Acme\nPune 411001',
        send_by: sendBy,
      }),
    ]);
    const listed = rows(await page('/desk/returns')).find((row) => row.includes(number));
    expect(listed).toContain('Accepted');
    await accept({ sendTo: 'Acme, gate 2', sendBy }).expect(303);
    expect(await returns.show(number)).toMatchObject({ send_to: 'Acme, gate 2', state: 'requested' });
    const received = { line_1: '1', restock_1: '0', note: '' };
    await (await plan(number, received, packer)).confirm().expect(303);
    expect(readable((await accept({ sendTo: 'Acme', sendBy }).expect(409)).text)).toContain('was received');
    await returns.refund(number, 'test');
  });

  describe('that a packer received', () => {
    let number: string;

    beforeEach(async () => {
      number = await request([1, 2]);
      const fields = { line_1: '2', restock_1: '2', note: '' };
      await (await plan(number, fields, packer)).confirm().expect(303);
    });
    const settle = async (fields: FormValues) => {
      const { text } = await staff.post(path(number, 'refund'), fields).expect(200);
      const confirm = () => staff.post(path(number, 'refund'), { ...hiddenFields(text), step: 'confirm' });
      return { message: readable(text), confirm };
    };
    const toRefund = async () => (await page('/desk')).includes(`/desk/returns/${number}"`);

    it('wait on the first page until staff refund them, once', async () => {
      expect(await toRefund()).toBe(true);
      expect(await page('/desk', packer)).not.toContain('Returns to refund');
      expect(rows(await page('/desk/returns?state=received'))[0]).toContain('to decide');
      await packer.get(path(number, 'refund')).expect(403);
      const { message, confirm } = await settle({ refund: 'yes', reason: '' });
      expect(message).toContain('To the client’s wallet ₹200.00');
      await confirm().expect(303);
      await confirm().expect(409);
      expect((await desk.show(order)).refunded_amount).toBe(200);
      expect(await returns.show(number)).toMatchObject({ refunded: 200, refund_open: false });
      expect(await toRefund()).toBe(false);
    });

    it('wait until staff close them without a refund, with a reason', async () => {
      const { text } = await staff.post(path(number, 'refund'), { refund: 'no', reason: '' }).expect(422);
      expect(readable(text)).toContain('The reason must not be empty.');
      const { message, confirm } = await settle({ refund: 'no', reason: 'worn' });
      expect(message).toContain('To the client’s wallet nothing');
      await confirm().expect(303);
      expect((await desk.show(order)).refunded_amount).toBe(0);
      expect(await toRefund()).toBe(false);
      expect(rows(await page('/desk/returns?state=received'))[0]).toContain('nothing');
    });

    it('wait no more when the units are refunded as lines, and the list says so', async () => {
      await desk.refund(order, 'test', { lines: ['1=1'], reason: 'kind' });
      expect(await toRefund()).toBe(true);
      await desk.refund(order, 'test', { lines: ['1=1'], reason: 'kind', key: 'second' });
      expect(await toRefund()).toBe(false);
      const list = rows(await page('/desk/returns?state=received'))[0];
      expect(list).toContain('₹200.00 by refunds of the order’s lines');
      await staff.get(path(number, 'refund')).expect(200);
      await expect(returns.refund(number, 'test')).rejects.toThrow('waits for no refund');
    });

    it('do not wait if the units were refunded before they came', async () => {
      await returns.refund(number, 'test');
      await desk.refund(order, 'test', { lines: ['1=3'], reason: 'kind' });
      number = await request([1, 3]);
      await (await plan(number, { line_1: '3', restock_1: '3', note: '' }, packer)).confirm().expect(303);
      expect(await toRefund()).toBe(false);
    });
  });

  it('are not received on old figures', async () => {
    const number = await request([1, 60]);
    const { confirm } = await plan(number, { line_1: '60', restock_1: '60', refund: 'yes', note: '' });
    await desk.refund(order, 'person 9 (ravi@example.com)', { amount: '6050.00', reason: 'kind' });
    const { text } = await confirm().expect(409);
    expect(readable(text)).toContain('refunded by ravi@example.com');
    const { message } = await plan(number, { line_1: '60', restock_1: '60', refund: 'yes', note: '' });
    expect(message).toContain('To the client’s wallet ₹50.00');
    expect((await returns.show(number)).state).toBe('requested');
  });

  it.each([
    [{ line_1: '3' }, 422, 'Must be a whole number from 0 to 2'],
    [{ line_1: '1', restock_1: '2' }, 409, 'Only 1 unit'],
    [{ line_1: '0' }, 422, 'If none came, refuse the return'],
  ])('keep what was typed beside the mistake %p', async (change, status, fault) => {
    const number = await request([1, 2]);
    const fields = { restock_1: '0', refund: 'no', note: 'kept note', ...change };
    const { text } = await staff.post(path(number, 'receive'), fields).expect(status);
    expect(readable(text)).toContain(fault);
    expect(text).toContain('value="kept note"');
  });

  it('are not promised to a stock that is no more', async () => {
    const { id } = await test.fixtures.product({ sku: 'LID', name: 'Lid', stock: 1 });
    order = await placeAndMove(test, store, [{ sku: 'LID', quantity: 1 }], 'pay', 'ship');
    const number = await request([1, 1]);
    await test.pool.query('DELETE FROM stock_items WHERE product_id = $1', [id]);
    const fields = { line_1: '1', restock_1: '1', refund: 'no', note: '' };
    const { text } = await staff.post(path(number, 'receive'), fields).expect(409);
    expect(readable(text)).toContain('Line 1 cannot be restocked: there is no stock record');
    const { message } = await plan(number, { ...fields, restock_1: '0' });
    expect(message).toContain('Written off 1 × Lid');
  });

  it('show that the store’s system requested them, with the id of the store', async () => {
    const requested = { store_return_id: 'RET-77', lines: [{ line: 2, quantity: 1 }], reason: 'Chipped' };
    const { body } = await test.post(store, `/api/orders/${order}/returns`, requested).expect(201);
    const message = readable(await page(path(body.data.number), packer));
    expect(message).toContain('Return of the store RET-77');
    expect(message).toContain('by the store’s system');
    expect(readable(await page(`/desk/orders/${order}`))).toContain('Return of the store RET-77');
    expect(await page('/desk/returns')).toContain(body.data.number);
    const found = await packer.get(`/desk/search?q=${body.data.number.toLowerCase()}`).expect(303);
    expect(found.headers.location).toBe(path(body.data.number));
  });

  it('are refused with a reason, once', async () => {
    const number = await request([1, 2]);
    expect(readable(await page(path(number, 'refuse'), packer))).toContain('no stock and no money');
    await packer.post(path(number, 'refuse'), { reason: ' ' }).expect(422);
    await packer.post(path(number, 'refuse'), { reason: 'worn' }).expect(303);
    const { text } = await packer.post(path(number, 'refuse'), { reason: 'again' }).expect(409);
    expect(readable(text)).toContain('It was refused');
    expect(await returns.show(number)).toMatchObject({ state: 'refused', decision: 'worn' });
    await staff.get(path('RT-20260101-AAAAA-AAAAA')).expect(404);
    await staff.get('/desk/returns/x').expect(404);
  });
});
