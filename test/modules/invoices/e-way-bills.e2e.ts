import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import { EWayBillsService } from '../../../src/modules/invoices/e-way-bills.service.js';
import { TaxDocumentsService } from '../../../src/modules/invoices/tax-documents.service.js';
import { Metrics } from '../../../src/server/observability/metrics.js';
import { ImportRuns } from '../../../src/shared/imports/import-runs.service.js';
import type { Store } from '../../support/fixtures.js';
import { orderBody } from '../../support/order-body.js';
import { orderDesk } from '../../support/order-desk.js';
import { moveOrder, placeAndMove } from '../../support/order-steps.js';
import { formFields, readable } from '../../support/page-text.js';
import { runCommand } from '../../support/run-command.js';
import { signInAtDesk, uploadAtDesk } from '../../support/sign-in.js';
import { makeBeforeAll, setUpDirectory } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp, type TestApp } from '../../support/test-app.js';

interface Bill {
  docNo: string;
  toGstin: string;
  totInvValue: number;
  vehicleNo: string;
  itemList: { taxableAmount: number }[];
}

/** The file for the portal, and the numbers of the invoices that are left out. */
async function fileOf({ app }: TestApp) {
  const leftOut: string[] = [];
  const service = app.get(EWayBillsService, { strict: false });
  const content = await textOf(Readable.from(service.file(undefined, (number) => leftOut.push(number))));
  return { content, leftOut, ...(JSON.parse(content) as { version: string; billLists: Bill[] }) };
}

