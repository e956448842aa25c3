import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import { addMonths, type Day, monthAt } from '../../../src/platform/time/time.js';
import { contradictions } from '../../support/books.js';
import type { Store } from '../../support/fixtures.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { OperatorServices } from '../../support/operator-services.js';
import { hiddenFields, linkOf, readable } from '../../support/page-text.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { type FormValues, signInAtDesk } from '../../support/sign-in.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const PARCEL = { courier: 'Delhivery', trackingNumber: null, trackingUrl: null, shippedAt: null };
const [OLD, NEW, OTHER, CLIENT] = [
  '29AAGCB7383J1Z4',
  '27AAPFU0939F1ZV',
  '33AAACH7412G1Z0',
  '29AAPFU0939F1ZR',
] as const;
const MONTH = monthAt(Date.now(), 'Asia/Kolkata');
const firstOf = (months: number): Day => `${addMonths(MONTH, months)}-01`;

interface SellerView {
  seller: { gstin: string; state: string; since: Day };
  coming: { gstin: string; since: Day; name: string } | null;
}
interface Return {
  gstin: string;
  other_gstins: string[];
  late: string[];
  files: Record<string, Record<string, string>[]>;
}

describe('The registrations of the seller', () => {
  const test = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(test.database.serviceUrl));
  let desk: OrderDesk;
  let store: Store;
  let sku: string;

  beforeAll(async () => {
    desk = orderDesk(operator.app);
    store = await test.fixtures.store({ name: 'Asha', state: '29', gstin: CLIENT });
    ({ sku } = await test.fixtures.product({ stock: 1_000, hsn: '6912', gstRate: '18' }));
  });
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));

  const answer = <Value = object>(...args: string[]) => answerOf<Value>(test.database.serviceUrl, ...args);
  const set = (...args: string[]) => answer<SellerView['seller']>('seller', 'set', ...args);
  const refusal = async (...args: string[]) => {
    const { exitCode, stderr } = await runCommand(test.database.serviceUrl, ...args);
    expect(exitCode).toBe(1);
    return stderr;
  };
  const returned = (...args: string[]) => answer<Return>('report', 'gst', ...args);
  const invoicesOf = ({ files }: Return) => files.b2b!.map((row) => row['Invoice Number']);

  async function shipped(shippedAt: Date | null = null): Promise<string> {
    const number = await test.place(store, [{ sku, quantity: 2 }]);
    await test.fixtures.age(24 * 80, number);
    await desk.pay(number, 'test', {});
    await desk.ship(number, 'test', { ...PARCEL, shippedAt });
    return number;
  }

  /** The newest documents of an order: number without its year, the seller's GSTIN, and the kind of tax. */
  async function documentsOf(order: string): Promise<string[]> {
    const { rows } = await test.pool.query<{ text: string }>(
      `SELECT concat_ws(' ', regexp_replace(number, '-\\d{4}-', '-'), facts->'seller'->>'gstin',
                        CASE WHEN igst > 0 THEN 'IGST' ELSE 'CGST' END) AS text
         FROM tax_documents WHERE order_number = $1 ORDER BY issued_at, kind = 'invoice', number`,
      [order],
    );
    return rows.map(({ text }) => text);
  }

  const ORDERS: string[] = [];

  it('replace a mistyped GSTIN at once while no document names it', async () => {
    await set('--name', 'Sharma', '--gstin', OTHER, '--address', 'Bengaluru');
    expect(await set('--gstin', OLD)).toMatchObject({ gstin: OLD, state: '29', since: '2017-07-01' });
    ORDERS.push(await shipped());
    expect(await documentsOf(ORDERS[0]!)).toEqual([`INV-0000001 ${OLD} CGST`]);
  });

  it('change only in one of two ways after that', async () => {
    expect(await refusal('seller', 'set', '--gstin', NEW)).toContain(`Documents name the GSTIN ${OLD}.`);
    expect(await refusal('seller', 'set', '--gstin', NEW, '--from', `${addMonths(MONTH, 1)}-02`)).toContain(
      'Give the first day of a month',
    );
    expect(await refusal('seller', 'set', '--gstin', NEW, '--from', firstOf(-1))).toContain(
      'this month or a later one',
    );
    expect(await refusal('seller', 'set', '--from', firstOf(1))).toContain('needs another GSTIN');
    // Other values change as before.
    expect(await set('--address', 'Mysuru')).toMatchObject({ gstin: OLD });
    expect(await answer('seller', 'show')).toMatchObject({ seller: { gstin: OLD }, coming: null });
  });

  it('have one to come, which is planned once, and named by no document yet', async () => {
    for (let times = 0; times < 2; times++)
      expect(await set('--gstin', NEW, '--address', 'Pune', '--from', firstOf(1))).toMatchObject({
        gstin: NEW,
        since: firstOf(1),
      });
    await set('--name', 'Sharma LLP');
    expect(await answer<SellerView>('seller', 'show')).toMatchObject({
      seller: { gstin: OLD, address: 'Mysuru', since: '2017-07-01' },
      coming: { gstin: NEW, address: 'Pune', since: firstOf(1), name: 'Sharma LLP' },
    });
    ORDERS.push(await shipped());
    expect(await documentsOf(ORDERS[1]!)).toEqual([`INV-0000002 ${OLD} CGST`]);
    await set('--gstin', OLD, '--from', firstOf(1));
    expect(await answer('seller', 'show')).toMatchObject({ coming: null });
  });

  it('are no client, and no client is one of them', async () => {
    const client = String(store.clientId);
    expect(await refusal('seller', 'set', '--gstin', CLIENT, '--from', firstOf(1))).toContain(
      `The GSTIN is that of Asha (client ${client}).`,
    );
    await set('--gstin', NEW, '--from', firstOf(2));
    for (const gstin of [OLD, NEW])
      expect(await refusal('client', 'set', client, '--gstin', gstin)).toContain(
        'This GSTIN belongs to the seller.',
      );
  });

  it('bill goods from the first day on, and goods that left before by the old one', async () => {
    // Planned for the wrong month: it has started already.
    expect(await set('--from', firstOf(0), '--address', 'Pune')).toMatchObject({
      gstin: NEW,
      since: firstOf(0),
    });
    const first = Date.parse(`${firstOf(0)}T00:00:00+05:30`);
    const [late, onTime] = [await shipped(new Date(first - 1)), await shipped(new Date(first))];
    ORDERS.push(late, onTime, await shipped());
    expect(await documentsOf(late)).toEqual([`INV-0000003 ${OLD} CGST`]);
    expect(await documentsOf(onTime)).toEqual([`INV2-000001 ${NEW} IGST`]);
    expect(await documentsOf(ORDERS[4]!)).toEqual([`INV2-000002 ${NEW} IGST`]);
  });

  it('keep the credit notes of their invoices, and reissue by the registration of the goods', async () => {
    await desk.refund(ORDERS[0]!, 'test', { lines: ['1=1'], reason: 'broken' });
    expect((await documentsOf(ORDERS[0]!))[1]).toBe(`CN-0000001 ${OLD} CGST`);
    await desk.refund(ORDERS[4]!, 'test', { lines: ['1=1'], reason: 'broken' });
    expect((await documentsOf(ORDERS[4]!))[1]).toBe(`CN2-0000001 ${NEW} IGST`);
    // It left in this month, before the new registration was set.
    await answer('order', 'reissue', ORDERS[1]!, '--parcel', '1', '--reason', 'wrong GSTIN');
    expect((await documentsOf(ORDERS[1]!)).slice(1)).toEqual([
      `CN-0000002 ${OLD} CGST`,
      `INV2-000003 ${NEW} IGST`,
    ]);
    const late = ORDERS[2]!;
    // With the registration of today its invoice would be another one.
    expect(await refusal('order', 'reissue', late, '--parcel', '1', '--reason', 'again')).toContain(
      'The new invoice would be the same as',
    );
    await test.pool.query(`UPDATE clients SET name = 'Asha LLP' WHERE id = $1`, [store.clientId]);
    await answer('order', 'reissue', late, '--parcel', '1', '--reason', 'wrong name');
    expect((await documentsOf(late)).slice(1)).toEqual([`CN-0000003 ${OLD} CGST`, `INV-0000004 ${OLD} CGST`]);
  });

  it('have a return each, which together have every document', async () => {
    const [own, old] = [await returned('--month', MONTH), await returned('--month', MONTH, '--gstin', OLD)];
    expect([own.gstin, own.other_gstins, old.gstin, old.other_gstins]).toEqual([NEW, [OLD], OLD, [NEW]]);
    const numbers = (one: Return) => one.files.docs!.map((row) => [row['Sr. No. From'], row['Total Number']]);
    expect(numbers(own)).toEqual([
      [expect.stringMatching(/^CN2-\d{4}-0000001$/), '1'],
      [expect.stringMatching(/^INV2-\d{4}-000001$/), '3'],
    ]);
    expect(numbers(old)).toEqual([
      [expect.stringMatching(/^CN-/), '3'],
      [expect.stringMatching(/^INV-/), '4'],
    ]);
    for (const number of invoicesOf(own)) expect(number).toMatch(/^INV2-/);
    for (const number of invoicesOf(old)) expect(number).toMatch(/^INV-/);
    const before = await returned('--month', addMonths(MONTH, -1));
    expect([before.gstin, before.other_gstins]).toEqual([OLD, []]);
    // Goods that left in it have documents of this month.
    expect(invoicesOf(before)).toEqual([]);
    expect(old.late.length).toBeGreaterThan(0);
    expect(await refusal('report', 'gst', '--month', MONTH, '--gstin', CLIENT)).toContain('no GSTIN');
  });

  it('are shown at the desk by a node that was just started', async () => {
    const node = await startTestApp({}, test.database);
    try {
      const admin = await signInAtDesk(node, 'admin');
      const month = (await admin.get(`/desk/money/month?month=${MONTH}`).expect(200)).text;
      for (const gstin of [NEW, OLD]) {
        const zip = await admin.get(linkOf(month, `GSTR-1 for ${gstin}`)).expect(200);
        expect(zip.headers['content-disposition']).toContain(`gstr1-${MONTH}-${gstin}.zip`);
      }
      const path = '/desk/settings/seller';
      const data = { name: 'Sharma LLP', gstin: OTHER, address: 'Chennai', state: '' };
      const fields = { ...data, receiptVouchers: 'no' };
      const post = (more: FormValues) => admin.post(path, { ...fields, ...more });
      expect(readable((await post({ from: '' })).text)).toContain(`Documents name the GSTIN ${NEW}.`);
      const mended = await post({ from: '', mistyped: 'yes' }).expect(200);
      expect(readable(mended.text)).toContain(`GSTIN ${NEW} → ${OTHER}`);
      const review = await post({ from: firstOf(1) }).expect(200);
      expect(readable(review.text)).toContain(`→ ${firstOf(1)}: ${OTHER}, Sharma LLP, Chennai`);
      const was = hiddenFields(review.text).was!;
      await post({ from: firstOf(1), was, step: 'confirm' }).expect(303);
      expect(readable((await post({ from: firstOf(2), was, step: 'confirm' })).text)).toContain('meantime');
      expect(readable((await admin.get('/desk/settings')).text)).toContain(`${firstOf(1)}: ${OTHER}`);
      // The day alone moves it, with its own name and address.
      const kept = { ...fields, gstin: NEW, address: 'Pune' };
      const moved = await post({ ...kept, from: firstOf(2) }).expect(200);
      const observed = hiddenFields(moved.text).was!;
      await post({ ...kept, from: firstOf(2), was: observed, step: 'confirm' }).expect(303);
      expect(await answer('seller', 'show')).toMatchObject({
        coming: { gstin: OTHER, address: 'Chennai', since: firstOf(2) },
      });
      const odd = encodeURIComponent(`${NEW.slice(0, 5)}\n${NEW.slice(5)}`);
      await admin.get(`/desk/money/month/gstr1.zip?month=${MONTH}&gstin=${odd}`).expect(200);
      expect(await refusal('seller', 'set', '--gstin', NEW, '--from', firstOf(1))).toContain('another GSTIN');
      await answer('seller', 'set', '--gstin', NEW, '--from', firstOf(2));
    } finally {
      await node.close();
    }
  });

  it('correct a GSTIN that was never right, in the same series, with a return of each state', async () => {
    const wrong = ORDERS[3]!;
    expect(await set('--gstin', OTHER, '--mistyped')).toMatchObject({ gstin: OTHER, since: firstOf(0) });
    await answer('order', 'reissue', wrong, '--parcel', '1', '--reason', 'wrong GSTIN');
    expect((await documentsOf(wrong)).slice(1)).toEqual([
      `CN2-0000002 ${NEW} IGST`,
      `INV2-000004 ${OTHER} IGST`,
    ]);
    const own = await returned('--month', MONTH);
    expect([own.gstin, own.other_gstins]).toEqual([OTHER, [OLD, NEW]]);
    const mistyped = await returned('--month', MONTH, '--gstin', NEW);
    expect([mistyped.gstin, mistyped.other_gstins]).toEqual([NEW, [OTHER, OLD]]);
    expect([own, mistyped].map((one) => invoicesOf(one).length)).toEqual([1, 3]);
    expect(own.files.docs!.map((row) => row['Total Number'])).toEqual(['1']);
  });

  it('have series that go on after a restore', async () => {
    const skip = (number: string) =>
      runCommand(test.database.url, 'invoice', 'continue-after', number, '--yes');
    const { rows } = await test.pool.query<{ year: string }>('SELECT DISTINCT year FROM document_series');
    const year = rows[0]!.year;
    expect((await skip(`INV2-${year}-000009`)).stdout).toContain('5 in all');
    expect((await skip(`INV3-${year}-000009`)).stderr).toContain(
      `First set the registration with the series INV3`,
    );
    expect(await documentsOf(await shipped())).toEqual([`INV2-000010 ${OTHER} IGST`]);
  });
});
