import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname as nameOfHost, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateRawSync } from 'node:zlib';
import request from 'supertest';
import { actorOf } from '../../../src/modules/audit/actor-of.js';
import { StockAdministration } from '../../../src/modules/stock/stock-administration.service.js';
import { CatalogFiles } from '../../../src/modules/catalog/catalog-files.service.js';
import { ImportRuns, MAX_STORED } from '../../../src/shared/imports/import-runs.service.js';
import { OrderDeskService } from '../../../src/modules/orders/records/order-desk.service.js';
import { eventually } from '../../support/eventually.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { formFields, headline, hiddenFields, linkOf, readable, rows } from '../../support/page-text.js';
import { runCommandOn } from '../../support/run-command.js';
import { type FormValues, type SignedIn, signIn, signInAtDesk, startSession } from '../../support/sign-in.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { makeBeforeEach } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';
import { zipOf } from '../../support/xlsx.js';

const IMPORTS = '/desk/imports';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** In bytes. */
function buffersInUse(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

interface File {
  kind?: string;
  name?: string;
  content: string | Buffer;
}

describe('Imports at the desk', () => {
  const test = setUpTestApp();
  // A person may submit only so many forms a minute.
  const staff = makeBeforeEach(() => signInAtDesk(test, 'staff'));
  const admin = makeBeforeEach(() => signInAtDesk(test, 'admin'));

  beforeAll(async () => {
    await test.fixtures.plan({ code: 'GOLD', name: 'Gold', discount: '10' });
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', basePrice: '230.00', stock: 5 },
      { sku: 'CUP', name: 'Cup', basePrice: '100.00', stock: 7 },
    ]);
  });

  const send = (
    person: Pick<SignedIn, 'cookie' | 'get'>,
    { kind = 'catalog', name = 'file.csv', content }: File,
    app = test,
  ) =>
    request(app.url)
      .post(IMPORTS)
      .set('Cookie', person.cookie)
      .set('Sec-Fetch-Site', 'same-origin')
      .field('kind', kind)
      .attach('file', Buffer.from(content), name);

  const settled = (app = test) => app.app.get(ImportRuns).settled();

  /** The page of a file once its check has ended. */
  const upload = async (file: File, person: Pick<SignedIn, 'cookie' | 'get'> = staff, app = test) => {
    const { status, headers, text } = await send(person, file, app);
    if (status !== 303) throw new Error(`${status}: ${readable(text)}`);
    await settled(app);
    const path = headers.location as string;
    return { path, html: (await person.get(path)).text };
  };

  const apply = async (path: string, person = staff) => {
    const { status, text } = await person.post(`${path}/apply`, formFields((await person.get(path)).text));
    await settled();
    return { status, html: status === 303 ? (await person.get(path)).text : text };
  };

  const prices = async () => {
    const { rows: found } = await test.pool.query<{ sku: string; price: string }>(
      `SELECT sku, base_price AS price FROM products WHERE sku NOT LIKE 'ROW-%' ORDER BY sku`,
    );
    return Object.fromEntries(found.map(({ sku, price }) => [sku, price]));
  };

  it('shows what a file would change, and changes it only when it is applied', async () => {
    const content =
      'sku,name,base_price,delivery_charge\nMUG,Mug,240,0\nCUP,Cup,100,0\nPAN,Pan,90,10\nPOT,,x,10\n';
    const { path, html } = await upload({ content, name: 'june.csv' });
    expect(headline(html)).toBe('2 rows would be written, 1 row refused');
    const message = readable(html);
    expect(message).toContain('New 1 Changed 1 Unchanged 1 Refused');
    expect(message).toMatch(/Row 5 base_price .*"x"/);
    expect(message).toMatch(/2 MUG Changed Base price: ₹230\.00 → ₹240\.00/);
    expect(message).toMatch(/4 PAN New .*Name: Pan/);
    expect(await prices()).toEqual({ CUP: '100.00', MUG: '230.00' });

    const refused = await staff.get(linkOf(html, 'Download refused rows'));
    expect(refused.headers['content-disposition']).toContain('attachment');
    expect(refused.text).toMatch(/^sku,name,base_price,delivery_charge,reason\r\nPOT,,x,10,.*base_price/);
    const changes = await staff.get(linkOf(html, 'Download all'));
    expect(changes.text).toContain('2,MUG,base_price,230.00,240.00\r\n');

    const applied = await apply(path);
    expect(headline(applied.html)).toBe('2 rows written, 1 row refused');
    expect(await prices()).toEqual({ CUP: '100.00', MUG: '240.00', PAN: '90.00' });
    // The form again, after "Back": nothing happens twice.
    expect((await staff.post(`${path}/apply`, { checks: '1' })).status).toBe(303);

    const [first] = rows((await staff.get(IMPORTS)).text);
    expect(first).toMatch(
      /^june\.csv Catalog .*@wholesale\.example\.com 1 new, 1 changed, 1 unchanged, 1 refused Applied/,
    );
    // The list has no rows of the files.
    const [run] = await test.app.get(ImportRuns).history({}, 1);
    expect(run!.result).toBeUndefined();
    expect(run).toHaveProperty('counts', { created: 1, updated: 1, unchanged: 1, refused: 1, warned: 0 });
    const { rows: actors } = await test.pool.query(`SELECT actor FROM changes WHERE name = 'MUG'`);
    expect(actors).toEqual([{ actor: `person ${staff.person.id} (${staff.person.email})` }]);
  });

  it('reads workbooks, and counts of the stock', async () => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const sheet = [
      ['sku', 'quantity', 'variation'],
      ['CUP', '9', ''],
    ].map((row, at) => `<row r="${at + 1}">${row.map(cell).join('')}</row>`);
    const content = zipOf([
      {
        name: '[Content_Types].xml',
        content: '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      },
      {
        name: 'xl/workbook.xml',
        content:
          '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
          '<sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
      },
      {
        name: 'xl/worksheets/sheet1.xml',
        content: `<worksheet><sheetData>${sheet.join('')}</sheetData></worksheet>`,
      },
    ]);
    const { path, html } = await upload({ kind: 'stock', name: 'count.xlsx', content });
    expect(readable(html)).toMatch(/CUP Changed On hand: 7 → 9/);
    await apply(path);
    const { rows: moved } = await test.pool.query('SELECT delta, reason, actor FROM stock_movements');
    expect(moved).toEqual([
      { delta: 2, reason: 'count', actor: expect.stringContaining('person') as string },
    ]);
    // Nothing stays on the disk.
    expect(
      (await readdir(tmpdir())).filter((name) => name.startsWith(`import-${nameOfHost()}-${process.pid}-`)),
    ).toEqual([]);
  });

  it('reads amounts and answers as people write them, and tells options and misspelt columns in words', async () => {
    const cells = ['NEW-1,One,"₹ 1,240.00",10,Y', 'NEW-2,Two,Rs. 499/-,240.50 INR,n', 'CUP,Cup,900,0,yes'];
    const heading = 'sku,name,base_price,delivery_charge,active';
    const { path, html } = await upload({ content: [heading, ...cells].join('\n') });
    const message = readable(html);
    expect(message).toContain('Base price: ₹1,240.00');
    expect(message).toContain('Base price: ₹499.00 Delivery charge: ₹240.50');
    expect(message).toContain('if it is correct, choose “Accept unusual values”');
    expect(html).not.toContain('--');
    expect((await staff.get(`${path}/refused.csv`)).text).toContain('choose “Accept unusual values”');
    const { html: misspelt } = await upload({ content: 'sku,name,Prise,delivery_charge\nCUP,Cup,90,0\n' });
    expect(readable(misspelt)).toContain('There is no column "Prise": did you mean base_price?');
  });

  it('warns of products without a GST rate where other products have rates', async () => {
    const content =
      'sku,name,base_price,delivery_charge,hsn,gst_rate\nR-1,One,10,0,6912,18\nR-2,Two,10,0,,\n';
    const message = readable((await upload({ content })).html);
    expect(message).toContain('Warnings (1)');
    expect(message).toMatch(/Row 3 gst_rate is missing: no order with this product/);
  });

  it('takes options into account in the next check', async () => {
    const { path, html } = await upload({ content: 'sku,base_price\nCUP,900\n' });
    expect(headline(html)).toBe('The file changes nothing, 1 row refused');
    expect(html).not.toContain('>Apply');
    expect(readable(html)).toContain('Large changes of prices');
    expect(html).not.toContain('racking number');
    const odd = await staff.post(`${path}/check`, { options: ['force'], maxChange: 'much' });
    expect(odd.status).toBe(422);
    expect(readable(odd.text)).toContain('Must be a plain number');
    expect((await staff.post(`${path}/check`, { options: ['force'], maxChange: '50' })).status).toBe(303);
    await settled();
    const checked = (await staff.get(path)).text;
    expect(headline(checked)).toBe('1 row would be written');
    // Nothing is left of the check before.
    await staff.get(`${path}/refused.csv`).expect(404);
    // Other options than those of the check: nothing is applied, not even what the check allowed.
    const sent = formFields(checked);
    const others: FormValues[] = [{ options: ['force', 'updateOnly'] }, { maxChange: '60' }, { options: [] }];
    for (const other of others) {
      await staff
        .post(`${path}/apply`, { ...formFields((await staff.get(path)).text), ...other })
        .expect(303);
      await settled();
      expect((await prices()).CUP).toBe('100.00');
    }
    const wrong = await staff.post(`${path}/apply`, { ...sent, maxChange: 'much' });
    expect([wrong.status, wrong.text.includes('/apply"')]).toEqual([422, false]);
  });

  it('has the times of its form: of a count, and of the start and the end of prices', async () => {
    await test.fixtures.product({ sku: 'JAR', stock: 7 });
    await test.app
      .get(StockAdministration, { strict: false })
      .receive({ sku: 'JAR', quantity: 3, actor: 'test' });
    const counts = async (path: string) =>
      (await test.app.get(ImportRuns).find(Number(path.split('/').at(-1)))).counts;
    const { path: count } = await upload({ kind: 'stock', content: 'sku,variation,quantity\nJAR,,7\n' });
    expect(await counts(count)).toMatchObject({ updated: 1, unchanged: 0 });
    const countedAt = new Date(Date.now() - 3_600_000).toISOString();
    await staff.post(`${count}/check`, { countedAt });
    await settled();
    expect(await counts(count)).toMatchObject({ updated: 0, unchanged: 1 });

    const { path, html } = await upload({
      kind: 'prices',
      content: 'plan,sku,wholesale_price\nGOLD,JAR,70\n',
    });
    const dates = { from: ['2090-01-01'], to: ['2090-01-31'] };
    // Without scripts a person may press "Apply" beside dates that were not checked.
    await staff.post(`${path}/apply`, { ...formFields(html), ...dates }).expect(303);
    await settled();
    const { text } = await staff.get(path);
    expect(headline(text)).toBe('1 price from 1 Jan 2090 to 31 Jan 2090 would be written');
    expect(text).toContain('Apply 1 price from 1 Jan 2090 to 31 Jan 2090<');
    expect(formFields(text)).toMatchObject(dates);
    expect(headline((await apply(path)).html)).toBe('1 price from 1 Jan 2090 to 31 Jan 2090 written');
    const { rows: scheduled } = await test.pool.query('SELECT from_at, to_at FROM price_schedules');
    expect(scheduled).toEqual([
      { from_at: new Date('2090-01-01T00:00+05:30'), to_at: new Date('2090-02-01T00:00+05:30') },
    ]);
    expect((await test.pool.query('SELECT FROM plan_prices')).rowCount).toBe(0);
  });

  it('writes no row that differs from what the person saw', async () => {
    const { path } = await upload({
      kind: 'prices',
      content: 'plan,sku,wholesale_price\nGOLD,MUG,200\nGOLD,CUP,80\n',
    });
    await test.pool.query(
      `INSERT INTO plan_prices (plan_id, product_id, price)
       SELECT plans.id, products.id, 150 FROM plans, products WHERE code = 'GOLD' AND sku = 'MUG'`,
    );
    const { html } = await apply(path);
    expect(headline(html)).toBe('1 price written, 1 row refused');
    expect(readable(html)).toContain('Row 2 is not as in the check any more: check the file again');
    const { rows: fixed } = await test.pool.query('SELECT price FROM plan_prices ORDER BY price');
    expect(fixed).toEqual([{ price: '80.00' }, { price: '150.00' }]);
  });

  it('writes no parcel that differs from what the person saw', async () => {
    const desk = test.app.get(OrderDeskService);
    const store = await test.fixtures.store();
    await test.fixtures.product({ sku: 'LID', stock: 100 });
    const box = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };
    const ship = (number: string, trackingNumber: string) =>
      desk.ship(number, 'test', { ...box, trackingNumber }, ['1=1']);
    const order = async (...shipped: string[]) => {
      const { body } = await test
        .post(store, '/api/orders', orderBody([{ sku: 'LID', quantity: 3 }]))
        .expect(201);
      const { order_number: number } = body as { order_number: string };
      await desk.pay(number, 'test', {});
      for (const tracking of shipped) await ship(number, tracking);
      return number;
    };
    const applied = async (kind: string, lines: string[], change: () => Promise<unknown>) => {
      const { path, html } = await upload({ kind, content: lines.join('\n') });
      await change();
      return { shown: readable(html), message: headline((await apply(path)).html) };
    };

    const [first, second] = [await order('A1', 'A2'), await order('B1')];
    const heading = 'order_number,courier,tracking_number';
    const corrections = [`${first},BlueDart,`, `${second},Delhivery,B2`];
    const corrected = await applied('corrections', [heading, ...corrections], () =>
      desk.correct(first, 'test', { courier: 'DTDC' }),
    );
    expect(corrected.shown).toContain(`${first}, parcel 2 Changed Courier: Delhivery → BlueDart`);
    expect(corrected.shown).toContain(`${second}, parcel 1 Changed Tracking number: B1 → B2`);
    expect(corrected.message).toBe('1 row written, 1 row refused');
    expect((await desk.show(first)).parcels.map(({ courier }) => courier)).toEqual(['Delhivery', 'DTDC']);

    const delivered = await applied('deliveries', ['order_number', first, second], () => ship(first, 'A3'));
    expect(delivered.shown).toContain(`${first} Changed Parcel: 1 Delhivery A1 Parcel: 2 DTDC A2`);
    expect(delivered.message).toBe('1 row written, 1 row refused');

    const shipped = await applied('shipments', [heading, `${await order()},X,C1`, `${second},X,B3`], () =>
      ship(second, 'B4'),
    );
    expect(shipped.shown).toContain('Tracking number: C1 Lines: all that is left (3 of line 1)');
    expect(shipped.shown).toContain('Tracking number: B3 Lines: all that is left (2 of line 1)');
    expect(shipped.message).toBe('1 row written, 1 row refused');
  });

  it('reads the statuses of a courier, and lists what needs a person', async () => {
    const desk = test.app.get(OrderDeskService);
    const store = await test.fixtures.store();
    await test.fixtures.product({ sku: 'TIN', stock: 100 });
    const shipped = async (trackingNumber: string) => {
      const number = await test.place(store, [{ sku: 'TIN', quantity: 1 }]);
      await desk.pay(number, 'test', {});
      const box = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };
      await desk.ship(number, 'test', { ...box, trackingNumber });
      return number;
    };
    const [arrived, onItsWay, returning] = [await shipped('CR1'), await shipped('CR2'), await shipped('CR3')];
    const content = 'AWB,Status,Weight\nCR1,Delivered,1\nCR2,In Transit,1\nCR3,RTO Initiated,1\nCR3,Odd,1\n';
    const { path, html } = await upload({ kind: 'deliveries', content });
    expect(headline(html)).toBe('2 rows would be written, 1 row refused');
    const text = readable(html);
    expect(text).toContain(
      'The courier reports: 1 delivered, 1 on the way (skipped), 1 RTO, which need a person.',
    );
    expect(text).toContain(`needs a person: parcel 1 of ${returning}, Delhivery CR3, comes back (RTO)`);
    expect(text).toContain('is not a known status: write Delivered, In transit, RTO, RTO delivered or Lost');
    await apply(path);
    const statuses = [arrived, onItsWay, returning].map(async (number) => (await desk.show(number)).status);
    expect(await Promise.all(statuses)).toEqual(['delivered', 'shipped', 'shipped']);
    const packer = await signInAtDesk(test, 'packer');
    const today = (await packer.get('/desk').expect(200)).text;
    expect(readable(today)).toContain('RTO and lost parcels');
    expect(linkOf(today, returning)).toBe(`/desk/orders/${returning}`);
    const order = (await packer.get(`/desk/orders/${returning}`).expect(200)).text;
    expect(readable(order)).toContain('The courier reports RTO, on its way back');
  });

  it('tells the second person that another check was made or applied', async () => {
    const { path, html } = await upload({ content: 'sku,base_price\nCUP,101\n' });
    const { checks } = hiddenFields(html);
    await admin.post(`${path}/check`, { options: 'force', maxChange: '50' });
    await settled();
    const late = await staff.post(`${path}/apply`, { checks: checks! });
    expect(late.status).toBe(409);
    expect(readable(late.text)).toContain(
      'Another person checked, applied or deleted this file in the meantime',
    );
    expect((await prices()).CUP).toBe('100.00');
    await apply(path, admin);
    const { rows: log } = await test.pool.query('SELECT actor FROM changes ORDER BY id DESC LIMIT 1');
    expect(log).toEqual([{ actor: actorOf(admin.person) }]);
    expect((await staff.post(`${path}/apply`, { checks: '2' })).status).toBe(409);
    expect((await staff.post(`${path}/check`)).status).toBe(409);
    expect((await prices()).CUP).toBe('101.00');
  });

  describe('uploads that lie', () => {
    const refused = async (file: File) => {
      const before = await prices();
      const sent = await send(staff, file);
      if (sent.status !== 303) return { status: sent.status, message: readable(sent.text) };
      await settled();
      const { text, status } = await staff.get(sent.headers.location as string);
      expect(text).not.toContain('/apply"');
      expect(await prices()).toEqual(before);
      return { status, message: readable(text) };
    };

    it.each<[string, File, RegExp]>([
      ['a picture', { content: Buffer.from('\x89PNG\r\n\x1a\n\0\0\xff\xfe', 'latin1') }, /not in UTF-8/],
      ['an old workbook', { content: Buffer.from('d0cf11e0a1b11ae1', 'hex') }, /old workbook/],
      ['a broken workbook', { name: 'a.xlsx', content: 'PK\x03\x04 no archive' }, /workbook/],
      ['another kind', { kind: 'stock', content: 'plan,sku,wholesale_price\nGOLD,MUG,1\n' }, /quantity/],
      ['a wrong heading', { content: 'article;price\nMUG;1\n' }, /sku/],
      ['a page of the web', { content: '<!doctype html><title>Sign in</title>' }, /sku/],
    ])('%s', async (_, file, reason) => {
      const { status, message } = await refused(file);
      expect(status).toBe(200);
      expect(message).toMatch(/could not be imported/);
      expect(message).toMatch(reason);
    });

    it('a name with a path, control signs and markup', async () => {
      const { html } = await upload({ name: '..\\..\\a\u202eb<i>.csv', content: 'sku,base_price\nMUG,1\n' });
      expect(html).toContain('ab&lt;i>.csv');
      expect(html).not.toContain('..\\');
    });

    it('no file, no kind, another kind of form', async () => {
      const empty = await refused({ content: '' });
      expect(empty).toEqual({
        status: 422,
        message: expect.stringContaining('The file is empty.') as string,
      });
      const post = () =>
        request(test.url).post(IMPORTS).set('Cookie', staff.cookie).set('Sec-Fetch-Site', 'same-origin');
      const none = await post()
        .field('kind', 'catalog')
        .attach('file', Buffer.alloc(0), { filename: '', contentType: 'application/octet-stream' });
      expect([none.status, readable(none.text)]).toEqual([422, expect.stringContaining('Choose a file.')]);
      const late = await post().attach('file', Buffer.from('sku\n'), 'a.csv').field('kind', 'catalog');
      expect([late.status, readable(late.text)]).toEqual([
        422,
        expect.stringContaining('Choose what the file has.'),
      ]);
      const two = await post()
        .field('kind', 'catalog')
        .attach('a', Buffer.from('sku\n'), 'a.csv')
        .attach('b', Buffer.from('sku\n'), 'b.csv');
      expect(two.status).toBe(400);
      const form = await staff.post(IMPORTS, { kind: 'catalog' });
      expect([form.status, readable(form.text)]).toEqual([
        415,
        expect.stringContaining('multipart/form-data'),
      ]);
      const borderless = await post().set('Content-Type', 'multipart/form-data').send('x');
      expect(borderless.status).toBe(400);
    });

    /** What the service answers to bytes of a request, which may never end. */
    const raw = (
      head: string[],
      body: Iterable<string | Buffer> | AsyncIterable<string>,
      end: 'wait' | 'cut',
    ) =>
      new Promise<string>((resolve, reject) => {
        const { port, hostname } = new URL(test.url);
        const socket = connect(Number(port), hostname);
        let received = '';
        socket.on('data', (piece: Buffer) => {
          received += piece.toString();
          if (received.includes('</html>')) socket.destroy();
        });
        socket.on('close', () => resolve(received)).on('error', reject);
        const lines = [
          'POST /desk/imports HTTP/1.1',
          `Host: ${hostname}`,
          `Cookie: ${staff.cookie}`,
          'Sec-Fetch-Site: same-origin',
          ...head,
        ];
        socket.write(`${lines.join('\r\n')}\r\n\r\n`);
        const pieces = Readable.from(body, { objectMode: false });
        pieces.once('end', () => end === 'cut' && socket.write('', () => socket.destroy()));
        pieces.pipe(socket, { end: false });
      });

    const TYPE = 'Content-Type: multipart/form-data; boundary=B';
    const START =
      '--B\r\nContent-Disposition: form-data; name="kind"\r\n\r\ncatalog\r\n' +
      '--B\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nsku,name\r\n';
    const runs = async () =>
      (await test.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM import_runs')).rows[0]!
        .count;

    it('2 GB, refused by its length before it arrives', async () => {
      const answer = await raw([TYPE, 'Content-Length: 2000000000'], [START], 'wait');
      expect(answer).toContain('HTTP/1.1 413');
      expect(answer).toContain('at most 100 MB');
    });

    it('2 GB without a length, refused while it arrives, in little memory', async () => {
      const before = [await runs(), buffersInUse()] as const;
      const chunkOf = (content: Buffer) => Buffer.concat([lengthOf(content), content, Buffer.from('\r\n')]);
      const lengthOf = ({ length }: Buffer) => Buffer.from(`${length.toString(16)}\r\n`);
      const megabyte = chunkOf(Buffer.alloc(1_000_000, 'x'));
      let sent = 0;
      let inUse = 0;
      function* body() {
        yield chunkOf(Buffer.from(START));
        while (sent++ < 2_000) {
          yield megabyte;
          if (sent === 95) inUse = buffersInUse() - before[1];
        }
      }
      const answer = await raw([TYPE, 'Transfer-Encoding: chunked'], body(), 'wait');
      expect(answer).toContain('HTTP/1.1 413');
      expect(answer).toContain('at most 100 MB');
      expect(sent).toBeLessThan(200);
      // Of 95 MB that have arrived. Some wait for the garbage collector.
      expect(inUse).toBeLessThan(60_000_000);
      await eventually(async () => (await runs()) === before[0]);
    });

    it('cut off in the middle', async () => {
      const before = await runs();
      async function* startedBody() {
        yield START;
        await eventually(async () => (await runs()) > before);
      }
      await raw([TYPE, 'Content-Length: 100000'], startedBody(), 'cut');
      await eventually(async () => (await runs()) === before);
      await raw([TYPE, 'Content-Length: 100000'], [START], 'cut');
      // A form whose last border is missing is not whole either.
      const answer = await raw([TYPE, `Content-Length: ${START.length}`], [START], 'wait');
      expect(answer).toContain('HTTP/1.1 400');
      // A sender that pauses is given up after 30 s.
      await eventually(async () => (await runs()) === before, 15_000);
      const { rows: pieces } = await test.pool.query(
        'SELECT FROM import_pieces p LEFT JOIN import_runs r ON r.id = run_id WHERE r.id IS NULL',
      );
      expect(pieces).toEqual([]);
    });
  });

  it('shows failed files on the page of today, until a later one is applied', async () => {
    const { path } = await upload({ name: 'bad.csv', content: 'article\n1\n' });
    const today = async () => (await staff.get('/desk')).text;
    expect(await today()).toContain(`<a href="${path}">bad.csv</a>`);
    await apply((await upload({ kind: 'stock', content: 'sku,variation,quantity\nCUP,,8\n' })).path);
    expect(await today()).toContain(`<a href="${path}">bad.csv</a>`);
    await apply((await upload({ content: 'sku,shelf\nMUG,A-1\n' })).path);
    expect(await today()).not.toContain('bad.csv');
  });

  it('works on one file of a kind at a time, also beside a command', async () => {
    const checked = (await upload({ content: 'sku,base_price\nMUG,239\n' })).path;
    const { path } = await upload({ content: 'sku,base_price\nCUP,102\n' });
    const runs = test.app.get(ImportRuns);
    const atOnce = { kind: 'catalog', name: 'b.csv', bytes: Readable.from([Buffer.from('sku\n')]) };
    const late = await runs.upload(atOnce, 'test');
    await test.pool.query(`UPDATE import_runs SET state = 'applying', beat_at = now() WHERE id = $1`, [
      path.split('/').at(-1),
    ]);
    await expect(runs.check(late, test.app.get(CatalogFiles), {})).rejects.toThrow('Another file of catalog');
    const { rows: kept } = await test.pool.query('SELECT FROM import_pieces WHERE run_id = $1', [late]);
    expect(kept).toEqual([]);
    const other = await apply(checked);
    expect([other.status, readable(other.html)]).toEqual([
      409,
      expect.stringContaining('Another file of catalog is being checked or applied'),
    ]);
    const second = await send(admin, { content: 'sku,base_price\nCUP,103\n' });
    expect([second.status, readable(second.text)]).toEqual([
      409,
      expect.stringContaining('Another file of catalog is being checked or applied'),
    ]);
    expect((await send(admin, { kind: 'stock', content: 'sku,variation,quantity\nCUP,,1\n' })).status).toBe(
      303,
    );
    await test.pool.query(`UPDATE import_runs SET state = 'checked' WHERE id = $1`, [path.split('/').at(-1)]);
    await settled();

    // A command holds the kind while it waits for the row.
    const client = await test.pool.connect();
    await client.query(`BEGIN; SELECT FROM products WHERE sku = 'CUP' FOR UPDATE`);
    const command = runCommandOn('sku,base_price\nCUP,104\n', test.database.url, 'catalog', 'import', '-');
    await eventually(async () => {
      const { rows: held } = await test.pool.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = (hashtext('products')::bigint & 4294967295)::oid`,
      );
      return held.length === 1;
    });
    const { html } = await apply(path);
    expect(readable(html)).toContain('Another import of products is running');
    expect(headline(html)).toBe('1 row would be written');
    await client.query('ROLLBACK');
    client.release();
    expect((await command).exitCode).toBe(0);
    // The next check tells nothing of this attempt.
    await staff.post(`${path}/check`).expect(303);
    await settled();
    expect(readable((await staff.get(path)).text)).not.toContain('Another import of products');
    expect((await runs.find(Number(path.split('/').at(-1)))).appliedBy).toBeNull();
  });

  it('goes past a pooler, and keeps the pool for orders', async () => {
    const proxy = await TcpProxy.before(test.database.serviceUrl);
    const node = await startTestApp({ databaseDirectUrl: proxy.url }, test.database);
    try {
      const staged = proxy.count('CREATE TEMP TABLE');
      await upload({ content: 'sku,base_price\nCUP,106\n' }, await startSession(node, staff.person), node);
      expect(staged.times).toBeGreaterThan(0);
    } finally {
      await node.close();
      await proxy.close();
    }
  });

  it('goes on without the page, and stops with the node: the other node tells it and finishes it', async () => {
    const other = await startTestApp({}, test.database);
    try {
      const here = await startSession(other, staff.person);
      const lines = Array.from({ length: 4_500 }, (_, at) => `ROW-${at},Row,1,0`);
      const content = `sku,name,base_price,delivery_charge\nMUG,Mug,241,0\n${lines.join('\n')}\n`;
      const { path } = await upload({ content }, here, other);
      const client = await test.pool.connect();
      await client.query(`BEGIN; SELECT FROM products WHERE sku = 'MUG' FOR UPDATE`);
      expect((await here.post(`${path}/apply`, { checks: '1' })).status).toBe(303);
      await eventually(async () => (await staff.get(path)).text.includes('Applying file.csv'));
      await eventually(async () => {
        const { rows: waiting } = await test.pool.query(`SELECT FROM pg_locks WHERE NOT granted`);
        return waiting.length > 0;
      });
      const closed = other.close();
      await client.query('ROLLBACK');
      client.release();
      await closed;
      const html = (await staff.get(path)).text;
      expect(headline(html)).toBe('The import of file.csv was interrupted');
      const count = async () =>
        (
          await test.pool.query<{ count: number }>(
            `SELECT count(*)::int AS count FROM products WHERE sku LIKE 'ROW-%'`,
          )
        ).rows[0]!.count;
      expect(await count()).toBe(1_999);
      expect((await staff.post(`${path}/check`)).status).toBe(303);
      await settled();
      expect(headline((await staff.get(path)).text)).toBe('2,501 rows would be written');
      await apply(path);
      expect(await count()).toBe(4_500);
    } finally {
      await other.close();
    }
  });

  it.each(['here', 'on another node'])(
    'ends a check that is cancelled %s, at the latest with its statement',
    async (where) => {
      const other = await startTestApp({ databaseTimeoutMs: 3_000 }, test.database);
      const inTheWay = await test.pool.connect();
      try {
        const here = await startSession(other, staff.person);
        const canceller = where === 'here' ? here : staff;
        const kind = 'corrections';
        const content = 'order_number,courier,tracking_number\nNONE,X,1\n';
        // The check waits for the parcels until the end of this test.
        await inTheWay.query('BEGIN; LOCK TABLE parcels');
        const path = (await send(here, { kind, content }, other)).headers.location as string;
        const waiting = async () => {
          const { rows: locks } = await test.pool.query(
            `SELECT FROM pg_locks WHERE NOT granted AND relation = 'parcels'::regclass`,
          );
          return locks.length > 0;
        };
        await eventually(waiting);
        const { text } = await canceller.get(path);
        expect(headline(text)).toBe('Checking file.csv');
        const fields = { checks: hiddenFields(text).checks! };
        expect((await canceller.post(`${path}/cancel`, { checks: '0' })).status).toBe(409);
        expect((await canceller.post(`${path}/cancel`, fields)).status).toBe(303);
        expect((await canceller.post(`${path}/cancel`, fields)).status).toBe(303);
        await eventually(async () => !(await waiting()));
        await settled(other);
        const html = (await staff.get(path)).text;
        expect(headline(html)).toBe('The check of file.csv was cancelled');
        expect(linkOf(html, 'upload another file')).toBe(IMPORTS);
        expect((await staff.get(IMPORTS)).text).toContain('Cancelled');
        const next = (await send(staff, { kind, content })).headers.location as string;
        await inTheWay.query('ROLLBACK');
        await settled();
        expect(headline((await staff.get(next)).text)).toContain('1 row refused');
        expect((await staff.post(`${next}/cancel`, { checks: '1' })).status).toBe(409);
        expect((await staff.post(`${path}/check`)).status).toBe(303);
        await settled();
        expect(headline((await staff.get(path)).text)).toContain('1 row refused');
      } finally {
        await inTheWay.query('ROLLBACK');
        inTheWay.release();
        await other.close();
      }
    },
  );

  it('takes no word of a worker that was silent, once another works on the file', async () => {
    const { path } = await upload({ content: 'sku,base_price\nMUG,242\n' });
    const client = await test.pool.connect();
    await client.query(`BEGIN; SELECT FROM products WHERE sku = 'MUG' FOR UPDATE`);
    await staff.post(`${path}/apply`, { checks: '1' });
    const id = path.split('/').at(-1);
    const set = (values: string) => test.pool.query(`UPDATE import_runs SET ${values} WHERE id = $1`, [id]);
    await set(`state = 'checking', checks = 2`);
    const ofTheOther = 'row,reason\n';
    await test.pool.query(`INSERT INTO import_pieces VALUES ($1, 'refused', 0, $2)`, [
      id,
      deflateRawSync(ofTheOther),
    ]);
    await client.query('ROLLBACK');
    client.release();
    await settled();
    expect(headline((await staff.get(path)).text)).toBe('Checking file.csv');
    expect((await staff.get(`${path}/refused.csv`)).text).toBe(ofTheOther);
    await set(`state = 'interrupted'`);
  });

  it('stores a file in a part of its size, and as much of each person and of all as is allowed', async () => {
    const content = `sku,base_price\n${'NO-SUCH-PRODUCT,242\n'.repeat(20_000)}`;
    const { path } = await upload({ content });
    await settled();
    const id = path.split('/').at(-1);
    const { rows: sums } = await test.pool.query<{ stored: number }>(
      'SELECT sum(octet_length(bytes))::int AS stored FROM import_pieces WHERE run_id = $1',
      [id],
    );
    expect(sums[0]!.stored).toBeLessThan(content.length / 2);

    const sizes = await test.pool.query('SELECT id, size FROM import_runs');
    const other = await signInAtDesk(test, 'staff');
    const sendBy = async (person: Pick<SignedIn, 'cookie' | 'get'>) => {
      const { status, text } = await send(person, { content: 'sku,base_price\nMUG,242\n' });
      return [status, readable(text)];
    };
    await test.pool.query('UPDATE import_runs SET size = $2 WHERE id = $1', [id, MAX_STORED.ofPerson]);
    expect(await sendBy(staff)).toEqual([429, expect.stringContaining('reached the limit of 1000 MB')]);
    expect((await sendBy(other))[0]).toBe(303);
    await settled();
    await test.pool.query(
      `UPDATE import_runs SET size = 2000000000, actor = 'person 0' WHERE size IS NOT NULL`,
    );
    expect(await sendBy(other)).toEqual([429, expect.stringContaining('The files of all people')]);
    for (const run of sizes.rows as { id: number; size: number | null }[])
      await test.pool.query('UPDATE import_runs SET size = $2 WHERE id = $1', [run.id, run.size]);
  });

  it('says that the temporary folder cannot be written, and reads the file later', async () => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = '/dev/full';
    const { path } = await upload({ content: 'sku,base_price\nMUG,242\n' });
    await settled();
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    const message = readable((await staff.get(path)).text);
    expect(message).toContain('The temporary folder of the service is full or cannot be written (ENOTDIR).');
    expect(message).toContain('free disk space, then check the file again');
    await staff.post(`${path}/check`);
    await settled();
    expect(headline((await staff.get(path)).text)).not.toContain('could not be imported');
  });

  it('removes the copies of files that a killed process left, and no others', async () => {
    const folder = (name: string) => join(tmpdir(), `import-${name}`);
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const left = [folder(`${nameOfHost()}-${ended}-left`), folder(`${nameOfHost()}-${process.pid}-left`)];
    const kept = [folder(`${nameOfHost()}-${process.ppid}-kept`), folder(`elsewhere.example-${ended}-kept`)];
    for (const each of [...left, ...kept]) await mkdir(each);
    await utimes(left[1]!, 0, 0);
    await test.app.get(ImportRuns).run();
    expect([...left, ...kept].filter((each) => existsSync(each))).toEqual(kept);
    for (const each of kept) await rm(each, { recursive: true });
  });

  it('lets no other check begin while a worker replaces a file of its own', async () => {
    const { path } = await upload({ content: 'sku,base_price\nMUG,x\n' });
    const id = Number(path.split('/').at(-1));
    const [held, other] = [await test.pool.connect(), await test.pool.connect()];
    try {
      await held.query(
        `BEGIN; SELECT FROM import_pieces WHERE run_id = ${id} AND file = 'refused' FOR UPDATE`,
      );
      await staff.post(`${path}/check`);
      await eventually(async () => {
        const { rowCount } = await test.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rowCount! > 0;
      });
      const next = other.query(`
        BEGIN; SET LOCAL lock_timeout = '200ms'; UPDATE import_runs SET checks = checks + 1 WHERE id = ${id}`);
      await expect(next).rejects.toThrow('lock timeout');
    } finally {
      for (const client of [other, held]) {
        await client.query('ROLLBACK');
        client.release();
      }
      await settled();
    }
  });

  it('calls a run interrupted whose node is silent, and deletes old files', async () => {
    const { path } = await upload({ content: 'sku,base_price\nCUP,105\n' });
    const id = path.split('/').at(-1);
    await test.pool.query(
      `UPDATE import_runs SET state = 'checking', beat_at = now() - interval '1 minute',
              created_at = now() - interval '8 days' WHERE id = $1`,
      [id],
    );
    expect(headline((await staff.get(path)).text)).toBe('The import of file.csv was interrupted');
    const { path: kept } = await upload({ kind: 'stock', content: 'sku,variation,quantity\nCUP,,9\n' });
    const other = kept.split('/').at(-1);
    const pieceCount = async () =>
      (await test.pool.query('SELECT FROM import_pieces WHERE run_id = $1', [other])).rowCount;
    await test.pool.query(
      `UPDATE import_runs SET state = 'applying', beat_at = now() + interval '1 hour',
              created_at = now() - interval '8 days' WHERE id = $1`,
      [other],
    );
    await test.app.get(ImportRuns).run();
    // An old file that is being applied stays until it has ended.
    expect(await pieceCount()).toBeGreaterThan(0);
    await test.pool.query(`UPDATE import_runs SET state = 'applied' WHERE id = $1`, [other]);
    await test.app.get(ImportRuns).run();
    expect(await pieceCount()).toBe(0);
    const { rows: pieces } = await test.pool.query('SELECT FROM import_pieces WHERE run_id = $1', [id]);
    expect(pieces).toEqual([]);
    const { text } = await staff.get(path);
    expect(readable(text)).toContain('The file was deleted');
    expect((await staff.post(`${path}/check`)).status).toBe(409);
    expect((await staff.get(`${path}/refused.csv`)).status).toBe(404);
  });

  it('lists each of many once, page by page', async () => {
    const { path } = await upload({ content: 'sku\n' });
    const id = path.split('/').at(-1);
    await test.pool.query(
      `INSERT INTO import_runs OVERRIDING SYSTEM VALUE
       SELECT copy.* FROM import_runs AS run CROSS JOIN generate_series(1, 120) AS n,
              jsonb_populate_record(run, jsonb_build_object('id', 1000000 + n, 'state', 'applied')) AS copy
        WHERE run.id = $1`,
      [id],
    );
    const listed: string[] = [];
    for (let next: string | undefined = IMPORTS; next;) {
      const { text }: { text: string } = await staff.get(next).expect(200);
      listed.push(...[...text.matchAll(/href="\/desk\/imports\/(\d+)"/g)].map(([, run]) => run!));
      next = text.includes('Older') ? linkOf(text, 'Older') : undefined;
    }
    const copies = Array.from({ length: 120 }, (_, n) => String(1_000_120 - n));
    expect(listed.slice(0, 121)).toEqual([...copies, id]);
    expect(new Set(listed).size).toBe(listed.length);
    await test.pool.query('DELETE FROM import_runs WHERE id > 1000000');
  });

  it.each(['a new file', 'its own file', 'another file'])(
    'does not hold up %s with a silent run that no page has shown since',
    async (what) => {
      const [first, second] = [await upload({ content: 'sku\n' }), await upload({ content: 'sku\n' })];
      await test.pool.query(
        `UPDATE import_runs SET state = 'checking', beat_at = now() - interval '1 minute' WHERE id = $1`,
        [first.path.split('/').at(-1)],
      );
      const { path } = what === 'its own file' ? first : second;
      const requested =
        what === 'a new file' ? send(staff, { content: 'sku\n' }) : staff.post(`${path}/check`);
      expect((await requested).status).toBe(303);
      await settled();
    },
  );

  it('lets a packer import a courier’s file, and name the courier that it lacks', async () => {
    const packer = await signInAtDesk(test, 'packer');
    const store = await test.fixtures.store();
    const number = await test.place(store, [{ sku: 'CUP', quantity: 1 }]);
    await moveOrder(test, store, number, 'pay');
    const { path, html } = await upload(
      { kind: 'shipments', content: `AWB,Order ID\nAWB-B1,${number}\n` },
      packer,
    );
    expect(readable(html)).toContain('The heading lacks courier.');
    expect(readable(html)).toContain('Accept unusual values One tracking number for two orders');
    expect(html).not.toContain('changes of prices');
    await packer.post(`${path}/check`, { checks: '1', courier: ' BlueDart ' }).expect(303);
    await settled();
    const checked = (await packer.get(path)).text;
    expect(headline(checked)).toBe('1 row would be written');
    expect(checked).toContain('value="BlueDart"');
    await packer.post(`${path}/apply`, { checks: '2', courier: 'BlueDart' }).expect(303);
    await settled();
    const { rows: parcels } = await test.pool.query(
      'SELECT courier, tracking_number FROM parcels WHERE order_number = $1',
      [number],
    );
    expect(parcels).toEqual([{ courier: 'BlueDart', tracking_number: 'AWB-B1' }]);
    const history = rows((await packer.get(IMPORTS)).text);
    expect(history.length).toBeGreaterThan(0);
    for (const row of history) expect(row).toMatch(/shipments|deliveries/i);
  });

  it('reads a file of another program as a person chooses, and the next one in the same way', async () => {
    const store = await test.fixtures.store();
    const placed = async () => {
      const number = await test.place(store, [{ sku: 'CUP', quantity: 1 }]);
      await moveOrder(test, store, number, 'pay');
      return number;
    };
    const [first, second] = [await placed(), await placed()];
    const file = (tracking: string, number: string) => ({
      kind: 'shipments',
      content: `Docket,Consignment,Taken by,Weight\n${tracking},${number},Gati,0.5\n`,
    });
    const { path, html } = await upload(file('D1', first));
    expect(headline(html)).toBe('file.csv could not be imported');
    expect(readable(html)).toContain('Other headings of the file (4)');
    const choose = (...columns: string[]) =>
      staff.post(`${path}/check`, {
        ...formFields(html),
        ...Object.fromEntries(columns.map((column, position) => [`heading${position}`, column])),
      });
    for (const [wrong, reason] of [
      ['sku', 'Is no column of such a file'],
      ['courier', 'Is chosen for another heading too'],
    ] as const) {
      const refused = await choose('tracking_number', 'order_number', 'courier', wrong);
      expect([refused.status, readable(refused.text)]).toEqual([422, expect.stringContaining(reason)]);
    }
    await choose('tracking_number', 'order_number', 'courier', '').expect(303);
    await settled();
    expect(headline((await apply(path)).html)).toBe('1 row written');

    const next = await upload(file('D2', second));
    expect(headline(next.html)).toBe('1 row would be written');
    expect(next.html).toMatch(/name="heading0"(?:(?!<\/select>).)*value="tracking_number" selected/s);
    expect(next.html).toMatch(/name="heading3"(?:(?!<\/select>).)*<option value(?:="")? selected/s);
    // Another choice is checked first.
    const changed = { ...formFields(next.html), heading0: '' };
    const repeated = await staff.post(`${next.path}/apply`, changed).expect(303);
    await settled();
    expect(readable((await staff.get(repeated.headers.location as string)).text)).toContain('1 row would be');
    expect(headline((await apply(next.path)).html)).toBe('1 row written');
    const { rows: parcels } = await test.pool.query(
      'SELECT courier, tracking_number FROM parcels WHERE client_id = $1 ORDER BY order_number = $2',
      [store.clientId, second],
    );
    expect(parcels).toEqual([
      { courier: 'Gati', tracking_number: 'D1' },
      { courier: 'Gati', tracking_number: null },
    ]);
    // A file with other headings, and another kind of file, are read by their own.
    const fewer = await upload({ kind: 'shipments', content: `Docket,Consignment\nD3,${first}\n` });
    expect(readable(fewer.html)).toContain('The heading lacks order_number, courier.');
    const other = await upload({ kind: 'deliveries', content: `Consignment\n${first}\n` });
    expect(readable(other.html)).toContain('The heading lacks order_number or tracking_number.');
  });

  it('is for staff and admins, but for parcels', async () => {
    const packer = await signInAtDesk(test, 'packer');
    const { path: catalog } = await upload({ content: 'sku\n' });
    const refused = await send(packer, { content: 'sku\n' });
    expect([refused.status, readable(refused.text)]).toEqual([
      422,
      expect.stringContaining('Choose what the file has.'),
    ]);
    for (const address of [catalog, `${catalog}/changes.csv`, `${catalog}/refused.csv`])
      expect((await packer.get(address)).status).toBe(403);
    for (const action of ['check', 'apply', 'cancel'])
      expect((await packer.post(`${catalog}/${action}`, { checks: '1' })).status).toBe(403);
    const owner = await signIn(test, (await test.fixtures.store()).clientId, 'owner');
    expect((await owner.get(IMPORTS)).status).not.toBe(200);
    expect((await send(owner, { content: 'sku\n' })).status).not.toBe(303);
    expect((await staff.get(`${IMPORTS}/999999`)).status).toBe(404);
    expect((await staff.get(`${IMPORTS}/x`)).status).toBe(404);
  });
});
