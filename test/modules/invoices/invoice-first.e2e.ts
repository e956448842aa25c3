import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import { ImportRuns } from '../../../src/shared/imports/import-runs.service.js';
import { contradictions } from '../../support/books.js';
import { answerTo } from '../../support/e-invoice-answer.js';
import type { Store } from '../../support/fixtures.js';
import { hiddenFields, linkOf, readable } from '../../support/page-text.js';
import { runCommand } from '../../support/run-command.js';
import { makeBeforeAll, setUpDirectory } from '../../support/suite-hooks.js';
import { signIn, signInAtDesk, uploadAtDesk } from '../../support/sign-in.js';
import { PARCEL } from '../../support/tax-documents.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('An invoice before the dispatch', () => {
  const test = setUpTestApp({ eInvoicesFrom: '2026-01-01', hsnDigits: 6 });
  const directory = setUpDirectory();
  const staff = makeBeforeAll(() => signInAtDesk(test, 'staff'));
  let desk: OrderDesk;
  let registered: Store;
  let unregistered: Store;
  let mug: string;
  let rice: string;

  beforeAll(async () => {
    desk = orderDesk(test.app);
    await test.fixtures.seller();
    registered = await test.fixtures.store({ name: 'Asha Traders', state: '29', gstin: '29AAACR5055K1Z3' });
    unregistered = await test.fixtures.store({ name: 'Chand', state: '29' });
    await test.pool.query(
      `UPDATE clients SET billing_address = '4, Residency Road, Bengaluru 560025' WHERE id = $1`,
      [registered.clientId],
    );
    const goods = { deliveryCharge: '0', stock: 1_000 };
    const [one, two] = await test.fixtures.products([
      { ...goods, name: 'Mug', basePrice: '118.00', hsn: '691200', gstRate: '18', unit: 'PCS' },
      { ...goods, name: 'Rice', basePrice: '50.00', hsn: '100630', gstRate: '0', unit: 'KGS' },
    ]);
    [mug, rice] = [one!.sku, two!.sku];
  });
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));

  const run = (...args: string[]) => runCommand(test.database.serviceUrl, ...args);
  const paid = async (buyer = registered, sku = mug, quantity = 3) => {
    const number = await test.place(buyer, [{ sku, quantity }]);
    await desk.pay(number, 'test', {});
    return number;
  };
  const ship = (number: string, lines?: string[], more: { shippedAt?: Date; withoutIrn?: string } = {}) =>
    desk.ship(number, 'test', { ...PARCEL, shippedAt: more.shippedAt ?? null }, lines, undefined, more);
  const documents = async (order: string) => {
    const { rows } = await test.pool.query<{ number: string; parcel: number | null; quantity: number }>(
      `SELECT number, parcel, quantity FROM tax_documents JOIN tax_document_items USING (number)
        WHERE order_number = $1 ORDER BY issued_at, kind DESC, number`,
      [order],
    );
    return rows;
  };
  const register = async (number: string, more = {}) => {
    const file = path.join(directory, 'answers.json');
    await writeFile(file, JSON.stringify([answerTo(number, more)]));
    expect((await run('invoice', 'register', file)).exitCode).toBe(0);
  };
  const stockOf = async (sku: string) => {
    const { rows } = await test.pool.query(
      'SELECT on_hand, held FROM stock_items s JOIN products p ON p.id = s.product_id WHERE sku = $1',
      [sku],
    );
    return rows[0] as object;
  };

  it('is needed for a parcel whose invoice needs an IRN, unless a person gives a reason', async () => {
    const number = await paid();
    await expect(ship(number)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        `needs an IRN before the goods leave. Invoice ${number} first.`,
      ) as string,
    });
    expect(() => ship(number, undefined, { withoutIrn: ' ' })).toThrow('The reason must not be empty.');
    const { parcels } = await ship(number, undefined, { withoutIrn: 'portal is down' });
    expect(parcels).toMatchObject([{ parcel: 1, without_irn: 'portal is down' }]);
    const { rows } = await test.pool.query(
      `SELECT details->>'without_irn' AS reason FROM audit_log
        WHERE action = 'order.shipped' AND subject = $1`,
      [`order ${number}`],
    );
    expect(rows).toEqual([{ reason: 'portal is down' }]);
    expect(readable((await staff.get(`/desk/orders/${number}`)).text)).toContain('portal is down');
    // Neither of these needs an IRN.
    await ship(await paid(unregistered));
    await ship(await paid(registered, rice));
  });

  it('lets exactly its units leave, when it has its IRN', async () => {
    const number = await paid();
    const before = await stockOf(mug);
    const { prepared, parcels, status } = await desk.prepare(number, 'test', ['1=2']);
    expect({ prepared, parcels, status }).toMatchObject({
      prepared: { parcel: 1, lines: [{ line: 1, quantity: 2 }], by: 'test', awaits_irn: true },
      parcels: [],
      status: 'pending',
    });
    expect(await stockOf(mug)).toEqual(before);
    const [invoice] = await documents(number);
    expect(invoice).toMatchObject({ parcel: 1, quantity: 2 });
    await expect(desk.prepare(number, 'test')).rejects.toThrow('Parcel 1 has its invoice already.');
    await expect(ship(number)).rejects.toThrow(`${invoice!.number} has no IRN yet`);
    await register(invoice!.number);
    await expect(ship(number, ['1=3'])).rejects.toThrow('has these units: 1=2');
    const yesterday = new Date(Date.now() - 86_400_000 * 1.5);
    await test.fixtures.age(24 * 3, number);
    await expect(ship(number, undefined, { shippedAt: yesterday })).rejects.toThrow('before its invoice');
    const left = await ship(number);
    expect(left).toMatchObject({
      prepared: null,
      status: 'pending',
      parcels: [{ parcel: 1, without_irn: null, lines: [{ line: 1, quantity: 2 }] }],
    });
    expect(await documents(number)).toHaveLength(1);
    // The rest has an invoice of its own.
    await expect(ship(number)).rejects.toThrow('needs an IRN before');
    await desk.prepare(number, 'test');
    expect((await documents(number))[1]).toMatchObject({ parcel: 2, quantity: 1 });
    await ship(number, undefined, { withoutIrn: 'portal is down' });
    expect((await desk.show(number)).status).toBe('shipped');
  });

  it('keeps its units and its address, until it is taken back', async () => {
    const number = await paid();
    await desk.prepare(number, 'test', ['1=2']);
    await expect(desk.cancel(number, 'test', {})).rejects.toThrow('Take back the invoice first.');
    await expect(desk.cancel(number, 'test', { lines: ['1=1'], reason: 'x' })).rejects.toThrow('Take back');
    await expect(desk.redirect(number, 'test', { city: 'Mysuru' })).rejects.toThrow('present address');
    const owner = await signIn(test, registered.clientId, 'owner');
    const form = await owner.get(`/dashboard/orders/${number}/delivery`);
    expect(readable(form.text)).toContain('The invoice of parcel 1 is issued, with the present address.');
    expect(form.text).not.toContain('name="corrections"');
    expect((await owner.get(`/dashboard/orders/${number}`)).text).not.toContain(`${number}/delivery`);
    const lifted = await desk.undo(number, 'test', { action: 'withdraw', reason: 'wrong units' });
    expect(lifted).toMatchObject({ prepared: null, status: 'pending', parcels: [] });
    expect(lifted.changes.at(-1)).toMatchObject({ before: { parcel_1: 'invoiced, 2 of line 1' } });
    const all = await documents(number);
    expect(all.map(({ number: name }) => name.slice(0, 2))).toEqual(['IN', 'CN']);
    await desk.prepare(number, 'test');
    expect((await documents(number)).at(-1)).toMatchObject({ parcel: 1, quantity: 3 });
    await desk.undo(number, 'test', { action: 'withdraw', reason: 'cancelled' });
    expect((await desk.cancel(number, 'test', {})).status).toBe('cancelled');
  });

  it('is issued again while the goods are here, after its IRN was cancelled', async () => {
    const number = await paid();
    await desk.prepare(number, 'test');
    const [invoice] = await documents(number);
    await register(invoice!.number, { CancelDate: '2026-11-26 18:09:00', Status: 'CNL' });
    await expect(ship(number)).rejects.toThrow(`The IRN of ${invoice!.number} was cancelled.`);
    await desk.undo(number, 'test', { action: 'reissue', reason: 'wrong at the portal' });
    const again = (await documents(number)).find(
      (one) => one.parcel === 1 && one.number !== invoice!.number,
    )!;
    expect(again.quantity).toBe(3);
    await expect(ship(number)).rejects.toThrow('has no IRN yet');
    await register(again.number);
    expect((await ship(number)).status).toBe('shipped');
  });

  it('holds the rows of a file, each with its own reason', async () => {
    const [held, waiting, sent, free] = [await paid(), await paid(), await paid(), await paid(unregistered)];
    await desk.prepare(waiting, 'test', ['1=2']);
    await desk.prepare(sent, 'test', ['1=2']);
    const file = path.join(directory, 'parcels.csv');
    const rows = [`${held},Post,`, `${waiting},Post,`, `${sent},Post,portal is down`, `${free},Post,`];
    await writeFile(file, ['order_number,courier,without_irn', ...rows, ''].join('\n'));
    const upload = { kind: 'shipments', name: 'parcels.csv', content: await readFile(file) };
    const checked = await uploadAtDesk(test.url, staff.cookie, upload);
    await test.app.get(ImportRuns).settled();
    expect(readable((await staff.get(checked)).text)).toContain('2 of line 1');
    for (const more of [['--dry-run'], []]) {
      const { stdout } = await run('shipment', 'import', file, ...more);
      expect(stdout).toContain('needs an IRN before the goods leave');
      expect(stdout).toContain('has no IRN yet');
    }
    expect((await desk.show(sent)).parcels).toMatchObject([
      { without_irn: 'portal is down', lines: [{ line: 1, quantity: 2 }] },
    ]);
    expect((await desk.show(free)).status).toBe('shipped');
    for (const order of [held, waiting]) expect((await desk.show(order)).parcels).toEqual([]);
  });

  it('is issued, taken back and shipped at the desk and by commands', async () => {
    const number = await paid();
    const page = `/desk/orders/${number}`;
    const displayed = async () => (await staff.get(page)).text;
    expect(linkOf(await displayed(), 'Invoice first')).toBe(`${page}/invoice`);
    expect(readable((await staff.post(`${page}/ship`, { line_1: '3', courier: 'Post' })).text)).toContain(
      'needs an IRN before',
    );
    const review = await staff.post(`${page}/invoice`, { line_1: '2' });
    expect(readable(review.text)).toContain('Invoice 2 units');
    await staff.post(`${page}/invoice`, { ...hiddenFields(review.text), step: 'confirm' });
    expect(readable(await displayed())).toContain('must stay until its invoice has its IRN');
    const early = await staff.post(`${page}/ship`, { courier: 'Post' });
    expect(readable(early.text)).toContain('has no IRN yet');
    const back = await staff.post(`${page}/uninvoice`, { reason: 'wrong units' });
    expect(readable(back.text)).toContain('credited in full');
    await staff.post(`${page}/uninvoice`, { ...hiddenFields(back.text), step: 'confirm' });
    expect((await desk.show(number)).prepared).toBeNull();

    expect((await run('order', 'invoice-first', number)).exitCode).toBe(0);
    const invoice = (await documents(number)).at(-1)!;
    await register(invoice.number);
    expect(readable(await displayed())).toContain('and may leave:');
    const leaving = await staff.post(`${page}/ship`, { courier: 'Post' });
    expect(readable(leaving.text)).toContain('Ship 3 units');
    await staff.post(`${page}/ship`, { ...hiddenFields(leaving.text), step: 'confirm' });
    expect((await desk.show(number)).status).toBe('shipped');
    const refused = await run('order', 'ship', await paid(), '--courier', 'Post');
    expect(refused.stderr).toContain('needs an IRN before');
    const waived = await run('order', 'ship', await paid(), '--courier', 'Post', '--without-irn', 'down');
    expect(waived.exitCode).toBe(0);
  });
});
