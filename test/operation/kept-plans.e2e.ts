import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { OrderDeskService } from '../../src/orders/records/order-desk.service.js';
import { OrderExpiryService } from '../../src/orders/lifecycle/order-expiry.service.js';
import { OrderLifecycleService } from '../../src/orders/lifecycle/order-lifecycle.service.js';
import { DueChecksRepository } from '../../src/payments/due-checks.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { WalletService } from '../../src/wallet/wallet.service.js';
import type { Store } from '../support/fixtures.js';
import { orderBody } from '../support/order-body.js';
import { type SignedIn, signIn } from '../support/sign-in.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { createTestDatabase } from '../support/test-database.js';

const SOURCES = fileURLToPath(new URL('../../src', import.meta.url));

const ORDERS = 50_000;
const PRODUCTS = 10_000;

/** Look-ups in a larger index read a few pages more. A plan with unnecessary reads takes hundreds. */
const TIMES_MORE = 3;
const MORE = 150;

/** Home reads the lines of the newest 1,000 orders, however many there are. */
const BOUNDED: Record<string, number> = { Home: 6_000 };

/**
 * Named statements that no request below runs, by reason. A new statement must be run below or listed here.
 */
const NOT_RUN = new Set(
  Object.values({
    'read no table': `act-as clients-take-turns request-log-begin request-log-outcome
      request-log-take-turns request-log-try-turn sellers-take-turns`,
    'insert a row': 'person-link-make',
    'look up a row by its whole key': 'session-seen',
    'read a table that stays small':
      'migrations-done plan-list sign-in-attempts-count sign-in-attempts-forget',
    'read short lists, in the order of an index': 'outbox-take request-log-forget request-log-forget-counts',
    'run by a job, not on the way of a request': `request-log-add request-log-keep request-log-room
      token-uses-flush auto-pay-clients auto-pay-orders`,
    'run on a connection of its own that takes no sequential scan': 'snapshot-changes',
    'run by a command, whose connection is new': `demo-count-real demo-post demo-withdraw
      open-orders-of-product test-money-held test-money-left`,
    'read counts by hour, of which there are few': `request-figures-by-period request-figures-known
      request-figures-since`,
  }).flatMap((names) => names.split(/\s+/)),
);

const TOUCHED = `
  SELECT coalesce(sum(heap_blks_hit + heap_blks_read +
                      coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0)), 0)::int AS pages
    FROM pg_statio_user_tables
   WHERE relname = ANY ($1)`;

/** The tables that grow below. Jobs of the service do not read these during the measurement. */
const GROWN = [
  'orders',
  'order_items',
  'order_timeline',
  'store_order_ids',
  'products',
  'stock_items',
  'unpaid_totals',
  'wallet_entries',
  'payments',
  'payment_orders',
  'parcels',
  'parcel_items',
  'order_refunds',
  'order_refund_items',
  'order_returns',
  'order_return_items',
  'tax_documents',
  'tax_document_items',
];

