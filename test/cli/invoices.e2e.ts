import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { orderDesk } from '../support/order-desk.js';
import { writeDocumentCursor } from '../../src/modules/invoices/document.queries.js';
import type { StatementView } from '../../src/modules/payments/statements.service.js';
import { addDays, dayAt } from '../../src/platform/time/time.js';
import { contradictions } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder, placeAndMove } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpDirectory } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

const WAITS = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

interface InvoiceRow {
  number: string;
  kind: string;
  issued_on: string;
  client: string;
  order_number: string;
  against: string | null;
  amount: number;
}

describe('Tax documents', () => {
  const test = setUpTestApp();
  const directory = setUpDirectory();
  let store: Store;
  let other: Store;
  let order: string;
  let invoice: string;
  let note: string;
  let paid: (by: Store, id: string) => Promise<string>;

  const run = (...args: string[]) => runCommand(test.database.serviceUrl, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.serviceUrl, ...args);
  const at = (name: string) => path.join(directory, name);
  const read = (by: Store, address: string) => test.get(by, address);

  beforeAll(async () => {
    await test.fixtures.seller();
    store = await test.fixtures.store({ name: 'Asha Traders', state: '29' });
    other = await test.fixtures.store({ name: 'Bela Stores', state: '27', gstin: '27AAPFU0939F1ZV' });
    const { sku } = await test.fixtures.product({
      name: 'Mug',
      basePrice: '118.00',
      deliveryCharge: '50.00',
      stock: 100,
      hsn: '6912',
      gstRate: '18',
      unit: 'PCS',
    });
    paid = async (by, id) => {
      const body = orderBody([{ sku, quantity: 3 }], { store_order_id: id });
      return placeAndMove(test, by, body, 'pay');
    };
    const shipped = async (by: Store, id: string) => {
      const number = await paid(by, id);
      await moveOrder(test, by, number, 'ship');
      return number;
    };
    order = await shipped(store, 'WEB-7');
    await orderDesk(test.app).refund(order, 'test', { lines: ['1=1'], reason: 'broken' });
    await shipped(other, 'WEB-8');
    [note, invoice] = (await answer<InvoiceRow[]>('invoice', 'list', '--client', 'Asha'))
      .toSorted((one, two) => (one.kind < two.kind ? -1 : 1))
      .map(({ number }) => number) as [string, string];
  });

  it('are listed, and found by each of their names', async () => {
    const all = await answer<InvoiceRow[]>('invoice', 'list');
    expect(all).toHaveLength(3);
    expect(all.find(({ number }) => number === note)).toEqual({
      number: note,
      kind: 'credit_note',
      issued_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      client_id: store.clientId,
      client: 'Asha Traders',
      order_number: order,
      against: invoice,
      refund: 1,
      credit_ended_on: null,
      is_commercial: false,
      taxable: 100,
      tax: 18,
      amount: 118,
    });
    const month = all[0]!.issued_on.slice(0, 7);
    const found = async (...args: string[]) =>
      (await answer<InvoiceRow[]>('invoice', 'list', ...args)).map(({ number }) => number).toSorted();
    expect(await found('--search', invoice.toLowerCase())).toEqual([invoice]);
    expect(await found('--search', 'bela')).toHaveLength(1);
    expect(await found('--search', '27AAPFU0939F1ZV')).toHaveLength(1);
    expect(await found('--search', 'web-7')).toEqual([note, invoice]);
    expect(await found('--search', order)).toEqual([note, invoice]);
    expect(await found('--kind', 'credit_note')).toEqual([note]);
    expect(await found('--month', month)).toHaveLength(3);
    expect(await found('--month', '2020-01')).toEqual([]);
    expect((await run('invoice', 'list', '--month', '2020-01')).stdout).toBe('No documents.\n');
    expect(await run('invoice', 'list', '--month', 'May')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('It must be a month such as 2026-11.'),
    });
  });

  it('are shown with their lines', async () => {
    expect(await answer('invoice', 'show', ` ${invoice.toLowerCase()}`)).toMatchObject({
      number: invoice,
      title: 'Tax invoice',
      client_id: store.clientId,
      order_number: order,
      parcel: 1,
      place_of_supply: '29',
      taxable: 342.38,
      cgst: 30.81,
      sgst: 30.81,
      igst: 0,
      total: 404,
      seller: { name: 'Wholesale House' },
      client: { name: 'Asha Traders', gstin: null },
      items: [
        { line: 1, description: 'Mug', hsn: '6912', quantity: 3, unit: 'PCS', unit_price: 118, gst_rate: 18 },
        { line: 0, description: 'Delivery', total: 50 },
      ],
    });
    const { stdout } = await run('invoice', 'show', note);
    expect(stdout).toContain('Credit note');
    expect(stdout).toContain(invoice);
    expect(await run('invoice', 'show', 'INV-1')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('There is no document INV-1.'),
    });
  });

  it('are PDFs with the same bytes each time, for the wholesaler and for the store', async () => {
    const notice = await run('invoice', 'pdf', invoice, '--output', at('one.pdf'));
    expect(notice).toMatchObject({ exitCode: 0, stdout: `Wrote ${invoice} to ${at('one.pdf')}.\n` });
    const written = await readFile(at('one.pdf'));
    expect(written.subarray(0, 5).toString()).toBe('%PDF-');
    const sent = await read(store, `/api/documents/${invoice}`).buffer(true).expect(200);
    expect(sent.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${invoice}.pdf"`,
      'x-content-type-options': 'nosniff',
    });
    expect((sent.body as Buffer).equals(written)).toBe(true);
    const etag = sent.headers.etag!;
    await read(store, `/api/documents/${invoice}`).set('If-None-Match', etag).expect(304);
  });

  it('are listed for the store at their order', async () => {
    const { body } = await read(store, `/api/orders/${order}/documents`).expect(200);
    expect(body).toEqual({
      success: true,
      documents: [
        {
          number: invoice,
          kind: 'invoice',
          date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          amount: 404,
          order_number: order,
          store_order_id: 'WEB-7',
          parcel: 1,
          against: null,
          refund: null,
          lines: [
            { line: 1, quantity: 3, amount: 354 },
            { line: 0, quantity: 1, amount: 50 },
          ],
          url: `/api/documents/${invoice}`,
        },
        expect.objectContaining({
          number: note,
          kind: 'credit_note',
          amount: 118,
          parcel: null,
          against: invoice,
          refund: 1,
          lines: [{ line: 1, quantity: 1, amount: 118 }],
        }),
      ],
    });
    expect((await read(store, '/api/orders/WEB-7/documents').expect(200)).body).toEqual(body);
  });

  it('are listed for the store by day, page by page, and only its own', async () => {
    const list = async (query: string, by = store) =>
      (await read(by, `/api/documents${query}`).expect(200)).body as {
        data: { number: string; date: string; store_order_id: string }[];
        has_more: boolean;
        next_cursor?: string;
      };
    const ofOrder = (await read(store, '/api/orders/WEB-7/documents')).body.documents as { date: string }[];
    const all = await list('');
    expect(all).toEqual({ success: true, data: expect.arrayContaining(ofOrder), has_more: false });
    expect(all.data.map(({ date, number }) => date + number)).toEqual(
      all.data.map(({ date, number }) => date + number).toSorted(),
    );
    const paged: object[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await list(`?limit=1${cursor && `&cursor=${cursor}`}`);
      expect(page.has_more).toBe(page.next_cursor !== undefined);
      expect(page.data).toHaveLength(1);
      paged.push(...page.data);
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(all.data);
    const day = ofOrder[0]!.date;
    const next = addDays(day, 1);
    expect(await list(`?issued_from=${day}&issued_to=${day}`)).toEqual(all);
    for (const none of [`?issued_from=${next}`, `?issued_to=${addDays(day, -1)}`])
      expect((await list(none)).data).toEqual([]);
    const others = (await list('', other)).data.map(({ number }) => number);
    expect(others.filter((number) => all.data.some((own) => own.number === number))).toEqual([]);
    for (const wrong of [
      'issued_from=yesterday',
      'issued_to=2026-02-30',
      'issued_from=0000-01-01',
      'cursor=x',
      `cursor=${writeDocumentCursor({ day, number: 'INV\0' })}`,
    ])
      await read(store, `/api/documents?${wrong}`).expect(422);
    for (const guessed of ['date_from', 'created_from', 'since', 'date_to', 'page'])
      await read(store, `/api/documents?${guessed}=${day}`).expect(422);
  });

  it('stay secret from other clients', async () => {
    const refused = await read(other, `/api/documents/${invoice}`).expect(404);
    expect(refused.body).toEqual({
      success: false,
      code: 'document_not_found',
      doc_url: '/docs/guide#error-document_not_found',
      message: 'You have no invoice, note or receipt with this number.',
      request_id: expect.any(String),
    });
    const { request_id: _, ...missing } = (await read(other, '/api/documents/INV-1').expect(404)).body;
    expect(missing).toEqual({ ...refused.body, request_id: undefined });
    expect((await read(other, `/api/orders/${order}/documents`).expect(404)).body.code).toBe(
      'order_not_found',
    );
    await read(store, '/api/documents/%00').expect(404);
  });

  it('are exported by lines, a month at a time', async () => {
    const [{ issued_on }] = (await answer<InvoiceRow[]>('invoice', 'list')) as [InvoiceRow];
    const month = issued_on.slice(0, 7);
    const { stdout } = await run('invoice', 'export', '--month', month, '--client', 'Asha');
    const [heading, ...lines] = stdout.trimEnd().split('\r\n');
    expect(heading).toBe(
      'number,kind,issued_on,client_id,seller_gstin,client,gstin,place_of_supply,order_number,against,reason,description,' +
        'sku,hsn,quantity,unit,unit_price,gst_rate,taxable,cgst,sgst,igst,total,credit_ended_on,supplied_on,' +
        'reason_code,commercial,gst_treatment',
    );
    expect(lines).toHaveLength(3);
    expect(lines.find((line) => line.startsWith(note))).toMatch(
      /,broken,Mug,[^,]+,6912,1,PCS,118\.00,18\.00,100\.00,9\.00,9\.00,0\.00,118\.00,,20\d\d-\d\d-\d\d,01,,taxable$/,
    );
    expect(lines.find((line) => line.includes(',Delivery,'))).toMatch(
      /,42\.38,3\.81,3\.81,0\.00,50\.00,,20[\d-]+,,,taxable$/,
    );
    const written = await run('invoice', 'export', '--month', month, '--output', at('month.csv'));
    expect(written.stdout).toBe(`Wrote 5 rows to ${at('month.csv')}.\n`);
  });

  it('belong to a month from its first to its last day', async () => {
    const days = ['2024-01-31', '2024-02-01', '2024-02-29', '2024-03-01'];
    await test.fixtures.rewrite(
      `INSERT INTO tax_documents SELECT (jsonb_populate_record(d, jsonb_build_object(
                'number', 'INV-2324-000000' || n, 'parcel', 90 + n, 'issued_on', day))).*
         FROM tax_documents d, unnest($2::date[]) WITH ORDINALITY AS days (day, n) WHERE number = $1`,
      [invoice, days],
    );
    await test.fixtures.rewrite(
      `INSERT INTO tax_document_items SELECT (jsonb_populate_record(i, jsonb_build_object('number', d.number))).*
         FROM tax_document_items i, tax_documents d
        WHERE i.number = $1 AND i.position = 1 AND d.number LIKE 'INV-2324-%'`,
      [invoice],
    );
    const listed = await answer<InvoiceRow[]>('invoice', 'list', '--month', '2024-02');
    expect(listed.map(({ issued_on }) => issued_on)).toEqual(['2024-02-29', '2024-02-01']);
    const { stdout } = await run('invoice', 'export', '--month', '2024-02');
    expect(stdout.match(/\d{4}-\d\d-\d\d(?=,\d)/g)).toEqual(['2024-02-01', '2024-02-29']);
    await test.fixtures.rewrite(
      `WITH items AS (DELETE FROM tax_document_items WHERE number LIKE 'INV-2324-%')
       DELETE FROM tax_documents WHERE number LIKE 'INV-2324-%'`,
    );
  });

  it('are left out if a person says why, which the audit log keeps', async () => {
    const number = await paid(store, 'WEB-88');
    const ship = ['order', 'ship', number, '--courier', 'DTDC', '--no-invoice'];
    const refused = await run(...ship, 'x');
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('replacement, sample')]);
    const { stdout } = await run(...ship, 'export under LUT');
    expect(stdout).toMatch(
      /^Goods that are invoiced elsewhere take .* the delivery charge with them\.\nOrder number:/,
    );
    expect(stdout).toContain('export under LUT');
    expect(await answer('invoice', 'list', '--search', number)).toEqual([]);
    const [entry] = await answer<{ details: object }[]>('audit', 'list', '--subject', number);
    expect(entry!.details).toMatchObject({ no_invoice: 'export under LUT' });
  });

  it('count for the month of their date, which is told if the goods left in an earlier one', async () => {
    const numbers = [await paid(store, 'LATE-1'), await paid(store, 'LATE-2'), await paid(store, 'LATE-3')];
    for (const number of numbers) await test.fixtures.age(24 * 50, number);
    const [first, second, third] = numbers as [string, string, string];
    const left = dayAt(Date.now() - 45 * 86_400_000, 'Asia/Kolkata');
    const notice = `is in an earlier month: its invoice is dated today, and counts for the return of this month, not of ${left.slice(0, 7)}`;
    const ship = ['--courier', 'DTDC', '--shipped-at'];
    expect((await run('order', 'ship', first, ...ship, left)).stdout).toContain(
      `The time of shipping ${notice}.\nOrder number:`,
    );
    expect((await run('order', 'ship', second, ...ship, dayAt(Date.now(), 'Asia/Kolkata'))).stdout).toMatch(
      /^Order number:/,
    );
    const file = at('late.csv');
    await writeFile(file, `order_number,courier,tracking_number,shipped_at\n${third},DTDC,T1,${left}\n`);
    for (const options of [['--dry-run'], []]) {
      const { stdout, exitCode } = await run('shipment', 'import', file, ...options);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`shipped_at  ${notice}`)]);
    }
    const [document] = await answer<InvoiceRow[]>('invoice', 'list', '--search', third);
    expect(await answer('invoice', 'show', document!.number)).toMatchObject({ supplied_on: left });
    const returned = await run('report', 'gst', '--month', dayAt(Date.now(), 'Asia/Kolkata').slice(0, 7));
    expect(returned.stdout).toMatch(new RegExp(`^Late: .*${document!.number}`, 'm'));
  });

  it('are in order if an invoice has its credit note at the same moment', async () => {
    const number = await paid(other, 'WEB-9');
    await orderDesk(test.app).refund(number, 'test', { lines: ['1=1'], reason: 'sold out' });
    await moveOrder(test, other, number, 'ship');
    const { body } = await read(other, '/api/orders/WEB-9/documents').expect(200);
    const { documents } = body as { documents: InvoiceRow[] };
    expect(documents.map(({ kind }) => kind)).toEqual(['invoice', 'credit_note']);
    const newest = (await answer<InvoiceRow[]>('invoice', 'list', '--limit', '2')).map((one) => one.number);
    expect(newest).toEqual(documents.map((one) => one.number).toReversed());
    const { rows } = await test.pool.query(
      'SELECT count(DISTINCT issued_at)::int AS moments FROM tax_documents WHERE order_number = $1',
      [number],
    );
    expect(rows).toEqual([{ moments: 1 }]);
  });

  describe('after a restored backup', () => {
    const skip = (number: string, ...more: string[]) =>
      runCommand(test.database.url, 'invoice', 'continue-after', number, '--by', 'asha', ...more);
    const skips = async () => {
      const filter = ['--action', 'series.continued', '--all'];
      return answer<{ subject: string; actor: string; details: object }[]>('audit', 'list', ...filter);
    };
    const nextInvoice = async (id: string) => {
      const number = await paid(store, id);
      await moveOrder(test, store, number, 'ship');
      return (await answer<InvoiceRow[]>('invoice', 'list', '--search', number))[0]!.number;
    };
    const plus = (number: string, more: number) =>
      number.slice(0, -7) + String(Number(number.slice(-7)) + more).padStart(7, '0');

    it('continue after the last number that was issued, which is never used again', async () => {
      const last = await nextInvoice('WEB-11');
      const [from, to] = [plus(last, 1), plus(last, 5)];
      expect(await skip(to)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`--yes skips ${from} to ${to}, 5 in all`),
      });
      expect(await skips()).toEqual([]);
      expect(await skip(` ${to.toLowerCase()}`, '--yes')).toMatchObject({
        exitCode: 0,
        stdout: `Skipped ${from} to ${to}, 5 in all. The next number is the one after ${to}.\n`,
      });
      const entry = { actor: 'asha', subject: `series ${to.slice(0, 8)}`, details: { from, to, count: 5 } };
      expect(await skips()).toMatchObject([entry]);
      for (const earlier of [to, last])
        expect(await skip(earlier)).toMatchObject({
          exitCode: 0,
          stdout: `Nothing to skip: the last number is ${to} already.\n`,
        });
      expect(await nextInvoice('WEB-12')).toBe(plus(to, 1));
      expect(await contradictions(test.pool)).toEqual([]);
    });

    it('wait until the operator names the last numbers, or none', async () => {
      const last = await nextInvoice('WEB-14');
      const number = await paid(store, 'WEB-15');
      await test.pool.query('UPDATE history SET restored_at = now()');
      await expect(moveOrder(test, store, number, 'ship')).rejects.toThrow('"invoice continue-after"');
      const year = last.split('-')[1];
      const none = ['invoice', 'continue-after', '--by', 'asha'];
      expect((await runCommand(test.database.url, ...none)).stderr).toContain(
        '--yes skips no number. Other series go on after ',
      );
      await expect(moveOrder(test, store, number, 'ship')).rejects.toThrow('"invoice continue-after"');
      const skipped = await skip(plus(last, 2), `CN-${year}-0000009`, '--yes');
      expect(skipped.stdout).toMatch(/^Skipped INV-.*, 2 in all; CN-/);
      await moveOrder(test, store, number, 'ship');
      expect((await answer<InvoiceRow[]>('invoice', 'list', '--search', number))[0]!.number).toBe(
        plus(last, 3),
      );
      expect((await runCommand(test.database.url, ...none)).stdout).toBe(
        'Nothing to skip: no backup was restored.\n',
      );
      expect((await skip(plus(last, 4), plus(last, 5))).stderr).toContain('Name one number of INV-');
      expect(await contradictions(test.pool)).toEqual([]);
    });

    it('may begin with a number that is not the first', async () => {
      const [, year] = invoice.split('-');
      expect((await skip(`RV-${year}-0000002`, '--yes')).stdout).toContain('2 in all');
      await test.fixtures.seller({ receiptVouchers: true });
      const number = await paid(store, 'WEB-13');
      await test.fixtures.seller();
      const [voucher] = await answer<InvoiceRow[]>('invoice', 'list', '--search', number);
      expect(voucher!.number).toBe(`RV-${year}-0000003`);
      expect((await skip(`RV-${year}-0000005`, '--yes')).stdout).toContain('2 in all');
      expect(await contradictions(test.pool)).toEqual([]);
    });

    it('wait for documents that are being issued', async () => {
      const holder = await test.pool.connect();
      try {
        await holder.query('BEGIN; SELECT FROM sellers FOR UPDATE');
        const skipped = skip(invoice, '--yes');
        await eventually(async () => (await test.pool.query(WAITS)).rowCount === 1);
        await holder.query('COMMIT');
        expect((await skipped).exitCode).toBe(0);
      } finally {
        holder.release(true);
      }
    });

    it('take no number of another year, no half number and no other role', async () => {
      const before = await skips();
      for (const [number, url, message] of [
        ['INV-1920-0000009', test.database.url, 'Only series of this financial year can go on, such as INV-'],
        ['INV-9', test.database.url, 'Give a complete document number, such as INV-2627-0000001.'],
        [plus(invoice, 99), test.database.serviceUrl, 'Only the owner of the database may skip numbers.'],
      ] as const)
        expect(await runCommand(url, 'invoice', 'continue-after', number, '--yes')).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining(message),
        });
      expect(await skips()).toEqual(before);
    });
  });

  it('stand in the statement of their day in India, whatever the month of their order', async () => {
    const number = await paid(store, 'WEB-10B');
    await moveOrder(test, store, number, 'ship');
    await orderDesk(test.app).refund(number, 'test', { amount: '20', reason: 'scratched' });
    const documents = await answer<InvoiceRow[]>('invoice', 'list', '--search', number);
    const [credit, bill] = documents.map(({ number: name }) => name);
    await test.fixtures.rewrite(
      `UPDATE tax_documents
          SET (issued_at, issued_on) = (d.at, (d.at AT TIME ZONE 'Asia/Kolkata')::date)
         FROM (VALUES ($1, timestamptz '2024-07-31T18:29:59.999Z'), ($2, '2024-07-31T18:30:00Z')) AS d (name, at)
        WHERE number = d.name`,
      [bill, credit],
    );
    const show = (month: string) => answer<StatementView>('report', 'statement', 'Asha', '--month', month);
    const named = async (month: string) => (await show(month)).documents!.map(({ number: name }) => name);
    const parties = { client: 'Asha Traders', client_gstin: null, seller: 'Wholesale House' };
    expect(await show('2024-07')).toMatchObject({ ...parties, entries: [], documents: [{ number: bill }] });
    expect(await show('2024-08')).toMatchObject({
      documents: [{ number: credit, against: bill, amount: 20 }],
    });
    expect(await named(dayAt(Date.now(), 'Asia/Kolkata').slice(0, 7))).not.toContain(bill);
    const csv = at('july.csv');
    await run('report', 'statement', 'Asha', '--month', '2024-07', '--output', csv);
    const text = await readFile(csv, 'utf8');
    expect(text).toMatch(/,,Seller,,,,"Wholesale House, GSTIN \d{2}[^"]+",.*\r\n,,Client,,,,Asha Traders,/);
    expect(text).toMatch(new RegExp(`2024-07-31,,Invoice,${number},,${bill},,,,,404.00\\r\\n$`));
    const pdf = await run('report', 'statement', 'Asha', '--month', '2024-07', '--output', at('july.pdf'));
    expect(pdf).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
