import { unzipSync } from 'fflate';
import type { Test } from 'supertest';
import { addMonths, dayAt, monthAt } from '../../src/platform/time/time.js';
import { type AdminApi, adminApi } from '../support/admin-api.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { MAHARASHTRA, setUpInvoicing } from '../support/tax-documents.js';
import { setUpTestApp } from '../support/test-app.js';

const [TODAY, MONTH] = [dayAt(Date.now(), 'Asia/Kolkata'), monthAt(Date.now(), 'Asia/Kolkata')];

describe('Documents and reports of the admin API', () => {
  const test = setUpTestApp({
    rateLimitPerMinute: 0,
    eWayBillFrom: 1_000,
    eInvoicesFrom: '2026-01-01',
  });
  const goods = setUpInvoicing(test);
  const admin = makeBeforeAll(() => adminApi(test));
  const staff = makeBeforeAll(() => adminApi(test, 'staff'));
  const packer = makeBeforeAll(() => adminApi(test, 'packer'));
  let invoice: string;
  let order: string;
  let client: string;
  beforeAll(async () => {
    client = String(goods.store.clientId);
    order = await goods.shipped(10);
    const [first] = await goods.documents(order);
    invoice = first!.number;
    await goods.refund(order, { lines: ['1=1'] }, 'torn');
    await goods.shipped(1, await test.fixtures.store({ name: 'Papaya', state: '27' }));
  });

  const bodyOf = async (sent: Test) => (await sent.expect(200)).body as Record<string, never>;
  const dataOf = async (sent: Test) =>
    (await bodyOf(sent)).data as unknown as Record<string, never>[] & Record<string, never>;
  const as = (type: string, path: string) =>
    staff.get(path).set('Accept', type).buffer(true).parse(toBytes).expect(200);
  const textAs = async (type: string, path: string) => (await as(type, path)).body.toString() as string;

  it('lists documents by pages and filters, and shows one', async () => {
    const path = `documents?client=${client}&month=${MONTH}&limit=1`;
    const first = await bodyOf(staff.get(path));
    const second = await bodyOf(staff.get(`${path}&after=${String(first.next)}`));
    expect([first, second]).toMatchObject([
      { data: [{ kind: 'credit_note', against: invoice, amount: 118 }], has_more: true },
      { data: [{ number: invoice, client: 'Asha Traders', amount: 1230 }], next: null },
    ]);
    expect(await dataOf(staff.get(`documents?kind=credit_note&search=${order.slice(-11)}`))).toHaveLength(1);
    expect(await dataOf(staff.get(`documents/${invoice.toLowerCase()}`))).toMatchObject({
      number: invoice,
      total: 1230,
      items: [{ line: 1, quantity: 10, unit_price: 118, gst_rate: 18 }, { line: 0 }],
    });
  });

  it('has the PDF of a document, and three copies, by Accept', async () => {
    const { headers, body } = await as('application/pdf', `documents/${invoice}`);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${invoice}.pdf"`,
    });
    expect(String(body).startsWith('%PDF-')).toBe(true);
    const copies = await as('application/pdf', `documents/${invoice}?copies=true`);
    expect((copies.body as Buffer).length).toBeGreaterThan((body as Buffer).length);
  });

  it('marks the return of a month as filed, and takes the mark back', async () => {
    const month = addMonths(MONTH, -1);
    const mark = (body: object) => admin.post('reports/gst/filed', { month, ...body });
    expect(await dataOf(mark({ arn: 'aa2910260012345' }))).toMatchObject([
      { month, gstin: '29AAGCB7383J1Z4', arn: 'AA2910260012345', by: `key ${admin.keyId} (ERP of admin)` },
    ]);
    expect((await mark({}).expect(409)).body.code).toBe('conflict');
    expect(
      (await mark({ arn: 'AA2910260012345', take_back: 'too early' }).expect(422)).body.errors,
    ).toMatchObject([{ field: 'arn', code: 'not_combinable' }]);
    expect(await dataOf(mark({ take_back: 'too early' }))).toEqual([]);
    expect((await mark({ take_back: 'too early' }).expect(409)).body.code).toBe('conflict');
  });

  it('records transport, number and end of an e-way bill', async () => {
    const change = (body: object) => dataOf(packer.post(`documents/${invoice}/e-way-bill`, body));
    expect(await change({ vehicle_number: 'KA01AB1234', distance_km: '12' })).toEqual({
      number: invoice,
      e_way_bill: null,
      transport: { vehicle_number: 'KA01AB1234', distance_km: '12' },
    });
    const generated_at = new Date().toISOString();
    expect(await change({ distance_km: null, e_way_bill: '3410 0812 3456', generated_at })).toMatchObject({
      e_way_bill: '341008123456',
      transport: { vehicle_number: 'KA01AB1234' },
    });
    const both = { vehicle_number: 'KA01AB9999', end: 'cancelled' };
    await packer.post(`documents/${invoice}/e-way-bill`, both).expect(422);
    expect(await change({ end: 'cancelled at the portal' })).toMatchObject({ e_way_bill: null });
  });

  it('adds up sales, the ledger, the register and the balances, as JSON and as CSV', async () => {
    const sales = `reports/sales?client=${client}&from=2020-01-01&to=${TODAY}`;
    expect(await dataOf(staff.get(sales))).toMatchObject([
      { day: TODAY, orders: 1, paid: 1230, refunded: 118 },
    ]);
    expect(await dataOf(staff.get('reports/sales?by=client'))).toHaveLength(2);
    expect(await textAs('text/csv', `${sales}&by=client`)).toBe(
      'client_id,client,currency,orders,units,goods,delivery,paid,refunded_units,refunded,net\r\n' +
        `${client},Asha Traders,INR,1,10,1180,50,1230,1,118,1112\r\n`,
    );
    const ledger = await dataOf(staff.get(`reports/ledger?client=asha traders&to=${TODAY}`));
    expect(ledger.at(0)).toMatchObject({ details: 'Opening balance', balance: 0, debit: null, number: null });
    expect(ledger).toContainEqual(expect.objectContaining({ number: invoice, debit: 1230, credit: null }));
    expect(ledger.at(-1)).toMatchObject({ details: 'Closing balance', balance: -118 });
    const register = await dataOf(staff.get(`reports/register?from=${TODAY}`));
    expect(register.map(({ total }) => total)).toEqual([-118, 1230, 168]);
    for (const report of ['register?excel=true', `balances?excel=true`])
      expect(await textAs('text/csv', `reports/${report}`)).toMatch(/^\uFEFF/);
    expect(await textAs('text/csv', 'reports/register')).toMatch(/^date,number,kind,.*\r\n/);
    expect(await textAs('application/pdf', 'reports/register')).toMatch(/^%PDF-/);
    expect(await dataOf(staff.get(`reports/balances?on=${TODAY}`))).toContainEqual({
      client_id: Number(client),
      client: 'Asha Traders',
      wallet: 118,
      wallet_over_365_days: 0,
      paid_for_orders: 1112,
      invoiced: 1112,
      paid_not_invoiced: 0,
      left_without_invoice: 0,
    });
  });

  it('shows the statement of a month, as JSON, CSV and PDF', async () => {
    const path = `reports/statement?client=${client}&month=${MONTH}`;
    expect(await dataOf(staff.get(path))).toMatchObject({
      client: 'Asha Traders',
      closing_balance: 118,
      documents: [{ number: invoice }, { kind: 'credit_note' }],
      entries: [
        { amount: 1230 },
        { order_number: order, amount: -1230 },
        { amount: 118, balance_after: 118 },
      ],
    });
    expect(await textAs('text/csv', path)).toContain('Closing balance');
    expect(await textAs('application/pdf', path)).toMatch(/^%PDF-/);
  });

  it('has the return and the vouchers, their ZIP files, and each file of them', async () => {
    const gst = `reports/gst?month=${MONTH}`;
    expect(await dataOf(staff.get(gst))).toMatchObject({
      gstin: '29AAGCB7383J1Z4',
      files: { b2cs: [{ Rate: '18' }] },
    });
    const zipped = Object.keys(unzipSync((await as('application/zip', gst)).body as Buffer));
    expect(zipped).toEqual(expect.arrayContaining(['b2cs.csv', 'gstr1.json', 'gstr3b.csv']));
    expect(JSON.parse(await textAs('*/*', `${gst}&file=gstr1.json`))).toMatchObject({
      gstin: '29AAGCB7383J1Z4',
    });
    const vouchers = `reports/vouchers?month=${MONTH}`;
    expect(await dataOf(staff.get(vouchers))).toContainEqual({ type: 'Sales', vouchers: 2, amount: 1398 });
    expect(Object.keys(unzipSync((await as('application/zip', vouchers)).body as Buffer))).toEqual([
      '1-ledgers.xml',
      '2-vouchers.xml',
    ]);
    expect(await textAs('*/*', `${vouchers}&file=2-vouchers.xml`)).toContain(invoice);
  });

  it('shows the seller, and sets it', async () => {
    expect(await dataOf(admin.get('seller'))).toMatchObject({
      seller: { name: 'Wholesale House', receipt_vouchers: false },
      coming: null,
    });
    expect(
      await dataOf(admin.put('seller', { name: 'Wholesale & Sons', receipt_vouchers: true })),
    ).toMatchObject({
      name: 'Wholesale & Sons',
      gstin: '29AAGCB7383J1Z4',
      receipt_vouchers: true,
    });
  });

  it('has the files for the portals, with the documents that they lack', async () => {
    const registered = await test.fixtures.store({ name: 'Kiwi Traders', ...MAHARASHTRA });
    await admin.put(`products/${goods.mug}`, { hsn: '691200' }).expect(200);
    await admin.put('seller', { address: '1 MG Road, Bengaluru 560001' }).expect(200);
    await admin.patch('clients/Kiwi', { billing_address: '5 FC Road, Pune 411004' }).expect(200);
    const waiting = await goods.paid(10, registered);
    await staff
      .post(`orders/${waiting}/ship`, { courier: 'DTDC', without_irn: 'The portal is down' })
      .expect(200);
    const billed = (await goods.documents(waiting)).find(({ kind }) => kind === 'invoice')!.number;
    const eInvoices = await dataOf(staff.get(`exports/e-invoices?on=${TODAY}&gstin=29AAGCB7383J1Z4`));
    const unbilled = await goods.paid(600, registered);
    const transport = { vehicle_number: 'KA01AB1234', distance_km: '840' };
    await packer.post(`documents/${billed}/e-way-bill`, transport).expect(200);
    const eWayBills = await dataOf(staff.get('exports/e-way-bills'));
    expect(eInvoices).toEqual({
      documents: 1,
      left_out: [],
      file: [expect.objectContaining({ DocDtls: expect.objectContaining({ No: billed }) as object })],
    });
    expect(eWayBills).toMatchObject({
      documents: 1,
      left_out: [{ number: invoice, reason: expect.stringMatching(/./) as string }],
      to_ship: [{ order_number: unbilled, value: 70_800 }],
      file: { billLists: [{ docNo: billed }] },
    });
    expect(await dataOf(staff.get('exports/e-invoices?on=2026-01-01'))).toMatchObject({
      documents: 0,
      file: [],
    });
  });

  it.each([
    ['get', 'exports/e-invoices', 'packer', 'exports/e-invoices?on=today&gstin=1', {}, 'on,gstin'],
    ['get', 'exports/e-way-bills', 'packer', 'exports/e-way-bills?gstin=1', {}, 'gstin'],
    ['post', 'reports/gst/filed', 'staff', '', { month: '11', arn: 'A' }, 'month,arn'],
    ['get', 'documents', 'packer', 'documents?kind=bill&month=11', {}, 'kind,month'],
    ['get', 'documents/X', 'packer', 'documents/INV-2627-9999999', {}, 'document_not_found'],
    ['post', 'documents/X/e-way-bill', '', 'documents/INV-1/e-way-bill', {}, 'document_not_found'],
    ['get', 'seller', 'staff', '', {}, ''],
    ['put', 'seller', 'staff', '', { gstin: 'x', nam: 'y' }, 'nam,gstin'],
    ['get', 'reports/sales', 'packer', 'reports/sales?by=week&from=x', {}, 'by,from'],
    ['get', 'reports/statement', 'packer', 'reports/statement?month=2026-13', {}, 'client,month'],
    ['get', 'reports/ledger', 'packer', 'reports/ledger?client=nobody', {}, 'client_not_found'],
    ['get', 'reports/register', 'packer', 'reports/register?from=2026-02-30', {}, 'from'],
    ['get', 'reports/gst', 'packer', 'reports/gst?month=2026-11&file=b3b.csv', {}, 'file'],
    ['get', 'reports/balances', 'packer', 'reports/balances?on=today', {}, 'on'],
    ['get', 'reports/vouchers', 'packer', 'reports/vouchers', {}, 'month'],
  ] as const)(
    '%s %s refuses a role that is too low, and a mistake',
    async (method, path, role, wrong, body, fault) => {
      const send = (by: AdminApi, to: string) => by[method](to, method === 'get' ? undefined : body);
      if (role !== '')
        expect((await send(role === 'staff' ? staff : packer, path).expect(403)).body.code).toBe(
          'role_missing',
        );
      if (fault === '') return;
      const { body: refused } = await send(admin, wrong || path);
      const fields = (refused.errors as { field: string }[] | undefined)?.map(({ field }) => field).join();
      expect(fields ?? refused.code).toBe(fault);
    },
  );
});

function toBytes(response: object, done: (error: Error | null, body: Buffer) => void) {
  const chunks: Buffer[] = [];
  const stream = response as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
}