/** Foreign keys and counts are not checked for each row, which would take too long. */
const FILL = [
  'SET session_replication_role = replica',
  `INSERT INTO products
     (sku, name, description, category, images, base_price, delivery_charge, active, variations)
   SELECT 'GROWN-' || n, 'Product', '', 'c', '{}', 10, 0, true, '[]'
     FROM generate_series(1, ${PRODUCTS}) AS n`,
  `INSERT INTO stock_items (product_id, variation_key, on_hand)
   SELECT id, '', 1000 FROM products WHERE sku LIKE 'GROWN-%'`,
  `INSERT INTO store_order_ids (client_id, store_order_id, order_number)
   SELECT $1, 'grown-' || n, 'WO-20260101-00000-' || lpad(n::text, 5, '0')
     FROM generate_series(1, ${ORDERS}) AS n`,
  `INSERT INTO orders (client_id, order_number, store_order_id, status, payment_status, plan_code, currency,
     subtotal, delivery, total, items_count, customer_name, customer_phone, shipping_address, shipping_city,
     shipping_state, shipping_pincode, shipping_country, content_hash, placed_at, payment_due_at)
   SELECT $1, 'WO-20260101-00000-' || lpad(n::text, 5, '0'), 'grown-' || n, 'pending', 'paid', 'p', 'INR',
          1, 0, 1, 1, 'a', '1', 'a', 'a', 'a', '560038', 'India', '', now() - n * interval '1 minute',
          now() + interval '3 days'
     FROM generate_series(1, ${ORDERS}) AS n`,
  `INSERT INTO order_items
     (client_id, order_number, line, product_id, sku, name, variation_key, quantity, unit_price, line_total)
   SELECT client_id, order_number, 1, (SELECT max(id) FROM products), 'GROWN-1', 'Product', '', 1, 1, 1
     FROM orders WHERE client_id = $1 AND store_order_id LIKE 'grown-%'`,
  `INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor,
     created_at, paid_at)
   SELECT $1, gen_random_uuid(), 'grown', order_number, 1, 'INR', 'paid', 'test', placed_at, placed_at
     FROM orders WHERE client_id = $1 AND store_order_id LIKE 'grown-%'`,
  `INSERT INTO payment_orders (client_id, payment_id, order_number, amount)
   SELECT client_id, payment_id, gateway_order_id, 1
     FROM payments WHERE client_id = $1 AND provider = 'grown'`,
  `INSERT INTO wallet_entries (client_id, entry, kind, against, amount, balance_after, key, actor, created_at)
   SELECT $1, entries + n, 'top_up', 'gateway', 1, balance + n, 'grown-' || n, 'test',
          now() - (${ORDERS} - n) * interval '1 minute' - interval '40 days'
     FROM wallets, generate_series(1, ${ORDERS}) AS n WHERE client_id = $1`,
  `UPDATE wallets SET balance = balance + ${ORDERS}, entries = entries + ${ORDERS} WHERE client_id = $1`,
  `INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
   SELECT client_id, order_number, 1, status, placed_at, 'test'
     FROM orders WHERE client_id = $1 AND store_order_id LIKE 'grown-%'`,
  `INSERT INTO parcels (client_id, order_number, parcel, courier, shipped_at, recorded_at, actor)
   SELECT client_id, order_number, 1, 'c', placed_at, placed_at, 'test'
     FROM orders WHERE client_id = $1 AND store_order_id LIKE 'grown-%'`,
  `INSERT INTO parcel_items (client_id, order_number, parcel, line, quantity)
   SELECT client_id, order_number, 1, 1, 1 FROM parcels WHERE client_id = $1 AND courier = 'c'`,
  `INSERT INTO order_returns (client_id, return_number, order_number, reason, key, actor)
   SELECT client_id, 'RT-' || order_number, order_number, 'r', 'k', 'test'
     FROM parcels WHERE client_id = $1 AND courier = 'c'`,
  `INSERT INTO order_return_items (client_id, return_number, order_number, line, quantity)
   SELECT client_id, return_number, order_number, 1, 1 FROM order_returns WHERE client_id = $1`,
  `INSERT INTO order_refunds (client_id, order_number, refund, kind, amount, reason, key, return_number, actor,
     refunded_at)
   SELECT client_id, order_number, 1, 'returned', 1, 'r', 'k', return_number, 'test', now()
     FROM order_returns WHERE client_id = $1`,
  `INSERT INTO order_refund_items (client_id, order_number, refund, line, refunded, amount)
   SELECT client_id, order_number, 1, 1, 1, 1 FROM order_refunds WHERE client_id = $1 AND kind = 'returned'`,
  `INSERT INTO tax_documents (number, kind, issued_at, issued_on, client_id, order_number, parcel,
     place_of_supply, gross, taxable, cgst, sgst, igst, facts)
   SELECT 'INV-2526-' || lpad((row_number() OVER ())::text, 7, '0'), 'invoice', shipped_at, shipped_at,
          client_id, order_number, 1, '29', 1, 1, 0, 0, 0, '{}'
     FROM parcels WHERE client_id = $1 AND courier = 'c'`,
  `INSERT INTO tax_document_items (number, position, line, description, sku, hsn, unit, quantity, unit_price,
     gst_rate, gross, taxable, cgst, sgst, igst)
   SELECT number, 1, 1, 'Product', 'GROWN-1', '1', 'NOS', 1, 1, 0, 1, 1, 0, 0, 0
     FROM tax_documents WHERE client_id = $1 AND number LIKE 'INV-2526-%'`,
  'RESET session_replication_role',
];

