import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import { ImportRuns } from '../../../src/shared/imports/import-runs.service.js';
import { GstReportService } from '../../../src/modules/invoices/gst-report.service.js';
import { EInvoicesService } from '../../../src/modules/invoices/e-invoices.service.js';
import { TaxDocumentsService } from '../../../src/modules/invoices/tax-documents.service.js';
import { formatDay } from '../../../src/platform/formats.js';
import { readSettings } from '../../../src/platform/settings/settings.js';
import { dayAt } from '../../../src/platform/time/time.js';
import { contradictions } from '../../support/books.js';
import { answerTo } from '../../support/e-invoice-answer.js';
import type { Store } from '../../support/fixtures.js';
import { makeBeforeAll, setUpDirectory } from '../../support/suite-hooks.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder, placeAndMove } from '../../support/order-steps.js';
import { formFields, headline, linkOf, readable, rows } from '../../support/page-text.js';
import { runCommand } from '../../support/run-command.js';
import { signInAtDesk, uploadAtDesk } from '../../support/sign-in.js';
import { PARCEL } from '../../support/tax-documents.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const today = () => dayAt(Date.now(), 'Asia/Kolkata');
const SETTINGS = { eInvoicesFrom: '2026-01-01', hsnDigits: 6 };

interface Amounts {
  AssAmt: number;
  IgstAmt: number;
  CgstAmt: number;
  SgstAmt: number;
  TotItemVal: number;
}

interface EInvoice {
  DocDtls: { Typ: string; No: string; Dt: string };
  SellerDtls: object;
  BuyerDtls: { Gstin: string; Pos: string };
  ShipDtls?: object;
  ItemList: (Amounts & { Qty: number; UnitPrice: number; TotAmt: number; GstRt: number })[];
  ValDtls: { AssVal: number; CgstVal: number; SgstVal: number; IgstVal: number; TotInvVal: number };
  RefDtls?: { PrecDocDtls: { InvNo: string; InvDt: string }[] };
}

/** What a PDF draws and writes. */
function printedIn(pdf: Buffer): string {
  const streams = pdf.toString('latin1').split('stream\n').slice(1);
  return streams
    .map((text) => {
      try {
        return inflateSync(Buffer.from(text, 'latin1')).toString('latin1');
      } catch {
        return '';
      }
    })
    .join('\n');
}

