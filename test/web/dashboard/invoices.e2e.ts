import { text as textOf } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { financialYear, formatDocumentNumber } from '../../../src/modules/invoices/rules/document-number.js';
import { orderDesk } from '../../support/order-desk.js';
import { dayAt } from '../../../src/platform/time/time.js';
import { orderBody } from '../../support/order-body.js';
import { headline, hiddenFields, readable, rows } from '../../support/page-text.js';
import { answerOf } from '../../support/run-command.js';
import { type SignedIn, signIn } from '../../support/sign-in.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const INVOICES = '/dashboard/invoices';
const SHIPMENT = { courier: 'BlueDart', trackingNumber: 'BD1', trackingUrl: null, shippedAt: null };
const LINK = `<a href="${INVOICES}"`;

const YEAR = financialYear(dayAt(Date.now(), 'Asia/Kolkata'));
const INVOICE = formatDocumentNumber({ kind: 'invoice', year: YEAR, seller: 1 }, 1);
const NOTE = formatDocumentNumber({ kind: 'credit_note', year: YEAR, seller: 1 }, 1);

describe('The page of invoices', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  const store = makeBeforeAll(() => test.fixtures.store({ state: '29' }));
  let viewer: SignedIn;
  let outsider: SignedIn;
  let order: string;

  beforeAll(async () => {
    const other = await test.fixtures.store({ state: '27' });
    viewer = await signIn(test, store.clientId, 'viewer');
    outsider = await signIn(test, other.clientId);
    await test.fixtures.products([
      { sku: 'MUG', basePrice: '118.00', deliveryCharge: '0.00', stock: 100, hsn: '6912', gstRate: '18' },
    ]);
  });

  const page = async (path = INVOICES, person = viewer) => (await person.get(path).expect(200)).text;
  const seller = (change: string) => test.pool.query(change);

  it('is not in the navigation without tax and without documents', async () => {
    expect(await page('/dashboard')).not.toContain(LINK);
    const empty = await page();
    expect(readable(empty)).toContain('No documents yet.');
    expect(empty).not.toContain(LINK);
  });

  it('is in the navigation as soon as the seller is set, and later while there are documents', async () => {
    await seller(`
      INSERT INTO sellers (name, gstin, address, state)
      VALUES ('Bulk', '29AAPFU0939F1ZR', '1, MG Road', '29')`);
    expect(await page('/dashboard')).toContain(LINK);
    const body = orderBody([{ sku: 'MUG', quantity: 3 }], { store_order_id: 'WEB-7' });
    order = await test.place(store, body);
    const desk = orderDesk(test.app);
    await desk.pay(order, 'test', {});
    await desk.ship(order, 'test', SHIPMENT);
    await desk.refund(order, 'test', { lines: ['1=1'], reason: 'broken' });
    await seller('DELETE FROM sellers');
    expect(await page('/dashboard')).toContain(LINK);
    expect(await page('/dashboard', outsider)).not.toContain(LINK);
  });

  it('lists the documents of the client, the newest first, for every person of it', async () => {
    const html = await page();
    expect(headline(html)).toBe('Invoices and notes');
    expect(rows(html).map((row) => row.replace(/\d+ \w+ 20\d\d/, 'DAY'))).toEqual([
      `${NOTE} Credit note for ${INVOICE} DAY ${order} −₹118.00`,
      `${INVOICE} Invoice DAY ${order} ₹354.00`,
    ]);
    expect(rows(await page(INVOICES, outsider))).toEqual([]);
  });

  it('finds documents by a number and by the month', async () => {
    const month = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format().slice(0, 7);
    const found = async (query: string) => rows(await page(`${INVOICES}?${query}`)).length;
    expect(await found(`search=cn-${YEAR}`)).toBe(1);
    expect(await found('search=WEB-7')).toBe(2);
    expect(await found(`search=${order}&month=${month}`)).toBe(2);
    expect(await found('search=nothing')).toBe(0);
    expect(await found('month=2020-01')).toBe(0);
    expect(await found(`before=${NOTE}`)).toBe(1);
    expect(await found('before=nothing')).toBe(0);
    expect(await found('month=never&search=%00&before=%00')).toBe(2);
    expect(readable(await page(`${INVOICES}?search=nothing`))).toContain('No document matches.');
  });

  it('gives a document as a PDF, and only to its client', async () => {
    const pdf = await viewer.get(`${INVOICES}/${INVOICE}.pdf`).expect(200);
    expect(pdf.headers['content-type']).toBe('application/pdf');
    expect(pdf.headers['content-disposition']).toBe(`attachment; filename="${INVOICE}.pdf"`);
    await outsider.get(`${INVOICES}/${INVOICE}.pdf`).expect(404);
    await viewer.get(`${INVOICES}/INV-2021-0000009.pdf`).expect(404);
  });

  it('gives a month as a ZIP file', async () => {
    const files = async (query: string, person = viewer) => {
      const { body, headers } = await person.get(`${INVOICES}.zip${query}`).responseType('blob');
      expect(headers['content-type']).toBe('application/zip');
      const zip = await fromBufferPromise(body as Buffer);
      const found: [string, string][] = [];
      for await (const entry of zip.eachEntry())
        found.push([entry.fileName, (await textOf(await zip.openReadStreamPromise(entry))).slice(0, 5)]);
      return found;
    };
    expect(await files('')).toEqual([
      [`${INVOICE}.pdf`, '%PDF-'],
      [`${NOTE}.pdf`, '%PDF-'],
    ]);
    expect(await files('?month=2020-01')).toEqual([]);
    expect(await files('', outsider)).toEqual([]);
    // The last day of a month, and the first of the next one.
    await test.fixtures.rewrite(
      `UPDATE tax_documents
          SET issued_on = CASE kind WHEN 'invoice' THEN '2024-02-29'::date ELSE '2024-03-01' END`,
    );
    for (const [month, number] of [
      ['2024-02', INVOICE],
      ['2024-03', NOTE],
    ] as const) {
      expect(await files(`?month=${month}`)).toEqual([[`${number}.pdf`, '%PDF-']]);
      expect(rows(await page(`${INVOICES}?month=${month}`))).toEqual([expect.stringMatching(`^${number} `)]);
    }
  });

  it('is linked from its order and refund', async () => {
    const html = await page(`/dashboard/orders/${order}`);
    for (const number of [INVOICE, NOTE]) expect(html).toContain(`href="${INVOICES}/${number}.pdf"`);
    expect(html.split(`href="${INVOICES}/${NOTE}.pdf"`)).toHaveLength(3);
  });

  it('is read page by page', async () => {
    await test.fixtures.rewrite(
      `INSERT INTO tax_documents
         (number, kind, issued_at, issued_on, client_id, order_number, parcel, place_of_supply, gross, taxable,
          cgst, sgst, igst, facts)
       SELECT 'INV-1920-' || lpad(n::text, 7, '0'), kind, issued_at, '2020-03-01', client_id, order_number,
              parcel + n, place_of_supply, gross, taxable, cgst, sgst, igst, facts
         FROM tax_documents, generate_series(1, 60) AS n WHERE number = $1`,
      [INVOICE],
    );
    const first = await page();
    expect(rows(first)).toHaveLength(50);
    const older = /href="([^"]*before=[^"]*)"/.exec(first)![1]!.replaceAll('&amp;', '&');
    const second = await page(older);
    expect(rows(second)).toHaveLength(12);
    expect(rows(second).at(-1)).toMatch(/^INV-1920-0000001 /);
  });

  afterAll(endEverything);
});

