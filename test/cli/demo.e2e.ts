import { readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { CatalogFiles } from '../../src/modules/catalog/catalog-files.service.js';
import { CATALOG_COLUMNS } from '../../src/modules/catalog/catalog-columns.js';
import { type DemoCredentials, DemoLoad } from '../../src/demo/demo-load.service.js';
import { RequestLog } from '../../src/modules/request-log/recording/request-log.js';
import { createCli } from '../../src/cli/create-cli.js';
import { type CsvRows, csvText } from '../../src/shared/imports/csv-format.js';
import { PriceFiles } from '../../src/modules/plans/price-files.service.js';
import { PRICE_COLUMNS } from '../../src/modules/plans/price-import.js';
import { StockFiles } from '../../src/modules/stock/stock-files.service.js';
import { STOCK_COLUMNS } from '../../src/modules/stock/stock-import.js';
import { contradictions } from '../support/books.js';
import { Browser } from '../support/browser.js';
import { OwnAddress } from '../../src/platform/http/own-address.js';
import { eventually } from '../support/eventually.js';
import { orderBody } from '../support/order-body.js';
import { answerOf, runCommand, runCommandIn } from '../support/run-command.js';
import { all } from '../support/operator-services.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const demoFile = (name: string) =>
  readFile(new URL(`../../src/demo/files/${name}.csv`, import.meta.url), 'utf8');

interface ProductList {
  total: number;
  data: { sku: string; images: string[]; pricing: { wholesale_price: number } }[];
}

/** The file of the demo leaves this column out. */
const DEMO_COLUMNS = CATALOG_COLUMNS.filter((column) => !['low_stock', 'gst_treatment'].includes(column));

describe('the demo', () => {
  let service: TestApp;
  let kept: DemoCredentials[];
  const start = async () => {
    service = await startTestApp();
    kept = [];
  };
  const keep = async (credentials: Partial<DemoCredentials>) =>
    void kept.push(credentials as DemoCredentials);
  const load = () => service.app.get(DemoLoad).load(keep);
  const pictures = () => `${service.app.get(OwnAddress).publicUrl}/demo/pictures`;
  const count = async (table: string) => (await service.pool.query(`SELECT FROM ${table}`)).rowCount;

  const list = ({ token, domain }: DemoCredentials) =>
    request(service.url)
      .get('/api/products')
      .set({ Authorization: `Bearer ${token}`, 'X-Client-Domain': domain });

  /** As soon as the node knows of it. */
  const listed = (credentials: DemoCredentials) =>
    eventually(async () => {
      const { status, body } = await list(credentials);
      return status === 200 ? (body as ProductList) : undefined;
    });

  /** Those of the orders, what was refused, and reads in each hour. */
  const expectRequests = async () => {
    const { rows } = await service.pool.query(
      `SELECT count(*) FILTER (WHERE status = 201 AND order_number IS NOT NULL)::int AS orders,
              count(*) FILTER (WHERE status >= 400)::int AS refused,
              (SELECT count(DISTINCT hour)::int FROM store_request_counts
                WHERE method = 'GET' AND status_class = 2 AND requests > 0 AND hour < date_trunc('hour', now(), 'UTC')) AS hours
         FROM store_requests WHERE code <> 'subscription_inactive'`,
    );
    expect(rows).toEqual([{ orders: 7, refused: 3, hours: 119 }]);
  };

  /** In every state, with a passbook that tells what was paid, and people who may look at them. */
  const expectOrders = async () => {
    const { rows } = await service.pool.query<{ status: string; orders: number }>(
      `SELECT status || coalesce(' ' || cancel_reason, '') AS status, count(*)::int AS orders FROM orders GROUP BY 1 ORDER BY 1`,
    );
    expect(Object.fromEntries(rows.map(({ status, orders }) => [status, orders]))).toEqual({
      awaiting_payment: 3,
      'cancelled damaged in the warehouse': 1,
      delivered: 26,
      pending: 1,
      shipped: 2,
    });
    expect(await contradictions(service.pool)).toEqual([]);
    await expectRequests();
    const { rows: people } = await service.pool.query(
      `SELECT role, password_hash IS NULL AS invited, l.kind, l.ends_at > now() AS open
         FROM people p LEFT JOIN person_links l ON l.person_id = p.id ORDER BY p.id`,
    );
    expect(people).toEqual([
      { role: 'owner', invited: false, kind: null, open: null },
      { role: 'admin', invited: false, kind: null, open: null },
      { role: 'viewer', invited: true, kind: 'invitation', open: true },
    ]);
    const { rows: transfers } = await service.pool.query(
      'SELECT status FROM bank_transfers ORDER BY transfer_id',
    );
    expect(transfers).toEqual([{ status: 'confirmed' }, { status: 'announced' }]);
    const { rows: passbook } = await service.pool.query('SELECT kind FROM wallet_entries ORDER BY entry');
    expect(passbook.map(({ kind }) => kind as string)).toEqual([
      'top_up',
      'order_payment',
      'order_payment',
      'order_refund',
    ]);
    await expectTimes();
    await expectInvoices();
  };

  /** One for each parcel, dated like it, in one series without a gap. */
  const expectInvoices = async () => {
    const { rows } = await service.pool.query(
      `SELECT count(*)::int AS invoices, count(DISTINCT d.issued_on)::int > 12 AS days,
              bool_and(d.issued_at = p.shipped_at) AS as_shipped,
              array_agg(d.number ORDER BY d.number) = array_agg(d.number ORDER BY d.issued_at, d.order_number) AS in_order,
              count(DISTINCT left(d.number, 8) || ' ' || right(d.number, 7))::int AS numbers,
              bool_and(d.igst > 0 AND d.gross <= o.total) AS taxed, sum(d.gross) = sum(o.total) AS whole
         FROM tax_documents d JOIN parcels p USING (client_id, order_number, parcel)
         JOIN orders o USING (client_id, order_number)`,
    );
    expect(rows).toEqual([
      { invoices: 28, days: true, as_shipped: true, in_order: true, numbers: 28, taxed: true, whole: true },
    ]);
  };

  /** Over four weeks, and nothing in the future. */
  const expectTimes = async () => {
    const { rows } = await service.pool.query(
      `SELECT count(DISTINCT date_trunc('week', placed_at, 'UTC'))::int >= 4 AS weeks,
              (SELECT max(changed_at) < now() FROM order_timeline) AS past,
              (SELECT bool_and(t.changed_at = CASE t.status WHEN 'awaiting_payment' THEN o.placed_at
                                 WHEN 'pending' THEN o.paid_at WHEN 'shipped' THEN o.shipped_at
                                 WHEN 'delivered' THEN o.delivered_at ELSE o.cancelled_at END)
                 FROM order_timeline t JOIN orders o USING (order_number)) AS as_told,
              bool_and(payment_due_at > now()) FILTER (WHERE status = 'awaiting_payment') AS payable,
              (SELECT last_used_at > now() - interval '1 hour' FROM token_uses) AS used
         FROM orders`,
    );
    expect(rows).toEqual([{ weeks: true, past: true, as_told: true, payable: true, used: true }]);
    const [balance] = (await service.pool.query('SELECT balance::float8 FROM wallets')).rows as [
      { balance: number },
    ];
    // Enough for the orders that wait.
    const [unpaid] = (await service.pool.query('SELECT unpaid_value::float8 AS value FROM unpaid_totals'))
      .rows as [{ value: number }];
    expect(balance.balance).toBeGreaterThan(unpaid.value);
  };

  const expectAll = async (credentials: DemoCredentials) => {
    const products = await listed(credentials);
    expect(products?.total).toBeGreaterThan(50);
    const shirt = products?.data.find(({ sku }) => sku === 'TSHIRT-CLASSIC');
    expect(shirt?.pricing.wholesale_price).toBe(159);
    const exported = async <Column extends string>(columns: readonly Column[], rows: CsvRows<Column>) =>
      (await all(csvText(columns, rows))).join('').replaceAll('\r\n', '\n');
    const { app } = service;
    expect([
      await exported(DEMO_COLUMNS, app.get(CatalogFiles).export()),
      await exported(STOCK_COLUMNS, app.get(StockFiles).export()),
      await exported(PRICE_COLUMNS, app.get(PriceFiles).export()),
    ]).toEqual(
      (await Promise.all(['catalog', 'stock', 'prices'].map(demoFile))).map((text) =>
        text.replaceAll(/https:\/\/images\.example\.com\/products\/([\w-]+)\.jpg/g, `${pictures()}/$1.svg`),
      ),
    );
    expect(await answerOf(service.database.url, 'seller', 'show')).toMatchObject({
      seller: { name: 'Demo Wholesale', state: '27' },
      products_without_tax_data: 0,
      clients_without_tax_data: 0,
    });
    await expectOrders();
  };

  describe('in an empty database', () => {
    let loaded: DemoCredentials;
    let owner: Browser;
    beforeAll(start);
    afterAll(() => service.close());

    it('is loaded once, even by two at a time, with a token that works', async () => {
      let second: ReturnType<typeof load> | undefined;
      const first = await service.app.get(DemoLoad).load(async (credentials) => {
        second ??= load();
        await eventually(async () => (await service.pool.query(WAITING_FOR_ITS_TURN)).rowCount);
        await keep(credentials);
      });
      expect(await second).toBeUndefined();
      expect(kept).toEqual([first]);
      loaded = first!;
      await expectAll(loaded);
      expect(await load()).toBeUndefined();
      expect(await count('clients')).toBe(1);
    });

    it('has pictures of its own, which no other installation has', async () => {
      const { data } = (await listed(loaded))!;
      const images = data.flatMap((product) => product.images);
      expect(images.length).toBeGreaterThan(100);
      expect(new Set(images).size).toBe(images.length);
      const [first] = images;
      expect(first).toBe(`${pictures()}/tshirt-classic-1.svg`);
      const { headers, body } = await request(service.url).get(new URL(first!).pathname).expect(200);
      expect(headers['content-type']).toBe('image/svg+xml');
      expect((body as Buffer).toString()).toMatch(
        /^<svg [^]*<title>Classic Cotton T-Shirt<\/title>[^]*<\/svg>$/,
      );
      const second = await request(service.url).get(new URL(images[1]!).pathname).expect(200);
      expect((second.body as Buffer).equals(body as Buffer)).toBe(false);
      // Also of products that are not for sale.
      const { rows: pictured } = await service.pool.query<{ image: string }>(
        'SELECT unnest(images) AS image FROM products',
      );
      expect(pictured.length).toBeGreaterThan(images.length);
      for (const { image } of pictured) await request(service.url).get(new URL(image).pathname).expect(200);
      for (const path of ['tshirt-classic-9.svg', 'tshirt-classic.svg', 'none-1.svg', 'TSHIRT-CLASSIC-1.svg'])
        await request(service.url).get(`/demo/pictures/${path}`).expect(404);
      const browser = new Browser(service.url);
      await browser.post('/dashboard/sign-in', { ...loaded });
      expect((await browser.get('/dashboard/catalog/TSHIRT-CLASSIC')).text).toContain(`<img src="${first}"`);

      const installation = await startTestApp();
      await installation.fixtures.product({ sku: 'TSHIRT-CLASSIC' });
      await installation.fixtures.observed();
      await request(installation.url).get('/demo/pictures/tshirt-classic-1.svg').expect(404);
      await installation.close();
    });

    it('has an owner and an admin who can sign in', async () => {
      const { desk_email: email, desk_password: password } = loaded;
      const admin = await new Browser(service.url).post('/desk/sign-in', { email, password });
      expect([admin.status, admin.headers.location]).toEqual([303, '/desk']);
      owner = new Browser(service.url);
      const { status, headers } = await owner.post('/dashboard/sign-in', { ...loaded });
      expect([status, headers.location]).toEqual([303, '/dashboard']);
      expect((await owner.get('/dashboard/wallet')).text).toContain(' in your wallet</h1>');
    });

    it('is withdrawn by unloading it: from the catalog, and from its people; it stays away', async () => {
      await service.fixtures.product({ sku: 'OWN' });
      await service.fixtures.changeProduct('MUG-350', { name: 'A mug of our own' });
      await answerOf(service.database.url, 'demo', 'load', '--products', '10', '--yes');
      const order = orderBody([{ sku: 'SYN-0000001', quantity: 1, variation: 'S' }]);
      await service.fixtures.count('SYN-0000001', 5);
      await request(service.url)
        .post('/api/orders')
        .set({ Authorization: `Bearer ${loaded.token}`, 'X-Client-Domain': loaded.domain })
        .send(order)
        .expect(201);

      const { rows: made } = await service.pool.query('SELECT sku FROM products WHERE active');
      const unload = () => answerOf(service.database.url, 'demo', 'unload');
      // All but the one of our own, and the one that has become ours.
      expect(await unload()).toEqual({ deactivated: made.length - 2, store_suspended: true });
      expect(await unload()).toEqual({ deactivated: 0, store_suspended: true });
      const { rows } = await service.pool.query('SELECT sku FROM products WHERE active ORDER BY sku');
      expect(rows).toEqual([{ sku: 'MUG-350' }, { sku: 'OWN' }]);
      await eventually(async () => (await list(loaded)).status === 401);
      expect((await owner.get('/dashboard/wallet')).status).toBe(303);
      const { email, password, ...desk } = loaded;
      for (const [page, person] of Object.entries({
        '/dashboard/sign-in': { email, password },
        '/desk/sign-in': { email: desk.desk_email, password: desk.desk_password },
      }))
        expect((await new Browser(service.url).post(page, person)).status).toBe(422);
      expect(await load()).toBeUndefined();
      expect(await service.app.get(DemoLoad).isOpen()).toBe(false);
      expect(await count('sellers')).toBe(0);
    });
  });

  describe('in a database of its own', () => {
    beforeEach(start);
    afterEach(() => service.close());

    it('leaves nothing behind when its credentials could not be kept', async () => {
      const loading = service.app.get(DemoLoad).load(() => Promise.reject(new Error('disk full')));
      await expect(loading).rejects.toThrow('disk full');
      expect(await count('clients')).toBe(0);
      expect(await count('products')).toBe(0);
    });

    it.each([
      ['a product', () => service.fixtures.product()],
      ['a plan', () => service.fixtures.plan()],
    ])('is not loaded into a database that already holds %s', async (_, begin) => {
      await begin();
      expect(await load()).toBeUndefined();
      expect(await count('clients')).toBe(0);
    });

    it('has no seller while tax is switched off, and leaves a seller of yours alone', async () => {
      const installation = await startTestApp({ tax: 'none' });
      const credentials = await installation.app.get(DemoLoad).load(keep);
      expect(credentials).toBeDefined();
      expect((await installation.pool.query('SELECT FROM sellers')).rowCount).toBe(0);
      await installation.close();
      const own = ['--name', 'Own', '--gstin', '27AAPFU0939F1ZV', '--address', 'Pune'];
      await answerOf(service.database.url, 'seller', 'set', ...own);
      await load();
      expect(await count('tax_documents')).toBe(0);
      await answerOf(service.database.url, 'demo', 'unload');
      expect(await answerOf(service.database.url, 'seller', 'show')).toMatchObject({
        seller: { name: 'Own' },
      });
    });

    it('is not loaded in production', async () => {
      const production = { DATABASE_URL: service.database.url, NODE_ENV: 'production' };
      await service.fixtures.product({ sku: 'REAL' });
      const { exitCode, stderr } = await runCommandIn(production, 'demo', 'load', '--products', '1');
      expect(exitCode).toBe(1);
      expect(stderr).toContain('No sample data is loaded in production (NODE_ENV=production).');
      expect(await count('products')).toBe(1);
    });

    it('needs --yes beside real data if there is no terminal', async () => {
      const url = service.database.url;
      await answerOf(url, 'demo', 'load', '--products', '2');
      await answerOf(url, 'demo', 'load', '--products', '3');
      await service.fixtures.product({ sku: 'REAL' });
      const { exitCode, stderr } = await runCommand(url, 'demo', 'load', '--products', '4');
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('0 clients, 1 product, 0 orders')]);
      expect(await count('products')).toBe(4);
      await answerOf(url, 'demo', 'load', '--products', '4', '--yes');
      expect(await count('products')).toBe(5);
    });

    it.each([
      ['y', 0, 3],
      ['', 1, 1],
    ])('is loaded among real things if a person who is asked says %j', async (said, status, products) => {
      await service.fixtures.product({ sku: 'REAL' });
      const terminal = () => Object.assign(new PassThrough(), { isTTY: true });
      const [stdin, stdout, stderr] = [terminal(), new PassThrough().resume(), terminal()];
      stderr.on(
        'data',
        (requested: Buffer) => String(requested).includes('[y/N]') && stdin.write(`${said}\n`),
      );
      const surroundings = { env: { DATABASE_URL: service.database.url }, stdin, stdout, stderr };
      expect(await createCli(['demo', 'load', '--products', '2'], surroundings).main()).toBe(status);
      expect(await count('products')).toBe(products);
    });

    /** Loads the demo, and cuts its connections while it waits for this table. */
    async function killedBefore(table: string): Promise<void> {
      const hand = await service.pool.connect();
      await hand.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
      const loading = load();
      loading.catch(() => undefined);
      await eventually(async () => (await hand.query(WAITING, [table])).rowCount);
      await hand.query(SEVER);
      await expect(loading).rejects.toThrow();
      await hand.query('ROLLBACK');
      hand.release();
      // A new process would have no dead connections: this one must have noticed all of them.
      const requested = () => service.app.get(DataSource).query('SELECT 1');
      await eventually(() => Promise.all(Array.from({ length: 20 }, requested)));
    }

    it('is completed by the next start, with each order once, wherever it was killed', async () => {
      for (const table of ['plans', 'products', 'stock_items', 'plan_prices', 'subscriptions']) {
        await killedBefore(table);
        await eventually(async () => (await list(kept[0]!)).body.code === 'subscription_inactive');
      }
      // Else its job could wait for the table too.
      await service.app.get(RequestLog).writeAll();
      for (const table of ['wallet_entries', 'tax_documents', 'store_requests', 'person_links']) {
        await killedBefore(table);
        const isDone = table === 'store_requests' || table === 'person_links';
        expect([table, await count('orders')]).toEqual([table, isDone ? 33 : 0]);
      }
      expect(await load()).toBeUndefined();
      await expectAll(kept[0]!);
      expect(kept).toHaveLength(1);
      expect(await load()).toBeUndefined();
      await expectOrders();
    });
  });
});

const WAITING_FOR_ITS_TURN = `
  SELECT FROM pg_locks
   WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

const WAITING = 'SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted';

/** As when the node is killed: every connection of it is gone at once. */
const SEVER = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE datname = current_database() AND application_name LIKE 'wholesale-order-api%'`;