describe('Generic plans that were made on empty tables', () => {
  let test: TestApp;
  let store: Store;
  let browser: SignedIn;
  let skus: string[];
  let made = 0;
  let placed = { number: '', storeOrderId: '' };

  beforeAll(async () => {
    const database = await createTestDatabase();
    const url = new URL(database.serviceUrl);
    url.searchParams.set('options', '-c plan_cache_mode=force_generic_plan');
    // One connection runs every statement and keeps its plan.
    const settings = { databasePoolSize: 1, requestLogDays: 0 };
    test = await startTestApp(settings, { ...database, serviceUrl: url.href, drop: () => database.drop() });
    const { rows } = await test.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    for (const { name } of rows)
      await test.pool.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
    store = await test.fixtures.store({ state: '29' });
    await test.fixtures.seller();
    const taxed = { stock: 1_000, hsn: '6912', gstRate: '18' };
    skus = (await test.fixtures.products([taxed, taxed])).map(({ sku }) => sku);
    browser = await signIn(test, store.clientId, 'owner');
    await test.app
      .get(WalletService, { strict: false })
      .adjust(store.clientId, '100000', 'for a test', 'test');
  });

  afterAll(async () => {
    await test?.close();
    await test?.database.drop();
  });

  const place = async (more = {}) => {
    const storeOrderId = `kept-${++made}`;
    const items = skus.map((sku) => ({ sku, quantity: 1 }));
    const body = orderBody(items, { store_order_id: storeOrderId, ...more });
    const answer = await test.post(store, '/api/orders', body);
    if (answer.status === 201)
      placed = { number: (answer.body as { order_number: string }).order_number, storeOrderId };
    return answer.status;
  };
  const placedKey = async () => {
    await place();
    return { clientId: store.clientId, orderNumber: placed.number };
  };
  const cancel = async () =>
    (await test.post(store, `/api/orders/${(await placedKey()).orderNumber}/cancel`)).status;
  const quote = async () => {
    const body = orderBody(
      skus.map((sku) => ({ sku, quantity: 1 })),
      { store_order_id: 'quoted' },
    );
    return (await test.post(store, '/api/orders/quote', body)).status;
  };
  const changes = async () => {
    const { body } = await test.get(store, '/api/orders?limit=2');
    await place();
    return get(`?since=${(body as { sync_token: string }).sync_token}`);
  };
  const expire = async () => {
    await test.fixtures.age(100, (await placedKey()).orderNumber);
    return test.app.get(OrderExpiryService, { strict: false }).run();
  };
  const fulfil = async () => {
    const key = await placedKey();
    const desk = test.app.get(OrderDeskService, { strict: false });
    await test.app.get(OrderLifecycleService, { strict: false }).payFromWallet([key], 'test');
    await desk.ship(key.orderNumber, 'test', {
      courier: 'Post',
      trackingNumber: '1',
      trackingUrl: null,
      shippedAt: null,
    });
    await desk.refund(key.orderNumber, 'test', { lines: ['1=1'], reason: 'damaged' });
    return (await desk.deliver(key.orderNumber, 'test')).status === 'delivered' ? 200 : 500;
  };
  const get = async (address: string) => (await test.get(store, `/api/orders${address}`)).status;
  const page = async (address: string) => (await browser.get(`/dashboard${address}`)).status;

  /** Each request returns the same small number of rows with tables of any size. */
  const requests: Record<string, () => Promise<number>> = {
    'an order': () => place(),
    'a repeated order': () => place({ store_order_id: placed.storeOrderId }),
    'a refused order': () => place({ items: [{ sku: 'no-such', quantity: 1 }] }),
    'a status': () => get(`/${placed.number}/status`),
    'a status by the id of the store': () => get(`/${placed.storeOrderId}/status`),
    'several statuses': () => get(`/status?orders=${placed.number},${placed.storeOrderId}`),
    'a page of the list': () => get('?limit=2'),
    'a page of one status': () => get('?limit=2&status=cancelled'),
    'a page of one payment status': () => get('?limit=2&payment_status=unpaid'),
    'a page of one day': () => get('?limit=2&created_from=2020-01-01'),
    'an order by the id of the store': () => get(`?limit=2&store_order_id=${placed.storeOrderId}`),
    'a quote': quote,
    'a cancelled order': cancel,
    'what changed since': changes,
    'an order that expires': expire,
    'the page of an order': () => page(`/orders/${placed.number}`),
    Home: () => page(''),
    'the orders to pay': () => page('/orders?group=to_pay'),
    'a search for an order number': () => page(`/orders?search=${placed.number}`),
    'the review of a payment': () => page(`/pay?order=${placed.number}`),
    'an order that is paid, shipped, refunded and delivered': fulfil,
    'the wallet': () => page('/wallet'),
    'the wallet of a month': () => page('/wallet?month=2020-01'),
    'the payments of the wallet': () => page('/wallet?kind=top_up'),
    'auto-pay': () => page('/wallet/auto-pay'),
    'the requests of stores': () => page('/requests'),
  };

  /** Returns the lowest number of pages of these tables that the request reads in three runs. */
  async function pagesOf(request: () => Promise<number>): Promise<{ status: number; pages: number }> {
    const service = test.app.get(Database);
    const touched = async () => {
      await service.query({ text: 'SELECT pg_stat_force_next_flush()' }, []);
      return (await test.pool.query<{ pages: number }>(TOUCHED, [GROWN])).rows[0]!.pages;
    };
    const runs: { status: number; pages: number }[] = [];
    for (let run = 0; run < 3; run++) {
      const before = await touched();
      const status = await request();
      runs.push({ status, pages: (await touched()) - before });
    }
    return { status: runs[0]!.status, pages: Math.min(...runs.map(({ pages }) => pages)) };
  }

  /** Returns the number of whole-table scans, and of rows that indexes found. */
  async function readOf(...tables: string[]): Promise<{ scans: number; rows: number }> {
    await test.app.get(Database).query({ text: 'SELECT pg_stat_force_next_flush()' }, []);
    const { rows } = await test.pool.query<{ scans: number; rows: number }>(
      `SELECT sum(seq_scan)::int AS scans, sum(idx_tup_fetch)::int AS rows
       FROM pg_stat_user_tables WHERE relname = ANY ($1)`,
      [tables],
    );
    return rows[0]!;
  }

  async function measure() {
    const measured: Record<string, { status: number; pages: number }> = {};
    for (const [what, request] of Object.entries(requests)) measured[what] = await pagesOf(request);
    return measured;
  }

  it('read no more after the tables have grown', async () => {
    const small = await measure();
    const client = await test.pool.connect();
    try {
      for (const statement of FILL)
        await client.query(statement, statement.includes('$1') ? [store.clientId] : []);
    } finally {
      client.release();
    }
    await test.fixtures.seen();
    const grown = await measure();
    const tooMuch = Object.entries(grown).filter(
      ([what, { status, pages }]) =>
        status !== small[what]!.status || pages > small[what]!.pages * TIMES_MORE + (BOUNDED[what] ?? MORE),
    );
    expect(tooMuch.map(([what, now]) => ({ what, before: small[what], now }))).toEqual([]);
  });

  it('of due payments use only indexes with many due and many finished payments', async () => {
    const due = () => test.app.get(DueChecksRepository, { strict: false }).take('sandbox');
    await due();
    const { clientId } = await test.fixtures.store();
    for (const [count, next] of [
      [50_000, 'NULL'],
      [5_000, `now() - n * interval '1 second'`],
    ] as const) {
      const payments = `SELECT gen_random_uuid() AS id, n FROM generate_series(1, ${count}) AS n`;
      await test.fixtures.sql(
        `WITH made AS MATERIALIZED (${payments}), paid AS (
           INSERT INTO payments
             (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor,
              next_check_at)
           SELECT $1, id, 'sandbox', id, 1, 'INR', 'paid', 'test', ${next} FROM made)
         INSERT INTO gateway_refunds
           (client_id, refund_id, payment_id, gateway_payment_id, amount, actor, next_check_at)
         SELECT $1, id, id, 'pay', 1, 'test', ${next} FROM made`,
        [clientId],
      );
    }
    const rows: number[] = [];
    for (let run = 0; run < 3; run++) {
      const before = await readOf('payments', 'gateway_refunds');
      const taken = await due();
      const after = await readOf('payments', 'gateway_refunds');
      expect([taken.payments.length, taken.refunds.length]).toEqual([4, 4]);
      expect(after.scans).toBe(before.scans);
      rows.push(after.rows - before.rows);
    }
    // The regular run of the service may take some at the same moment.
    expect(Math.min(...rows)).toBeLessThan(5_000);
  });

  it('are tested for all named statements except the listed ones', async () => {
    const database = test.app.get(Database);
    const kept = await database.query<{ name: string }>(
      { text: 'SELECT name FROM pg_prepared_statements' },
      [],
    );
    const seen = new Set(kept.map(({ name }) => name));
    const named = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.(spec|entity)\.ts$/.test(file))
      .flatMap((file) => [
        ...readFileSync(path.join(SOURCES, file), 'utf8').matchAll(/name: '([a-z-]+)',\s+text:/g),
      ])
      .map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !seen.has(name) && !NOT_RUN.has(name))).toEqual([]);
    expect([...NOT_RUN].filter((name) => !named.includes(name))).toEqual([]);
  });

  it('are never compiled', async () => {
    expect(await test.app.get(Database).query({ text: 'SHOW jit' }, [])).toEqual([{ jit: 'off' }]);
  });
});