describe('E-invoices', () => {
  const test = setUpTestApp(SETTINGS);
  const directory = setUpDirectory();
  const admin = makeBeforeAll(() => signInAtDesk(test, 'admin'));
  let near: Store;
  let far: Store;
  let unregistered: Store;
  let mug: string;
  let rice: string;
  let desk: OrderDesk;

  const at = (name: string) => path.join(directory, name);
  const run = (...args: string[]) => runCommand(test.database.serviceUrl, ...args);
  const save = async (name: string, content: unknown) => {
    await writeFile(at(name), typeof content === 'string' ? content : JSON.stringify(content));
    return at(name);
  };
  /** The documents in the file for the portal. */
  const file = async (filter: { on?: string; gstin?: string } = {}) => {
    const leftOut: string[] = [];
    const service = test.app.get(EInvoicesService, { strict: false });
    const pieces = service.file(filter, (number, fault) => leftOut.push(`${number}: ${fault}`));
    return { all: JSON.parse(await textOf(Readable.from(pieces))) as EInvoice[], leftOut };
  };
  const documentsOf = async (order: string) => {
    const { rows: found } = await test.pool.query<{ number: string; kind: string }>(
      'SELECT number, kind FROM tax_documents WHERE order_number = $1 ORDER BY issued_at, kind DESC, number',
      [order],
    );
    return found.map(({ number }) => number);
  };
  const sold = async (by: Store, items: { sku: string; quantity: number }[], shipping?: object) => {
    const body = orderBody(items);
    return placeAndMove(test, by, { ...body, shipping: { ...body.shipping, ...shipping } } as never, 'pay');
  };
  /** Before the invoice has its IRN. */
  const ship = (number: string) =>
    desk.ship(number, 'test', PARCEL, undefined, undefined, { withoutIrn: 'a test' });
  const shipped = async (...order: Parameters<typeof sold>) => {
    const number = await sold(...order);
    await ship(number);
    return number;
  };
  const address = (store: Store, text: string) =>
    test.pool.query('UPDATE clients SET billing_address = $2 WHERE id = $1', [store.clientId, text]);

  beforeAll(async () => {
    desk = orderDesk(test.app);
    await test.fixtures.seller();
    near = await test.fixtures.store({ name: 'Asha Traders', state: '29', gstin: '29AAACR5055K1Z3' });
    far = await test.fixtures.store({ name: 'Bela Stores', state: '27', gstin: '27AAPFU0939F1ZV' });
    unregistered = await test.fixtures.store({ name: 'Chand', state: '29' });
    await address(near, '4, Residency Road, Bengaluru - 560 025, Karnataka');
    await address(far, '7, SV Road, Mumbai 400058');
    const [one, two] = await test.fixtures.products([
      {
        name: 'Mug',
        basePrice: '33.33',
        deliveryCharge: '0',
        stock: 90_000,
        hsn: '691200',
        gstRate: '18',
        unit: 'PCS',
      },
      {
        name: 'Rice',
        basePrice: '50.00',
        deliveryCharge: '0',
        stock: 1_000,
        hsn: '100630',
        gstRate: '0',
        unit: 'KGS',
      },
    ]);
    [mug, rice] = [one!.sku, two!.sku];
  });
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));

  it('are the invoices and notes of clients with a GSTIN, within the schema, to the paisa', async () => {
    const order = await shipped(near, [{ sku: mug, quantity: 7 }]);
    await desk.refund(order, 'test', { lines: ['1=2'], reason: 'broken' });
    await desk.refund(order, 'test', { amount: '10.01', reason: 'late' });
    await desk.takeBack(order, 'test', { refund: 2, reason: 'it was in time' });
    const other = await shipped(far, [
      { sku: mug, quantity: 2_001 },
      { sku: rice, quantity: 3 },
    ]);
    await shipped(unregistered, [{ sku: mug, quantity: 1 }]);
    const service = { name: 'Fitting', basePrice: '590.00', deliveryCharge: '0', stock: 9 };
    const { sku: fitting } = await test.fixtures.product({ ...service, hsn: '998719', gstRate: '18' });
    const fitted = await documentsOf(await shipped(far, [{ sku: fitting, quantity: 2 }]));
    const bill = await shipped(far, [{ sku: rice, quantity: 1 }]);
    await desk.refund(bill, 'test', { lines: ['1=1'], reason: 'wet' });

    const { all } = await file();
    const validate = new Ajv({ multipleOfPrecision: 6, strict: false }).compile(
      JSON.parse(
        await readFile(new URL('../../support/inv-01.schema.json', import.meta.url), 'utf8'),
      ) as object,
    );
    expect(validate(all) || validate.errors).toBe(true);
    const [invoice, ...notes] = await documentsOf(order);
    const taxed = (await documentsOf(other)).filter((number) =>
      all.some(({ DocDtls: { No } }) => No === number),
    );
    expect(taxed).toHaveLength(1);
    const due = [invoice, ...notes, ...taxed, ...fitted];
    expect(all.map(({ DocDtls: { No } }) => No).toSorted()).toEqual(due.toSorted());
    expect(all.find(({ DocDtls: { No } }) => No === fitted[0])!.ItemList).toMatchObject([{ IsServc: 'Y' }]);
    expect(notes).toHaveLength(3);

    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + Math.round(amount * 100), 0);
    for (const { ItemList: items, ValDtls: total } of all) {
      for (const { AssAmt, IgstAmt, CgstAmt, SgstAmt, TotItemVal, TotAmt, UnitPrice, Qty, GstRt } of items) {
        expect(TotAmt).toBe(AssAmt);
        expect(sum([AssAmt, IgstAmt, CgstAmt, SgstAmt])).toBe(sum([TotItemVal]));
        expect(Math.abs(UnitPrice * (Qty || 1) - TotAmt)).toBeLessThanOrEqual(0.0005 * (Qty || 1) + 1e-6);
        expect(Math.abs((AssAmt * GstRt) / 100 - IgstAmt - CgstAmt - SgstAmt)).toBeLessThan(0.03);
      }
      expect(sum(items.map(({ AssAmt }) => AssAmt))).toBe(sum([total.AssVal]));
      expect(sum(items.map(({ TotItemVal }) => TotItemVal))).toBe(sum([total.TotInvVal]));
      expect(sum([total.AssVal, total.IgstVal, total.CgstVal, total.SgstVal])).toBe(sum([total.TotInvVal]));
    }
    const of = (number?: string) => all.find(({ DocDtls: { No } }) => No === number)!;
    const [year, month, date] = today().split('-') as [string, string, string];
    const Dt = `${date}/${month}/${year}`;
    expect(of(invoice)).toMatchObject({
      DocDtls: { Typ: 'INV', No: invoice, Dt },
      SellerDtls: { Gstin: '29AAGCB7383J1Z4', Pin: 560001 },
      BuyerDtls: { Gstin: '29AAACR5055K1Z3', Loc: 'Bengaluru', Pin: 560025 },
      ShipDtls: { Pin: 560038 },
      ItemList: [{ Qty: 7, CgstAmt: 17.79, SgstAmt: 17.79, IgstAmt: 0, TotItemVal: 233.31 }],
    });
    expect(of(taxed[0])).toMatchObject({ ItemList: [{ CgstAmt: 0, SgstAmt: 0, IgstAmt: 10_173.56 }] });
    const typesOfNotes = notes.map((note) => of(note).DocDtls.Typ).toSorted();
    expect(typesOfNotes).toEqual(['CRN', 'CRN', 'DBN']);
    for (const note of notes)
      expect(of(note).RefDtls).toEqual({ PrecDocDtls: [{ InvNo: invoice, InvDt: Dt }] });
    expect((await file({ on: today() })).all).toHaveLength(all.length);
    expect((await file({ on: '2026-01-01' })).all).toEqual([]);
    expect((await file({ on: '2025-12-31' })).all).toEqual([]);
  });

  it('of a special economic zone are inter-state at home, as their notes; an embassy has its UIN', async () => {
    const goods = { deliveryCharge: '0', stock: 10, hsn: '691200', gstRate: '18', unit: 'PCS' };
    const { sku } = (await test.fixtures.products([{ ...goods, basePrice: '1100.00' }]))[0]!;
    const store = async (category: string, gstin: string) => {
      const made = await test.fixtures.store({ name: category, state: '29' });
      const id = String(made.clientId);
      const data = [
        '--gstin',
        gstin,
        '--gst-category',
        category,
        '--billing-address',
        '9 MG Road, Bengaluru 560001',
      ];
      expect((await run('client', 'set', id, ...data)).exitCode).toBe(0);
      return made;
    };
    const order = await shipped(await store('sez', '29AAACR5055K1Z3'), [{ sku, quantity: 1 }]);
    await desk.refund(order, 'test', { amount: '118', reason: 'late' });
    const embassy = await shipped(await store('uin', '2917UNO00012UN5'), [{ sku, quantity: 1 }], {
      city: 'Kochi',
      state: 'Kerala',
      pincode: '682001',
    });
    const { all } = await file();
    const of = async (number: string) => {
      const numbers = await documentsOf(number);
      return all.filter(({ DocDtls: { No } }) => numbers.includes(No));
    };
    expect(await of(order)).toMatchObject([
      {
        TranDtls: { SupTyp: 'SEZWP' },
        BuyerDtls: { Gstin: '29AAACR5055K1Z3', Pos: '29' },
        ValDtls: { AssVal: 932.2, CgstVal: 0, SgstVal: 0, IgstVal: 167.8 },
      },
      { TranDtls: { SupTyp: 'SEZWP' }, ValDtls: { CgstVal: 0, IgstVal: 18, TotInvVal: 118 } },
    ]);
    // A client with a UIN is no registered person, so the place of supply is that of the delivery.
    expect(await of(embassy)).toMatchObject([
      {
        TranDtls: { SupTyp: 'B2B' },
        BuyerDtls: { Gstin: '2917UNO00012UN5', Pos: '32' },
        ValDtls: { IgstVal: 167.8 },
      },
    ]);
  });

  it('are refused with a parcel if an address leaves doubt, and the person who can help is named', async () => {
    const order = await sold(far, [{ sku: mug, quantity: 1 }]);
    await address(far, '7, SV Road, Mumbai 560001');
    await expect(ship(order)).rejects.toThrow('the billing address of Bela Stores must end with its place');
    const said = async (page: string) => readable((await (await admin).get(page)).text);
    const lacked = 'billing address with its place and a PIN code of its state at the end';
    expect(await said('/desk')).toContain(`Its invoices need Bela Stores ${lacked} No order`);
    expect(await said(`/desk/clients/${far.clientId}`)).toContain(`an invoice needs its ${lacked}.`);
    await address(far, '7, SV Road, Mumbai 400058');
    expect(await said('/desk')).not.toContain(lacked);
    await test.pool.query("UPDATE sellers SET address = 'Brigade Road'");
    await expect(ship(order)).rejects.toThrow('Admins can change it under Settings.');
    await test.pool.query("UPDATE sellers SET address = '1, Brigade Road, Bengaluru 560001'");
    await test.pool.query("UPDATE products SET hsn = '6912' WHERE sku = $1", [mug]);
    await expect(ship(order)).rejects.toThrow('(HSN code of 6 digits or more). Staff');
    await test.pool.query("UPDATE products SET hsn = '691200' WHERE sku = $1", [mug]);
    const astray = await sold(far, [{ sku: mug, quantity: 1 }], { pincode: '400001' });
    await expect(ship(astray)).rejects.toThrow('a PIN code of its state');
    await ship(order);

    await address(unregistered, 'a village');
    await shipped(unregistered, [{ sku: mug, quantity: 1 }]);
  });

  it('leave out what was issued before with another address, and say so', async () => {
    const early = await startTestApp({ hsnDigits: 6 }, test.database);
    const order = await sold(far, [{ sku: mug, quantity: 1 }]);
    await address(far, 'Mumbai');
    await moveOrder(early, far, order, 'ship');
    await early.close();
    await address(far, '7, SV Road, Mumbai 400058');
    const [invoice] = await documentsOf(order);
    const { all, leftOut } = await file();
    expect(all.map(({ DocDtls: { No } }) => No)).not.toContain(invoice);
    const fault = `${invoice}: For e-invoices the billing address of Bela Stores`;
    expect(leftOut).toEqual([expect.stringContaining(fault)]);
    const displayed = (await (await admin).get('/desk/money/e-invoices')).text;
    expect(rows(displayed).find((row) => row.includes(invoice!))).toContain(
      'the billing address of Bela Stores',
    );
    await run('invoice', 'register', await save('by-hand.json', [answerTo(invoice!)]));
    expect((await file()).leftOut).toEqual([]);
  });

  it('are registered once, with the answers of the portal as JSON or CSV', async () => {
    const [invoice] = await documentsOf(await shipped(near, [{ sku: mug, quantity: 3 }]));
    const [other] = await documentsOf(await shipped(near, [{ sku: mug, quantity: 4 }]));
    const [bill] = await documentsOf(await shipped(unregistered, [{ sku: mug, quantity: 4 }]));
    const answers = await save('answers.json', [answerTo(invoice!)]);
    const register = async (name: string) => {
      const { stdout } = await run('invoice', 'register', name, '--json');
      return JSON.parse(stdout) as { created: number; unchanged: number; failed: object[] };
    };
    const documents = test.app.get(TaxDocumentsService, { strict: false });
    const pdf = async () => documents.bytesOf(await documents.find(invoice!), { account: 'test' });
    const before = await pdf();
    expect(before.equals(await pdf())).toBe(true);
    expect(JSON.parse((await run('invoice', 'show', invoice!, '--json')).stdout)).not.toHaveProperty('irn');

    expect(await register(answers)).toMatchObject({ created: 1, unchanged: 0, failed: [] });
    expect(await register(answers)).toMatchObject({ created: 0, unchanged: 1, failed: [] });
    const atOrder = async (number: string) => {
      const order = (await documents.find(number)).orderNumber!;
      return readable((await (await admin).get(`/desk/orders/${order}`)).text).replaceAll(' ', '');
    };
    expect(await atOrder(invoice!)).toContain(`IRN${answerTo(invoice!).Irn}Copy`);
    expect(await atOrder(bill!)).toContain('noIRNneeded');
    const { AckNo, AckDt, Irn, SignedQRCode } = answerTo(invoice!);
    const csv = `Ack No,Ack Date,Doc No,IRN,SignedQRCode\n${AckNo},26/11/2026 10:15:00,${invoice},${Irn.toUpperCase()},${SignedQRCode}\n`;
    expect(await register(await save('answers.csv', csv))).toMatchObject({ unchanged: 1, failed: [] });
    expect(await register(await save('later.json', answerTo(invoice!, { AckNo: 1 })))).toMatchObject({
      created: 0,
      failed: [{ line: 2, column: 'irn', message: expect.stringContaining('registered with other values') }],
    });

    const wrong = [
      answerTo('INV-2627-9999999'),
      answerTo(bill!),
      answerTo(other!, { Irn: 'x'.repeat(64) }),
      answerTo(other!, { Irn }),
      answerTo(other!, { DocNo: invoice }),
      answerTo(other!, { SignedQRCode: 'none' }),
      answerTo(other!, { AckDt: 'today' }),
      answerTo(other!, { AckNo: '2.3E+14' }),
      // In UTC it is in the year 10000.
      answerTo(other!, { AckDt: '9999-12-31 23:59-05:00' }),
      // The reason quotes the number in the QR code.
      answerTo(other!, { SignedQRCode: answerTo('A\0B').SignedQRCode }),
      answerTo(other!, { DocNo: 'A\0B', SignedQRCode: '', Status: 'CNL', CancelDate: '2026-11-27 10:15' }),
    ].map((answer) => ({ DocNo: '', ...answer }));
    const { created, failed } = await register(await save('wrong.json', wrong));
    expect(created).toBe(0);
    expect(new Set(failed.map((fault) => (fault as { line: number }).line)).size).toBe(wrong.length);
    expect(failed).toContainEqual({
      line: 2,
      column: 'number',
      message: expect.stringContaining('is no document'),
    });
    expect(failed).toContainEqual({
      line: 3,
      column: 'number',
      message: expect.stringContaining('needs no IRN'),
    });
    for (const [name, content] of [
      ['empty.json', '[]'],
      ['broken.json', '[{"Irn":'],
      ['deep.json', '[[1]]'],
      ['words.json', '[ "a" ]'],
    ] as const)
      expect((await run('invoice', 'register', await save(name, content))).exitCode).toBe(1);
    for (const change of [
      "UPDATE e_invoices SET actor = 'x' WHERE irn IS NOT NULL",
      'UPDATE e_invoices SET issued_on = issued_on - 1',
      'DELETE FROM e_invoices',
      'TRUNCATE e_invoices',
    ])
      await expect(test.pool.query(change)).rejects.toThrow('written once and never changed');

    const displayed = JSON.parse((await run('invoice', 'show', invoice!, '--json')).stdout) as object;
    expect(displayed).toMatchObject({
      irn: Irn,
      ack_number: '232210036743849',
      acked_at: '2026-11-26T04:45:00.000Z',
    });
    const after = await pdf();
    expect(after.equals(before)).toBe(false);
    expect(after.equals(await pdf())).toBe(true);
    const squares = (of: Buffer) => printedIn(of).split(' re\n').length - 1;
    expect(squares(after) - squares(before)).toBeGreaterThan(2_000);
    const restarted = await startTestApp(SETTINGS, test.database);
    const repeated = restarted.app.get(TaxDocumentsService, { strict: false });
    expect(after.equals(await repeated.bytesOf(await repeated.find(invoice!), { account: 'test' }))).toBe(
      true,
    );
    await restarted.close();
    expect((await file()).all.map(({ DocDtls: { No } }) => No)).not.toContain(invoice);
    expect(AckDt).toContain('10:15');
  });

  it('are cancelled at the portal, lose their QR code, and are issued again with the same data', async () => {
    const order = await shipped(near, [{ sku: mug, quantity: 3 }]);
    const [invoice] = await documentsOf(order);
    const [other] = await documentsOf(await shipped(near, [{ sku: mug, quantity: 4 }]));
    const register = async (...answers: object[]) => {
      const { stdout } = await run('invoice', 'register', await save('answers.json', answers), '--json');
      return JSON.parse(stdout) as { created: number; updated: number; unchanged: number; failed: object[] };
    };
    const { Irn } = answerTo(invoice!);
    const atOrder = async () => readable((await (await admin).get(`/desk/orders/${order}`)).text);
    const invoiced = `${invoice} Invoice , ${formatDay(today())}, three copies`;
    expect(await atOrder()).toContain(`${invoiced} , IRN missing since ${formatDay(today())}`);
    const cancelled = { CancelDate: '2026-11-26 18:09:00', Irn };
    const failed = (column: string, message: string) => [
      expect.objectContaining({ column, message: expect.stringContaining(message) }),
    ];
    expect(await register(cancelled)).toMatchObject({
      failed: failed('irn', 'is not recorded: import the answer with its QR code first'),
    });
    expect(await register(answerTo(invoice!, { Status: 'CNL' }))).toMatchObject({
      failed: failed('cancelled_at', 'is missing: the IRN is cancelled'),
    });
    expect(await register({ ...cancelled, CancelDate: 'today' })).toMatchObject({
      failed: failed('cancelled_at', 'must be a time'),
    });
    await register(answerTo(invoice!));
    const documents = test.app.get(TaxDocumentsService, { strict: false });
    const squares = async () => {
      const pdf = await documents.bytesOf(await documents.find(invoice!), { account: 'test' });
      return printedIn(pdf).split(' re\n').length - 1;
    };
    const before = await squares();
    expect(await register({ ...cancelled, DocNo: other })).toMatchObject({
      failed: failed('irn', `is that of ${invoice}`),
    });
    expect(await register({ ...cancelled, Status: 'ACT' })).toMatchObject({
      failed: failed('status', 'says that the IRN is not cancelled'),
    });
    expect(await register({ ...cancelled, CancelDate: '2026-11-26 10:14:59' })).toMatchObject({
      failed: failed('cancelled_at', 'is before the time of the acknowledgement'),
    });
    expect(await register(cancelled, { ...cancelled, CancelDate: '2026-11-26 18:10:00' })).toMatchObject({
      updated: 1,
      failed: failed('irn', 'is already in row'),
    });
    const both = [cancelled, answerTo(other!, { CancelDate: '26/11/2026 11:00:00', Status: 'CNL' })];
    expect(await register(...both)).toMatchObject({ created: 1, unchanged: 1, failed: [] });
    expect(await register(cancelled)).toMatchObject({ unchanged: 1, failed: [] });
    expect(await register({ ...cancelled, CancelDate: '2026-11-26 18:10:00' })).toMatchObject({
      failed: failed('cancelled_at', `differs: ${invoice} was cancelled at another time`),
    });
    await expect(test.pool.query('UPDATE e_invoices SET cancelled_at = NULL')).rejects.toThrow();
    expect(await atOrder()).toContain(`${invoiced} , IRN cancelled on 26 Nov 2026`);
    const { rows: actions } = await test.pool.query(
      `SELECT subject, details FROM audit_log WHERE action = 'file.imported' ORDER BY id DESC LIMIT 1`,
    );
    expect(actions).toEqual([
      { subject: 'answers of the tax portal', details: { created: 1, updated: 0, refused: 0 } },
    ]);
    expect(before - (await squares())).toBeGreaterThan(2_000);
    expect(JSON.parse((await run('invoice', 'show', invoice!, '--json')).stdout)).toMatchObject({
      irn: Irn,
      irn_cancelled_at: '2026-11-26T12:39:00.000Z',
    });
    const waiting = async () => (await file()).all.map(({ DocDtls: { No } }) => No);
    expect(await waiting()).not.toContain(invoice);
    const listed = async () => {
      const page = readable((await (await admin).get('/desk/money/e-invoices')).text);
      return page.slice(page.lastIndexOf('IRN cancelled at the portal'));
    };
    expect(await listed()).toContain(invoice);
    await desk.undo(order, 'test', { action: 'reissue', parcel: 1, reason: 'wrong quantity at the portal' });
    const [repeated, note] = (await documentsOf(order)).filter((number) => number !== invoice);
    expect([repeated, note]).toEqual([expect.stringMatching(/^INV/), expect.stringMatching(/^CN/)]);
    expect(await waiting()).toContain(repeated);
    expect(await waiting()).not.toContain(note);
    expect(await listed()).not.toContain(invoice);
    expect(await listed()).toContain(other);
    const { files } = await test.app.get(GstReportService, { strict: false }).returnOf(today().slice(0, 7));
    const cells = (name: string) => files.find((one) => one.name === name)!.rows.flatMap(Object.values);
    expect(cells('b2b')).toContain(repeated);
    expect(cells('b2b')).not.toContain(invoice);
    expect(cells('cdnr')).not.toContain(note);
    // Two invoices and a note of 14, 4 and a debit note.
    expect(files.find((one) => one.name === 'docs')!.rows.map((row) => row.Cancelled)).toEqual([
      '1',
      '0',
      '2',
    ]);
    expect([await documents.find(repeated!), await documents.find(invoice!)]).toMatchObject([
      { awaitsIrn: true },
      { awaitsIrn: false, eInvoice: { cancelledAt: expect.any(Number) } },
    ]);
  });

  it('wait with the invoice that is issued again after the IRN of its credit note was cancelled', async () => {
    const order = await shipped(near, [{ sku: mug, quantity: 3 }]);
    await desk.refund(order, 'test', { lines: ['1=1'], reason: 'broken' });
    const [invoice, note] = await documentsOf(order);
    const cancelled = answerTo(note!, { CancelDate: '2026-11-26 18:09:00', Status: 'CNL' });
    await run('invoice', 'register', await save('note.json', [answerTo(invoice!), cancelled]));
    const waiting = async () => (await file()).all.map(({ DocDtls: { No } }) => No);
    const listed = async () => {
      const page = readable((await (await admin).get('/desk/money/e-invoices')).text);
      return page.slice(page.lastIndexOf('IRN cancelled at the portal'));
    };
    const before = await waiting();
    for (const number of [invoice, note]) expect(before).not.toContain(number);
    expect(await listed()).toContain(note);
    await desk.undo(order, 'test', { action: 'reissue', parcel: 1, reason: 'note at the portal' });
    // The IRN of the first invoice is in force, so the note that credits it needs one too.
    const more = (await documentsOf(order)).filter((number) => number !== invoice && number !== note);
    expect(more.map((number) => number.slice(0, 2)).toSorted()).toEqual(['CN', 'CN', 'IN']);
    expect((await waiting()).toSorted()).toEqual([...before, ...more].toSorted());
    expect(await listed()).not.toContain(note);
  });

  it('of an invoice credited in full end with their notes when it is issued again', async () => {
    const order = await shipped(near, [{ sku: mug, quantity: 1 }]);
    await desk.refund(order, 'test', { lines: ['1=1'], reason: 'broken' });
    const all = await documentsOf(order);
    const end = { CancelDate: '2026-11-26 18:09:00', Status: 'CNL' };
    const [answers, ends] = [all.map((one) => answerTo(one)), all.map((one) => answerTo(one, end))];
    await run('invoice', 'register', await save('full.json', answers));
    await run('invoice', 'register', await save('full-ends.json', ends));
    const cancelled = async () => {
      const page = readable((await (await admin).get('/desk/money/e-invoices')).text);
      return page.slice(page.lastIndexOf('IRN cancelled at the portal'));
    };
    for (const number of all) expect(await cancelled()).toContain(number);
    await desk.undo(order, 'test', { action: 'reissue', parcel: 1, reason: 'wrong at the portal' });
    for (const number of all) expect(await cancelled()).not.toContain(number);
  });

  it('of notes end with the IRN of their invoice: one in force is to be cancelled, no other is asked for', async () => {
    const order = await shipped(near, [{ sku: mug, quantity: 3 }]);
    for (const reason of ['broken', 'scratched'])
      await desk.refund(order, 'test', { lines: ['1=1'], reason });
    const [invoice, registered, waiting] = await documentsOf(order);
    const answers = [answerTo(invoice!), answerTo(registered!)];
    await run('invoice', 'register', await save('notes.json', answers));
    const numbers = async () => (await file()).all.map(({ DocDtls: { No } }) => No);
    expect(await numbers()).toContain(waiting);
    const end = { CancelDate: '2026-11-26 18:09:00', Status: 'CNL' };
    await run('invoice', 'register', await save('ends.json', [answerTo(invoice!, end)]));
    expect(await numbers()).not.toContain(waiting);
    const listed = async () => {
      const page = readable((await (await admin).get('/desk/money/e-invoices')).text);
      return page.slice(page.lastIndexOf('IRN cancelled at the portal'));
    };
    expect(await listed()).toContain(invoice);
    expect(await listed()).toMatch(new RegExp(`${registered}.*First cancel the IRN of this note too`));
    await run('invoice', 'register', await save('ends.json', [answerTo(registered!, end)]));
    expect(await listed()).toContain(registered);
    expect(await listed()).not.toContain('First cancel the IRN');
  });

  it('are work on Today after three days, and can be downloaded and imported at the desk', async () => {
    const person = await admin;
    const [invoice] = await documentsOf(await shipped(near, [{ sku: mug, quantity: 3 }]));
    expect(readable((await person.get('/desk')).text)).not.toContain('Documents without an IRN');
    const triggers = (on: 'ENABLE' | 'DISABLE') =>
      test.pool.query(`ALTER TABLE tax_documents ${on} TRIGGER append_only;
                       ALTER TABLE e_invoices ${on} TRIGGER answered_once`);
    await triggers('DISABLE');
    const since = async (days: number) => {
      for (const table of ['tax_documents', 'e_invoices'])
        await test.pool.query(`UPDATE ${table} SET issued_on = $1::date - $2::int WHERE number = $3`, [
          today(),
          days,
          invoice,
        ]);
    };
    await since(3);
    expect(readable((await person.get('/desk')).text)).not.toContain('Documents without an IRN');
    await since(4);
    expect(readable((await person.get('/desk')).text)).toContain('Documents without an IRN');
    const counted = () => test.app.get(EInvoicesService, { strict: false }).countLate();
    await since(30);
    expect(await counted()).toEqual({ late: 1, overdue: 0 });
    await since(31);
    expect(await counted()).toEqual({ late: 1, overdue: 1 });
    await since(200);
    expect(await counted()).toEqual({ late: 1, overdue: 1 });
    await since(31);
    expect(readable((await person.get('/desk')).text)).toContain('older than 3 days; 1 older than 30 days');
    await since(4);

    const page = (await person.get('/desk/money/e-invoices')).text;
    expect(headline(page)).toBe('E-invoices');
    expect(rows(page)[0]).toContain(invoice);
    const wrong = await person.get('/desk/money/e-invoices.json?on=abc').expect(422);
    expect(readable(wrong.text)).toContain('The day must be one such as 2026-11-26.');
    const download = await person.get('/desk/money/e-invoices.json');
    expect(download.headers['content-disposition']).toContain('e-invoices.json');
    expect(JSON.parse(download.text)).toContainEqual(
      expect.objectContaining({ DocDtls: expect.objectContaining({ No: invoice }) }),
    );
    // After a new registration the portal takes a file for each GSTIN.
    const name = (gstin: string) =>
      test.pool.query(
        `UPDATE tax_documents SET facts = jsonb_set(facts, '{seller,gstin}', to_jsonb($1::text))
          WHERE number = $2`,
        [gstin, invoice],
      );
    const { seller } = (await test.app.get(TaxDocumentsService, { strict: false }).find(invoice!)).facts;
    await documentsOf(await shipped(near, [{ sku: mug, quantity: 3 }]));
    await name('27AAPFU0939F1ZV');
    expect((await person.get('/desk/money/e-invoices.json')).status).toBe(409);
    expect((await person.get('/desk/money/e-invoices')).text).toContain('json?gstin=27AAPFU0939F1ZV');
    await expect(file()).rejects.toThrow('several GSTINs');
    await expect(file({ gstin: '27AAPFU0939F1ZX' })).rejects.toThrow('The GSTIN ');
    const { all } = await file({ gstin: '27aapfu0939f1zv' });
    expect(all.map(({ DocDtls: { No } }) => No)).toEqual([invoice]);
    expect((await file({ gstin: seller.gstin })).all.map(({ DocDtls: { No } }) => No)).not.toContain(invoice);
    await name(seller.gstin);
    const content = Buffer.from(JSON.stringify([answerTo(invoice!)]));
    const upload = { kind: 'e-invoices', name: 'answers.json', content };
    const imported = await uploadAtDesk(test.url, person.cookie, upload);
    await test.app.get(ImportRuns).settled();
    const checked = (await person.get(imported)).text;
    expect(headline(checked)).toBe('1 document would be written');
    expect(readable(checked)).toMatch(/\b[0-9a-f]{64}\b/);
    await person.post(`${imported}/apply`, formFields(checked));
    await test.app.get(ImportRuns).settled();
    expect(headline((await person.get(imported)).text)).toBe('1 document written');
    expect(readable((await person.get('/desk')).text)).not.toContain('Documents without an IRN');
    await since(0);
    await triggers('ENABLE');
  });

  it('can be cancelled while none waits: their page still leads to the import', async () => {
    const idle = await startTestApp({ ...SETTINGS, eInvoicesFrom: '2999-01-01' }, test.database);
    const { text } = await (await signInAtDesk(idle, 'admin')).get('/desk/money/e-invoices');
    await idle.close();
    expect(readable(text)).toContain('No document waits for its IRN');
    expect(linkOf(text, 'Import the answers')).toBe('/desk/imports?kind=e-invoices');
  });

  it('are off without the setting', async () => {
    const off = await startTestApp({}, test.database);
    const person = await signInAtDesk(off, 'admin');
    expect(readable((await person.get('/desk/money/e-invoices')).text)).toContain('E-invoices are off');
    expect((await person.get('/desk/money/e-invoices.json')).status).toBe(409);
    expect(readable((await person.get('/desk/money/invoices')).text)).not.toContain('wait for their IRN');
    await off.close();
    expect(() => readSettings({ E_INVOICES_FROM: 'yes', HSN_DIGITS: '4' })).toThrow(
      /E_INVOICES_FROM must be a day such as 2026-04-01, but is "yes"\.[^]*E_INVOICES_FROM needs HSN_DIGITS=6/,
    );
  });
});
