import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { FiledReturnsService } from '../../../src/modules/invoices/filed-returns.service.js';
import { addMonths, monthAt } from '../../../src/platform/time/time.js';
import { formatDay, formatMonth } from '../../../src/platform/formats.js';
import { contradictions } from '../../support/books.js';
import { answerTo } from '../../support/e-invoice-answer.js';
import { readable } from '../../support/page-text.js';
import { answerOf, runCommand } from '../../support/run-command.js';
import { makeBeforeAll, setUpDirectory } from '../../support/suite-hooks.js';
import { signInAtDesk } from '../../support/sign-in.js';
import { InvoicedOrders, MAHARASHTRA, PARCEL } from '../../support/tax-documents.js';
import { setUpTestApp } from '../../support/test-app.js';

const THIS_MONTH = monthAt(Date.now(), 'Asia/Kolkata');
const LAST_MONTH = addMonths(THIS_MONTH, -1);
const GSTIN = '29AAGCB7383J1Z4';
const PAGE = '/desk/money/month';

interface Report {
  filed: { month: string; by: string; arn: string | null }[];
  changes_since_filing: { month: string; subject: string; to_do: string }[];
}

describe('A month that is marked as filed', () => {
  const test = setUpTestApp();
  const directory = setUpDirectory();
  const admin = makeBeforeAll(() => signInAtDesk(test, 'admin'));
  const staff = makeBeforeAll(() => signInAtDesk(test, 'staff'));
  let orders: InvoicedOrders;

  beforeAll(async () => {
    await test.fixtures.seller();
    orders = await InvoicedOrders.create(test);
  });
  afterEach(async () => expect(await contradictions(test.pool)).toEqual([]));

  const url = () => test.database.serviceUrl;
  const report = (month = LAST_MONTH) => answerOf<Report>(url(), 'report', 'gst', '--month', month);
  const returns = () => test.app.get(FiledReturnsService, { strict: false });
  const mark = (more: { gstin?: string; arn?: string } = {}) => returns().mark(LAST_MONTH, more, 'Asha');
  const takeBack = (reason: string) => returns().takeBack(LAST_MONTH, { reason }, 'Asha');
  const lateOrder = async () => {
    const number = await orders.paid(2);
    await test.fixtures.age(24 * 70, number);
    return number;
  };
  const shipLate = (number: string, waiver?: string) =>
    orders.desk.ship(
      number,
      'test',
      { ...PARCEL, shippedAt: new Date(`${LAST_MONTH}-20`) },
      undefined,
      waiver,
    );

  it('is over, is marked once, and the mark is taken back with a reason', async () => {
    await expect(mark({ gstin: GSTIN, arn: 'AA29102600123' })).rejects.toThrow('15 characters');
    await expect(returns().mark(THIS_MONTH, {}, 'Asha')).rejects.toThrow(
      `${formatMonth(THIS_MONTH)} is not over`,
    );
    await mark({ arn: 'aa291026001234k' });
    await expect(mark()).rejects.toThrow(
      `The return of ${formatMonth(LAST_MONTH)} for ${GSTIN} was marked as filed on`,
    );
    expect((await report()).filed).toMatchObject([
      { month: LAST_MONTH, gstin: GSTIN, by: 'Asha', arn: 'AA291026001234K' },
    ]);
    await expect(takeBack('')).rejects.toMatchObject({ code: 'invalid_value' });
    await takeBack('too early');
    await expect(takeBack('too early')).rejects.toThrow('is not marked as filed');
    const { rows } = await test.pool.query(
      `SELECT action, subject, details FROM audit_log WHERE action LIKE 'return.%' ORDER BY id`,
    );
    expect(rows).toEqual([
      {
        action: 'return.filed',
        subject: `return ${LAST_MONTH}`,
        details: { gstin: GSTIN, arn: 'AA291026001234K' },
      },
      {
        action: 'return.filing_taken_back',
        subject: `return ${LAST_MONTH}`,
        details: { gstin: GSTIN, reason: 'too early' },
      },
    ]);
  });

  it('gets no parcel whose goods left in it, until the mark is taken back', async () => {
    const [one, two] = [await lateOrder(), await lateOrder()];
    await mark();
    await expect(shipLate(one)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        new RegExp(
          `left on ${formatDay(`${LAST_MONTH}-20`)}, in a filed month.* marked as filed .* takes the mark back`,
        ),
      ) as string,
    });
    const rows = path.join(directory, 'parcels.csv');
    await writeFile(rows, `order_number,courier,shipped_at\n${one},Delhivery,${LAST_MONTH}-20\n`);
    for (const more of [['--dry-run'], []])
      expect((await runCommand(url(), 'shipment', 'import', rows, ...more)).stdout).toContain(
        'in a filed month',
      );
    await orders.ship(one);
    // Goods without an invoice are not in the return.
    await shipLate(two, 'sample');
    await takeBack('not sent');
    const three = await lateOrder();
    await shipLate(three);
    expect(await orders.documents(three)).toMatchObject([{ supplied: `${LAST_MONTH}-20` }]);
  });

  it('gets no invoiced parcel by a correction of its day', async () => {
    const [one, sample] = [await lateOrder(), await lateOrder()];
    await orders.ship(one);
    await orders.desk.ship(sample, 'test', PARCEL, undefined, 'sample');
    const correct = (number: string, day: string) =>
      orders.desk.correct(number, 'test', { shippedAt: new Date(`${LAST_MONTH}-${day}`) });
    await mark();
    const invoices = await orders.documents(one);
    await expect(correct(one, '20')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        `left on ${formatDay(`${LAST_MONTH}-20`)}, in a filed month`,
      ) as string,
    });
    await correct(sample, '20');
    await takeBack('not sent');
    await correct(one, '20');
    await mark();
    await correct(one, '21');
    expect(await orders.documents(one)).toEqual(invoices);
    await takeBack('not sent');
  });

  it('is marked at the desk by an admin, after a review', async () => {
    const form = `${PAGE}/filed?month=${LAST_MONTH}&gstin=${GSTIN}`;
    expect(readable((await admin.get(`${PAGE}?month=${LAST_MONTH}`)).text)).toContain('Mark as filed');
    const running = readable((await admin.get(`${PAGE}?month=${THIS_MONTH}`)).text);
    expect(running).toContain('Mail its statements and mark it as filed when it is over.');
    expect(running).not.toContain('Mark as filed');
    expect(readable((await staff.get(`${PAGE}?month=${LAST_MONTH}`)).text)).not.toContain('Mark as filed');
    expect((await staff.get(form)).status).toBe(403);
    const typed = { month: LAST_MONTH, gstin: GSTIN, arn: 'wrong' };
    expect((await admin.post(`${PAGE}/filed`, typed)).status).toBe(422);
    const review = await admin.post(`${PAGE}/filed`, { ...typed, arn: '' });
    expect(readable(review.text)).toContain('are refused from now on');
    expect((await report()).filed).toEqual([]);
    await admin.post(`${PAGE}/filed`, { ...typed, arn: '', step: 'confirm' });
    expect((await report()).filed).toHaveLength(1);
    expect(readable((await admin.get(form)).text)).toContain('Take back the mark');
    const back = { month: LAST_MONTH, gstin: GSTIN, reason: 'wrong month', step: 'confirm' };
    await admin.post(`${PAGE}/filed`, back);
    expect((await report()).filed).toEqual([]);
  });

  it('lists what changed since: cancelled IRNs, skipped numbers and a corrected GSTIN', async () => {
    const client = await test.fixtures.store({ name: 'Bela Stores', ...MAHARASHTRA });
    const [invoice] = await orders.documents(await orders.shipped(1, client));
    const number = invoice!.number;
    await test.fixtures.rewrite(
      `UPDATE tax_documents SET issued_on = $1, supplied_on = NULL WHERE number = $2`,
      [`${LAST_MONTH}-25`, number],
    );
    await test.pool.query(
      'INSERT INTO e_invoices (number, issued_on) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [number, `${LAST_MONTH}-25`],
    );
    const answers = path.join(directory, 'answers.json');
    const register = async (more = {}) => {
      await writeFile(answers, JSON.stringify([answerTo(number, more)]));
      return runCommand(url(), 'invoice', 'register', answers);
    };
    await register();
    await mark();
    expect((await report()).changes_since_filing).toEqual([]);
    await register({ CancelDate: '2026-11-26 18:09:00', Status: 'CNL' });
    const last = `INV-${number.split('-')[1]}-0000900`;
    await runCommand(test.database.url, 'invoice', 'continue-after', last, '--yes');
    await runCommand(url(), 'seller', 'set', '--gstin', '29AAACR5055K1Z3', '--mistyped');
    const { changes_since_filing: changes, filed } = await report();
    expect(filed).toHaveLength(1);
    expect(changes.map(({ month, to_do: todo }) => [month, todo.split(' ').slice(0, 5).join(' ')])).toEqual([
      [LAST_MONTH, 'Amend it to 0 in'],
      [LAST_MONTH, 'If the return has some'],
      [LAST_MONTH, 'Issue its invoices again: the'],
    ]);
    expect(changes[0]).toMatchObject({
      subject: number,
      to_do: expect.stringContaining('table 9A') as string,
    });
    const page = readable((await admin.get(`${PAGE}?month=${LAST_MONTH}`)).text);
    expect(page).toContain('Changed since the filing');
    const zip = await admin.get(`${PAGE}/gstr1.zip?month=${LAST_MONTH}`).responseType('blob').expect(200);
    const file = strFromU8(unzipSync(zip.body as Buffer)['changes-since-filing.csv']!);
    expect(file.split('\n')[0]).toBe('month,changed_at,subject,change,to_do\r');
    expect(file).toContain(number);
    await test.fixtures.rewrite(
      `UPDATE tax_documents SET issued_on = (issued_at AT TIME ZONE 'Asia/Kolkata')::date WHERE number = $1`,
      [number],
    );
  });
});