describe('E-way bills', () => {
  const test = setUpTestApp();
  const directory = setUpDirectory();
  const admin = makeBeforeAll(() => signInAtDesk(test, 'admin'));
  const packer = makeBeforeAll(() => signInAtDesk(test, 'packer'));
  let store: Store;
  let pan: string;
  let rice: string;

  const at = (name: string) => path.join(directory, name);
  const run = (...args: string[]) => runCommand(test.database.serviceUrl, ...args);
  const recorded = async (number: string, ...values: string[]) =>
    expect(await run('invoice', 'e-way-bill', number, ...values)).toMatchObject({ exitCode: 0 });
  const said = async (page: string, person = admin) => readable((await (await person).get(page)).text);
  const invoiceOf = async (order: string) => {
    const { rows } = await test.pool.query<{ number: string }>(
      "SELECT number FROM tax_documents WHERE order_number = $1 AND kind = 'invoice' ORDER BY number",
      [order],
    );
    return rows[0]?.number ?? 'none';
  };
  const shipped = async (items: { sku: string; quantity: number }[]) => {
    const order = await placeAndMove(test, store, orderBody(items) as never, 'pay');
    await moveOrder(test, store, order, 'ship');
    return [order, await invoiceOf(order)] as const;
  };
  const file = async () => {
    const { content, leftOut, ...written } = await fileOf(test);
    const schema = await readFile(new URL('../../support/e-way-bill.schema.json', import.meta.url), 'utf8');
    const validate = new Ajv({ multipleOfPrecision: 6, strict: false }).compile(JSON.parse(schema) as object);
    expect(validate(written) || validate.errors).toBe(true);
    return { version: written.version, bills: written.billLists, leftOut, content };
  };
  const imported = async (name: string, content: string) => {
    await writeFile(at(name), content);
    const { stdout } = await run('invoice', 'register-e-way-bills', at(name), '--json');
    const { created, updated, unchanged, failed } = JSON.parse(stdout) as Record<string, unknown>;
    return { created, updated, unchanged, failed };
  };
  const apiDocument = async (order: string, number: string) => {
    const { body } = (await test.get(store, `/api/orders/${order}`).expect(200)) as {
      body: { documents: { number: string; e_way_bill?: object }[] };
    };
    return body.documents.find((one) => one.number === number)!;
  };

  beforeAll(async () => {
    await test.fixtures.seller();
    store = await test.fixtures.store({ name: 'Bela Stores', state: '27', gstin: '27AAPFU0939F1ZV' });
    const facts = { deliveryCharge: '0', stock: 9_000 };
    const [one, two] = await test.fixtures.products([
      { ...facts, name: 'Pan', basePrice: '1000.00', hsn: '732393', gstRate: '12', unit: 'PCS' },
      { ...facts, name: 'Rice', basePrice: '1000.00', hsn: '100630', gstRate: '0', unit: 'KGS' },
    ]);
    [pan, rice] = [one!.sku, two!.sku];
  });

  it('are due for invoices with more than ₹50,000 of taxed goods', async () => {
    const [order, due] = await shipped([
      { sku: pan, quantity: 51 },
      { sku: rice, quantity: 2 },
    ]);
    await shipped([{ sku: pan, quantity: 50 }]);
    await shipped([
      { sku: rice, quantity: 90 },
      { sku: pan, quantity: 1 },
    ]);
    expect(await file()).toMatchObject({ bills: [], leftOut: [due] });
    expect(await said('/desk')).toContain('E-way bills to make 1 before the goods move');
    const metrics = test.app.get(Metrics);
    metrics.register();
    expect(await metrics.text()).toContain('\ne_way_bills_waiting 1\n');
    expect(await said('/desk/e-way-bills')).toMatch(new RegExp(`${due}.*It needs a vehicle number`));
    expect(await said(`/desk/orders/${order}`, packer)).toContain(
      `${due} needs an e-way bill before its goods move.`,
    );
    expect(await said(`/desk/orders/${order}`)).not.toContain('Its transport is recorded');
    const paid = await placeAndMove(test, store, orderBody([{ sku: pan, quantity: 51 }]) as never, 'pay');
    const desk = await packer;
    const { text } = await desk.get(`/desk/orders/${paid}/ship`);
    const review = await desk.post(`/desk/orders/${paid}/ship`, { ...formFields(text), courier: 'VRL' });
    expect(readable(review.text)).toContain(
      'due before the goods move, if those with tax are worth more than ₹50,000',
    );
    expect(await orderDesk(test.app).dueForEWayBills()).toEqual([
      { order_number: paid, value: 51_000, state: 'Karnataka' },
    ]);
    await moveOrder(test, store, paid, 'ship');
    await recorded(await invoiceOf(paid), '--end', 'hand cart');
  });

  it('are judged by the states between which the goods move, with the limits of the day', async () => {
    const to = (state: string, city: string, pincode: string) => ({
      shipping: { address: '7, Lake View', city, state, pincode },
    });
    const kerala = to('Kerala', 'Kochi', '682001');
    const home = to('Karnataka', 'Bengaluru', '560038');
    const items = [{ sku: pan, quantity: 51 }];
    const place = (body: object) => placeAndMove(test, store, orderBody(items, body) as never, 'pay');
    const [away, near] = [await place(kerala), await place(home)];
    const waiting = async (eWayBillFrom: number) => {
      const node = await startTestApp({ eWayBillFrom }, test.database);
      const [toShip, { leftOut }] = [await orderDesk(node.app).dueForEWayBills(), await fileOf(node)];
      await node.close();
      const own = [away, near];
      const numbers = await Promise.all(own.map(invoiceOf));
      return {
        toShip: toShip.filter((one) => own.includes(one.order_number)),
        leftOut: leftOut.filter((one) => numbers.includes(one)),
      };
    };
    const dueAway = { order_number: away, value: 51_000, state: 'Kerala' };
    expect((await waiting(100_000)).toShip).toEqual([dueAway]);
    expect((await waiting(50_000)).toShip).toEqual([
      dueAway,
      { order_number: near, value: 51_000, state: 'Karnataka' },
    ]);
    for (const order of [away, near]) await moveOrder(test, store, order, 'ship');
    const [awayInvoice, nearInvoice] = [await invoiceOf(away), await invoiceOf(near)];
    // The limit of the state was raised and lowered after the invoices were issued.
    expect(await waiting(100_000)).toEqual({ toShip: [], leftOut: [awayInvoice] });
    expect(await waiting(51_000)).toEqual({ toShip: [], leftOut: [awayInvoice] });
    expect(await waiting(50_000)).toEqual({ toShip: [], leftOut: [awayInvoice, nearInvoice] });
    // An invoice whose transport a person recorded waits, whatever the limit.
    await recorded(nearInvoice, '--vehicle-number', 'KA01AB1234');
    await recorded(awayInvoice, '--end', 'hand cart');
    expect(await waiting(100_000)).toEqual({ toShip: [], leftOut: [] });
    expect((await file()).bills.map(({ docNo }) => docNo)).toEqual([nearInvoice]);
    await recorded(nearInvoice, '--end', 'hand cart');
  });

  it('get their transport at the desk, and are in the file of the portal', async () => {
    const [order, number] = await shipped([{ sku: pan, quantity: 60 }]);
    const desk = await packer;
    const form = await desk.get(`/desk/e-way-bills/${number}`);
    const fields = formFields(form.text);
    expect(readable(form.text)).toMatch(
      /needs the vehicle number; by rail, .* Vehicle, or transport document Vehicle number/,
    );
    const wrong = await desk.post(`/desk/e-way-bills/${number}`, { ...fields, vehicle_number: 'lorry' });
    expect([wrong.status, readable(wrong.text)]).toEqual([
      422,
      expect.stringContaining('Must have 7 to 15 letters'),
    ]);
    const saved = await desk.post(`/desk/e-way-bills/${number}`, {
      ...fields,
      vehicle_number: 'ka-01 ab 1234',
      distance_km: '980',
    });
    expect(saved.headers.location).toContain(`/desk/orders/${order}`);
    expect(await said(`/desk/orders/${order}`)).toContain(
      'Its transport is recorded: upload it to the portal',
    );
    const { version, bills, content } = await file();
    expect(version).toBe('1.0.0621');
    expect(bills).toMatchObject([
      {
        docNo: number,
        toGstin: '27AAPFU0939F1ZV',
        totInvValue: 60_000,
        vehicleNo: 'KA01AB1234',
        transDistance: 980,
      },
    ]);
    expect((await (await admin).get('/desk/e-way-bills/file.json')).text).toBe(content);
    expect((await desk.get('/desk/e-way-bills/file.json')).status).toBe(403);

    const answer = `number,vehicle_number,mode,e_way_bill,generated_at,valid_until\n${number},KA02CD5678,road,341008123400,2026-11-28 10:00,2026-11-30 23:59\n`;
    const upload = { kind: 'e-way-bills', name: 'answer.csv', content: Buffer.from(answer) };
    const checked = await uploadAtDesk(test.url, desk.cookie, upload);
    await test.app.get(ImportRuns).settled();
    expect(await said(checked, packer)).toContain(
      'Mode: road Vehicle number: KA01AB1234 → KA02CD5678 E-way bill: 341008123400 Valid until: 30 Nov 2026, 23:59 ',
    );
  });

  it('record the answers of the portal once, and show them on paper, at the desk and to the store', async () => {
    const [order, number] = await shipped([{ sku: pan, quantity: 70 }]);
    const answer = `Doc.No,EWB No,EWB Date,Valid Till Date\n${number},341008123456,28/11/2026 10:15:00 PM,30/11/2026 11:59:00 PM\n`;
    expect(await apiDocument(order, number)).not.toHaveProperty('e_way_bill');
    const documents = test.app.get(TaxDocumentsService, { strict: false });
    const before = await documents.bytesOf(await documents.find(number), { account: 'test' });
    expect(await imported('answer.csv', answer)).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      failed: [],
    });
    expect(await imported('answer.csv', answer)).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    expect((await apiDocument(order, number)).e_way_bill).toEqual({
      number: '341008123456',
      valid_until: '2026-11-30T18:29:00.000Z',
    });
    expect(await said(`/desk/orders/${order}`)).toContain(
      `E-way bill 341008123456 of ${number} , valid until`,
    );
    const pdf = await documents.bytesOf(await documents.find(number), { account: 'test' });
    expect(isDeepStrictEqual(pdf, before)).toBe(false);
    expect(JSON.parse((await run('invoice', 'show', number, '--json')).stdout)).toMatchObject({
      e_way_bill: '341008123456',
    });

    const refusal = async (row: string) => {
      const { failed } = await imported('other.csv', `number,e_way_bill,generated_at,valid_until\n${row}\n`);
      return (failed as { column: string; message: string }[]).map(
        ({ column, message }) => `${column} ${message.replace(/ \(".*"\)$/, '')}`,
      );
    };
    expect(await refusal(`${number},341008123457,2026-11-28 22:15,`)).toEqual([
      `e_way_bill differs: ${number} has 341008123456, which must be cancelled first`,
    ]);
    const [, other] = await shipped([{ sku: pan, quantity: 71 }]);
    expect(await refusal(`${other},341008123456,2026-11-28 22:15,`)).toEqual([
      `e_way_bill is that of ${number}`,
    ]);
    expect(await refusal(`${other},341008123457,,`)).toEqual([
      'generated_at is missing: the e-way bill is new',
    ]);
    expect(await refusal(`${other},,,2026-11-28 22:15`)).toEqual([
      'valid_until needs the number of the e-way bill',
    ]);
    expect(await refusal(`${other},341008123457,2026-11-28 22:15,2026-11-28`)).toEqual([
      'valid_until is before the time of the e-way bill',
    ]);
    expect(await refusal(`${other},,2026-11-28 22:15,`)).toEqual([
      'generated_at needs the number of the e-way bill',
    ]);
    const [, third] = await shipped([{ sku: pan, quantity: 72 }]);
    const twice = [other, third].map((one) => `${one},341008123458,2026-11-28 22:15,`);
    expect(await refusal(twice.join('\n'))).toEqual(['e_way_bill is already in row 2']);
    expect(await refusal('INV-2627-9999999,341008123457,2026-11-28 22:15,')).toEqual([
      'number is no invoice',
    ]);
    expect(await refusal(`${other},123,yes,`)).toEqual([
      'e_way_bill must be a number of 12 digits',
      'generated_at must be a time such as 2026-11-26 10:15 or 26/11/2026 10:15:00 AM',
    ]);
    expect(await refusal(`${other},34100812345\0,9999-12-31 23:59-05:00,`)).toEqual([
      'e_way_bill must be a number of 12 digits',
      'generated_at must be a time such as 2026-11-26 10:15 or 26/11/2026 10:15:00 AM',
    ]);
    await expect(
      test.pool.query("UPDATE e_way_bills SET bill_number = '341008123499' WHERE bill_number IS NOT NULL"),
    ).rejects.toThrow();
    await expect(test.pool.query('DELETE FROM e_way_bills')).rejects.toThrow();
  });

  it('are cancelled, and then wait for another one, or are not needed', async () => {
    const [order, number] = await shipped([{ sku: pan, quantity: 80 }]);
    const waits = async () => (await file()).leftOut.includes(number);
    await recorded(number, '--e-way-bill', '341008123500', '--generated-at', '2026-11-27 10:00');
    expect(await waits()).toBe(false);
    const desk = await packer;
    await desk.post(`/desk/e-way-bills/${number}/end`, { remark: 'wrong vehicle' });
    expect([await waits(), await apiDocument(order, number)]).toEqual([
      true,
      expect.not.objectContaining({ e_way_bill: expect.anything() as unknown }),
    ]);
    const unsaid = await desk.post(`/desk/e-way-bills/${number}/end`, { remark: '' });
    expect([unsaid.status, readable(unsaid.text)]).toEqual([
      422,
      expect.stringContaining('Is missing: say why'),
    ]);
    await recorded(number, '--end', 'hand cart');
    expect(await waits()).toBe(false);
    expect(await said(`/desk/orders/${order}`)).toContain(`${number} needs no e-way bill: hand cart`);
    const { rows } = await test.pool.query(
      "SELECT FROM audit_log WHERE action = 'e_way_bill.changed' AND subject = $1",
      [`invoice ${number}`],
    );
    expect(rows).toHaveLength(3);
    await recorded(number, '--transporter-id', '29AAGCB7383J1Z4');
    expect((await file()).bills.map(({ docNo }) => docNo)).toContain(number);
    await run('order', 'withdraw', order, '--parcel', '1', '--reason', 'stopped');
    expect((await file()).bills.map(({ docNo }) => docNo)).not.toContain(number);
  });
});