const PLAN = '/dashboard/plan';
const BILLING = `${PLAN}/billing`;
const MUMBAI = '27AAPFU0939F1ZV';

describe('Billing details in the dashboard', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  let clientId: number;
  let owner: Awaited<ReturnType<typeof signIn>>;
  beforeEach(async () => {
    await test.fixtures.clear();
    await test.fixtures.sql('DELETE FROM sellers');
    ({ clientId } = await test.fixtures.store());
    owner = await signIn(test, clientId, 'owner');
  });

  const SELLER = 'seller set --name S --gstin 29AAGCB7383J1Z4 --address Pune';
  const setSeller = () => answerOf(test.database.url, ...SELLER.split(' '));
  const stored = async () =>
    (
      await test.query('SELECT gstin, state, billing_address FROM clients WHERE id = $1', clientId)
    )[0] as unknown;
  const displayed = async () =>
    hiddenFields((await owner.get(BILLING).expect(200)).text)['shown']![0]!.replaceAll('&quot;', '"');
  const save = async (fields: Record<string, string>, observed?: string) =>
    owner.post(BILLING, { shown: observed ?? (await displayed()), ...fields });
  const audited = () =>
    test.audited('actor, details', `client_id = $1 AND action = 'client.changed'`, clientId);

  it('are not there while there is no seller', async () => {
    expect((await owner.get(PLAN)).text).not.toContain('Billing details');
    expect((await owner.get(BILLING)).status).toBe(404);
    expect((await owner.post(BILLING, { gstin: MUMBAI })).status).toBe(404);
    expect(await stored()).toEqual({ gstin: null, state: null, billing_address: null });
  });

  it('are set by an owner, who is recorded', async () => {
    await setSeller();
    expect(readable((await owner.get(PLAN)).text)).toContain(
      'The wholesaler cannot ship your orders without your GSTIN or state, and billing address.',
    );
    const saved = await save({ gstin: MUMBAI.toLowerCase(), state: '', billingAddress: ' 1, Marine Drive ' });
    expect([saved.status, saved.headers['location']]).toEqual([303, PLAN]);
    const billing = { gstin: MUMBAI, state: '27', billing_address: '1, Marine Drive' };
    expect(await stored()).toEqual(billing);
    const text = readable((await owner.get(PLAN)).text);
    expect(text).toContain(`GSTIN ${MUMBAI}`);
    expect(text).toContain('Maharashtra (27)');
    expect(text).not.toContain('Without a state');
    expect(await audited()).toEqual([
      {
        actor: `person ${owner.person.id} (${owner.person.email})`,
        details: { ...billing, gstin_before: null, state_before: null, billing_address_before: null },
      },
    ]);
    expect((await save({ gstin: '', state: '', billingAddress: '' })).status).toBe(303);
    expect(await stored()).toEqual({ gstin: null, state: null, billing_address: null });
  });

  it('say at each field what is wrong, and keep what was typed', async () => {
    await setSeller();
    const wrong = await save({ gstin: '27AAPFU0939F1ZW', state: '99', billingAddress: 'a\nb' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(/id="field-gstin-fault">The GSTIN is mistyped/);
    expect(wrong.text).toMatch(/id="field-state-fault">The state must be an Indian state/);
    expect(wrong.text).toMatch(/id="field-billingAddress-fault">The billing address must be one line/);
    expect(wrong.text).toContain('value="27AAPFU0939F1ZW"');
    const { rows: found } = await test.pool.query<{ gstin: string }>('SELECT gstin FROM sellers');
    const own = await save({ gstin: found[0]!.gstin, state: '', billingAddress: '' });
    expect(own.status).toBe(422);
    expect(own.text).toMatch(/id="field-gstin-fault">This GSTIN belongs to the seller/);
    const other = await save({ gstin: MUMBAI, state: '29', billingAddress: '' });
    expect(other.status).toBe(422);
    expect(other.text).toMatch(/id="field-state-fault">The GSTIN belongs to Maharashtra \(27\)/);
    expect(await stored()).toEqual({ gstin: null, state: null, billing_address: null });
    expect(await audited()).toEqual([]);
  });

  it('do not overwrite the change of another person without a look at it', async () => {
    await setSeller();
    const before = await displayed();
    await answerOf(test.database.url, 'client', 'set', String(clientId), '--state', 'Goa');
    const stale = await save({ gstin: MUMBAI, state: '', billingAddress: 'Pune' }, before);
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('another person changed these details');
    expect(readable(stale.text)).toContain('State for GST Goa (30)');
    expect(stale.text).toContain(`value="${MUMBAI}"`);
    expect(await stored()).toMatchObject({ gstin: null, state: '30' });
    const now = hiddenFields(stale.text)['shown']![0]!.replaceAll('&quot;', '"');
    expect((await save({ gstin: MUMBAI, state: '', billingAddress: 'Pune' }, now)).status).toBe(303);
    expect(await stored()).toEqual({ gstin: MUMBAI, state: '27', billing_address: 'Pune' });
  });
});
