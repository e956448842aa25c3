import pg from 'pg';
import { createApp } from '../../src/host/create-app.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import { SoldRepository } from '../../src/sales/sold.repository.js';
import { Fixtures } from '../../test/support/fixtures.js';
import { type BenchDatabase, createNewDatabase } from './bench-database.js';
import type { BenchPostgres } from './bench-postgres.js';

interface HouseSize {
  products: number;
  /** The first is the store of the database. */
  ordersOfEach: number[];
  /** They have fifty orders each. */
  smallClients: number;
  /** A client's orders spread over this time. */
  time: string;
}

/** 1,000,000 orders. */
const LARGE = {
  products: 200_000,
  ordersOfEach: [300_000, ...Array<number>(6).fill(100_000)],
  smallClients: 2_000,
  time: `interval '5 years'`,
};
const QUICK = {
  products: 2_000,
  ordersOfEach: [3_000, 1_000],
  smallClients: 20,
  time: `interval '2 months'`,
};

/** A database of this name is taken as it is: with `--postgres` it stays for the next run. */
const NAME = 'house';

export interface House extends BenchDatabase {
  smallClient: number;
}

/** A house after years of business. */
export async function openHouse(postgres: BenchPostgres, isQuick: boolean): Promise<House> {
  const size = isQuick ? QUICK : LARGE;
  const url = await postgres.existing(NAME);
  if (url === undefined) {
    const database = await createNewDatabase(postgres, NAME, size.products);
    await fillHouse(database, size);
    return { ...database, smallClient: database.store.clientId + size.ordersOfEach.length };
  }
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const { rows } = await pool.query<{ store: number; small: number; plan: number; products: number }>(
    `SELECT (SELECT min(id) FROM clients) AS store, (SELECT max(id) FROM clients) AS small,
            (SELECT id FROM plans WHERE code = 'bench') AS plan, (SELECT count(*)::int FROM products) AS products`,
  );
  const { store: clientId, small, plan: planId, products } = rows[0]!;
  // The people of this run get the addresses of those of the last.
  await pool.query(`UPDATE people SET email = 'earlier-' || id WHERE email !~ '^filled'`);
  const domain = 'store.example.com';
  const { tokenId, token } = await new Fixtures(pool, () => Promise.resolve()).token(clientId, domain);
  const headers = { Authorization: `Bearer ${token}`, 'X-Client-Domain': domain };
  return {
    url,
    products,
    pool,
    smallClient: small,
    store: { clientId, planId, tokenId, token, domain, headers },
  };
}

const OF_SMALL = 50;

/** One row for an order, from which all other rows are drawn. The newest orders of a client still wait. */
const MADE = ({ ordersOfEach, smallClients, time }: HouseSize, client: number, plan: number) => `
  INSERT INTO clients (id, name, email, state)
  SELECT ${client} + c, 'Client ' || c, 'client' || c || '@example.com', '29'
    FROM generate_series(1, ${ordersOfEach.length - 1 + smallClients}) AS c;
  INSERT INTO unpaid_totals (client_id) SELECT id FROM clients WHERE id > ${client};
  INSERT INTO client_domains (client_id, domain, allowed_by)
  SELECT id, 'store-' || id || '.example.com', 'filled' FROM clients WHERE id > ${client};
  INSERT INTO tokens (client_id, hash, prefix, domain)
  SELECT id, sha256(id::text::bytea), 'filled', 'store-' || id || '.example.com'
    FROM clients WHERE id > ${client};
  INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
  SELECT id, ${plan}, now() - ${time}, now() + interval '1 year' FROM clients WHERE id > ${client};
  INSERT INTO people (client_id, email, name, role)
  SELECT id, 'filled-' || id || '@example.com', 'Owner', 'owner' FROM clients;

  CREATE TEMP TABLE made AS
  SELECT client_id, k, 'WO-' || to_char(placed_at, 'YYYYMMDD') || '-' || lpad((client_id % 100000)::text, 5, '0')
           || '-' || lpad((k % 100000)::text, 5, '0') AS order_number,
         placed_at, status, status NOT IN ('awaiting_payment', 'cancelled') AS is_paid,
         status IN ('shipped', 'delivered') AS is_shipped, hashtext(client_id || '-' || k) & 1048575 AS chance
    FROM (SELECT ${client} + c AS client_id,
                 (ARRAY[${ordersOfEach.join(', ')}]::int[])[1 + c] AS count
            FROM generate_series(0, ${ordersOfEach.length - 1}) AS c
          UNION ALL
          SELECT ${client + ordersOfEach.length - 1} + c, ${OF_SMALL}
            FROM generate_series(1, ${smallClients}) AS c) AS owner,
         generate_series(1, count) AS k,
         LATERAL (SELECT now() - interval '2 hours' - k * (${time} / count) AS placed_at,
                         CASE WHEN k <= count / 50 THEN (ARRAY['awaiting_payment', 'pending'])[1 + k % 2]
                              WHEN k <= count / 25 THEN 'shipped'
                              WHEN k % 20 = 7 THEN 'cancelled' ELSE 'delivered' END AS status) AS each;
  CREATE TEMP TABLE shipped AS
  SELECT *, row_number() OVER (ORDER BY placed_at) AS at FROM made WHERE is_shipped;
  ANALYZE made, shipped`;

const NAMES = [
  `'{Ravi,Meera,Farhan,Lakshmi,Arjun,Anaya,Priya,Rahul,Sunil,Deepa,Kiran}'::text[]`,
  `'{Kumar,Nair,Ali,Iyer,Singh,Sharma,Gupta,Menon,Rao,Das}'::text[]`,
];

const ORDERS = (products: number) => `
  INSERT INTO packing_lists (created_at, actor, orders)
  SELECT now() - n * interval '1 hour', 'desk:1', 30 FROM generate_series(1, 10000) AS n;
  INSERT INTO store_order_ids (client_id, store_order_id, order_number)
  SELECT client_id, 'WEB-' || k, order_number FROM made;
  INSERT INTO orders (client_id, order_number, store_order_id, status, payment_status, plan_code, currency,
    subtotal, delivery, total, items_count, customer_name, customer_phone, customer_email, shipping_address,
    shipping_city, shipping_state, shipping_pincode, shipping_country, content_hash, placed_at, payment_due_at,
    paid_at, payment_method, courier, tracking_number, shipped_at, delivered_at, cancelled_at, cancel_reason,
    packing_list)
  SELECT client_id, order_number, 'WEB-' || k, status, CASE WHEN is_paid THEN 'paid' ELSE 'unpaid' END, 'bench',
         'INR', 100, 0, 100, 2,
         (${NAMES[0]})[1 + k % 11] || ' ' || (${NAMES[1]})[1 + k % 10]
           || CASE WHEN k % 1000 = 0 THEN ' Zacharias' ELSE '' END,
         '+91 98' || lpad((k % 1000)::text, 3, '0') || ' ' || lpad((k::bigint * 7919 % 100000)::text, 5, '0'),
         'customer' || k || '@example.com', '12, MG Road', 'Bengaluru', 'State ' || chance % 30, '560038',
         'India', ''::bytea, placed_at,
         CASE WHEN status = 'awaiting_payment' THEN now() + interval '3 days'
              ELSE placed_at + interval '3 days' END,
         CASE WHEN is_paid THEN placed_at END, CASE WHEN is_paid THEN 'wallet' END,
         CASE WHEN is_shipped THEN 'BlueDart' END, CASE WHEN is_shipped THEN 'TR' || chance END,
         CASE WHEN is_shipped THEN placed_at + interval '1 day' END,
         CASE WHEN status = 'delivered' THEN placed_at + interval '3 days' END,
         CASE WHEN status = 'cancelled' THEN placed_at + interval '3 days' END,
         CASE WHEN status = 'cancelled' THEN 'expired' END,
         CASE WHEN is_paid AND chance % 4 = 0 THEN 1 + chance % 10000 END
    FROM made;
  UPDATE unpaid_totals t SET unpaid_orders = n, unpaid_value = n * 100
    FROM (SELECT client_id, count(*) AS n FROM made WHERE status = 'awaiting_payment' GROUP BY 1) AS open
   WHERE open.client_id = t.client_id;
  INSERT INTO order_items (client_id, order_number, line, product_id, sku, name, variation_key, quantity,
    unit_price, line_total, shipped)
  SELECT client_id, order_number, line, p.id, p.sku, p.name, 'Size:M', 1, 50, 50, is_shipped::int
    FROM made CROSS JOIN generate_series(1, 2) AS line
    JOIN products p ON p.id = 1 + (chance + line * 7919) % ${products};
  INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
  SELECT client_id, order_number, entry, status, placed_at, 'wholesaler'
    FROM made CROSS JOIN generate_series(1, 4) AS entry;
  INSERT INTO order_changes (client_id, order_number, actor, before, after)
  SELECT client_id, order_number, 'desk:1', '{"shipping_city": "a"}', '{"shipping_city": "b"}'
    FROM made WHERE chance % 50 = 0`;

const AFTER_SALE = `
  INSERT INTO parcels (client_id, order_number, parcel, courier, tracking_number, shipped_at, delivered_at,
    recorded_at, actor)
  SELECT client_id, order_number, 1, 'BlueDart', 'TR' || chance, placed_at + interval '1 day',
         CASE WHEN status = 'delivered' THEN placed_at + interval '3 days' END, placed_at, 'desk:1' FROM shipped;
  INSERT INTO parcel_items (client_id, order_number, parcel, line, quantity)
  SELECT client_id, order_number, 1, line, 1 FROM shipped CROSS JOIN generate_series(1, 2) AS line;
  INSERT INTO order_returns (client_id, return_number, order_number, state, reason, key, actor, requested_at,
    decided_at, decided_by)
  SELECT client_id, 'RT-' || at, order_number, CASE WHEN at % 240 = 0 THEN 'requested' ELSE 'received' END,
         'damaged', 'k', 'store', placed_at + interval '5 days',
         CASE WHEN at % 240 > 0 THEN placed_at + interval '9 days' END,
         CASE WHEN at % 240 > 0 THEN 'desk:1' END
    FROM shipped WHERE at % 24 = 0;
  INSERT INTO order_return_items (client_id, return_number, order_number, line, quantity, received)
  SELECT client_id, 'RT-' || at, order_number, 1, 1, CASE WHEN at % 240 > 0 THEN 1 END
    FROM shipped WHERE at % 24 = 0;
  INSERT INTO order_refunds (client_id, order_number, refund, kind, amount, reason, key, actor, refunded_at)
  SELECT client_id, order_number, 1, 'lines', 50, 'damaged', 'k', 'desk:1',
         least(now(), placed_at + interval '9 days')
    FROM shipped WHERE at % 24 = 0;
  INSERT INTO order_refund_items (client_id, order_number, refund, line, refunded, amount)
  SELECT client_id, order_number, 1, 1, 1, 50 FROM shipped WHERE at % 24 = 0;

  CREATE TEMP TABLE documents AS
  SELECT s.*, 'INV-' || to_char(placed_at, 'YYYY') || '-' || lpad(at::text, 7, '0') AS number FROM shipped s;
  INSERT INTO tax_documents (number, kind, issued_at, issued_on, client_id, order_number, parcel, refund,
    against, place_of_supply, gross, taxable, cgst, sgst, igst, facts)
  SELECT CASE kind WHEN 'invoice' THEN number ELSE replace(number, 'INV', 'CN') END, kind, placed_at, placed_at,
         client_id, order_number, CASE kind WHEN 'invoice' THEN 1 END, CASE kind WHEN 'credit_note' THEN 1 END,
         CASE kind WHEN 'credit_note' THEN number END, '29', 100, 100, 0, 0, 0,
         jsonb_build_object(
           'seller', jsonb_build_object('name', 'House', 'gstin', '29AAGCB7383J1Z4', 'address', 'a', 'state', '29'),
           'client', jsonb_build_object('name', 'Client', 'gstin', null, 'address', 'a', 'state', '29'),
           'deliver_to', null, 'store_order_id', 'WEB-' || k, 'placed_at', placed_at,
           'against', CASE kind WHEN 'credit_note'
                      THEN jsonb_build_object('number', number, 'issued_on', placed_at::date) END)
    FROM documents CROSS JOIN unnest(ARRAY['invoice', 'credit_note']) AS kind
   WHERE kind = 'invoice' OR at % 24 = 0;
  INSERT INTO tax_document_items (number, position, line, description, sku, hsn, unit, quantity, unit_price,
    gst_rate, gross, taxable, cgst, sgst, igst)
  SELECT number, 1, 1, 'Product', 'SYN-0000001', '6912', 'NOS', 2, 50, 0, 100, 100, 0, 0, 0 FROM tax_documents;
  INSERT INTO sellers (name, gstin, address, state)
  VALUES ('Wholesale House', '29AAGCB7383J1Z4', '1, Brigade Road, Bengaluru 560001', '29')`;

/** Every tenth payment of an order comes with a top-up, so that the wallet never ends. */
const MONEY = `
  INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor,
    created_at, paid_at, ended_at, concern)
  SELECT client_id, md5(order_number)::uuid, 'razorpay', order_number, 1000, 'INR',
         CASE WHEN chance % 10 = 0 THEN 'failed' ELSE 'paid' END, 'person:1', placed_at,
         CASE WHEN chance % 10 > 0 THEN placed_at END, placed_at,
         CASE WHEN chance % 5000 = 1 THEN 'amount_differs' END
    FROM made WHERE k % 10 = 0;
  INSERT INTO gateway_refunds (client_id, refund_id, payment_id, gateway_payment_id, amount, status, actor)
  SELECT client_id, payment_id, payment_id, 'pay', 1, 'processed', 'desk:1' FROM payments
   WHERE get_byte(uuid_send(payment_id), 0) < 25;
  INSERT INTO wallet_entries (client_id, entry, kind, against, amount, balance_after, key, order_number,
    payment_id, actor, created_at)
  SELECT client_id, row_number() OVER of_client, kind, against, amount,
         sum(amount) OVER of_client, key, CASE kind WHEN 'order_payment' THEN order_number END,
         CASE kind WHEN 'top_up' THEN md5(order_number)::uuid END, 'person:1', placed_at
    FROM (SELECT client_id, 'order_payment' AS kind, 'sales' AS against, -100 AS amount, order_number, placed_at,
                 'order:' || order_number AS key FROM made WHERE is_paid
          UNION ALL
          SELECT client_id, 'top_up', 'gateway', 1200, order_number, placed_at, 'payment:' || order_number
            FROM made WHERE k % 10 = 0
          UNION ALL
          SELECT id, 'adjustment', 'adjustments', 10000, NULL, now() - interval '10 years', 'first' FROM clients) AS posting
  WINDOW of_client AS (PARTITION BY client_id ORDER BY placed_at, amount DESC ROWS UNBOUNDED PRECEDING);
  INSERT INTO wallets (client_id, balance, entries)
  SELECT DISTINCT ON (client_id) client_id, balance_after, entry FROM wallet_entries ORDER BY client_id, entry DESC
  ON CONFLICT (client_id) DO UPDATE SET balance = excluded.balance, entries = excluded.entries;
  INSERT INTO bank_transfers (client_id, amount, utr, status, announced_by, announced_at, decided_by, decided_at)
  SELECT client_id, 100, 'UTR' || client_id || '-' || k, CASE WHEN k <= 1000 THEN 'announced' ELSE 'confirmed' END,
         'person:1', placed_at, CASE WHEN k > 1000 THEN 'desk:1' END, CASE WHEN k > 1000 THEN placed_at END
    FROM made WHERE k % 20 = 0`;

const LOGS = (products: number, plan: number) => `
  INSERT INTO store_requests (client_id, answered_at, request_id, token_id, domain, method, route, path,
    parameters, status, code, faults, store_order_id, order_number, milliseconds)
  SELECT client_id, placed_at, md5(order_number), 1, 'store.example.com', 'POST', '/api/orders', '/api/orders',
         '{}', CASE WHEN chance % 10 = 0 THEN 422 ELSE 201 END,
         CASE WHEN chance % 10 = 0 THEN 'out_of_stock' ELSE '' END, '[]', 'WEB-' || k, order_number, 12
    FROM made WHERE k <= 40000;
  INSERT INTO store_request_counts (client_id, hour, method, route, status_class, code, requests)
  SELECT 1 + n % 20, date_trunc('hour', now()) - n / 20 * interval '1 hour', 'GET', '/api/products', 2, '', 100
    FROM generate_series(1, 40000) AS n;
  INSERT INTO audit_log (happened_at, client_id, person_id, actor, action, subject, address)
  SELECT placed_at, client_id, 1, 'person:1', (ARRAY['order.shipped', 'session.started'])[1 + k % 2], order_number,
         '127.0.0.1' FROM made WHERE chance % 3 = 0 ORDER BY placed_at;
  INSERT INTO audit_log (happened_at, actor, action, subject)
  SELECT placed_at, 'desk:1', 'order.shipped', order_number FROM made WHERE chance % 3 = 1 ORDER BY placed_at;
  INSERT INTO changes (changed_at, actor, subject, name, before, after)
  SELECT now() - n * interval '5 minutes', 'desk:1', 'product', sku, '{"base_price": 10, "delivery_charge": 0}',
         '{"base_price": 12, "delivery_charge": 0}'
    FROM generate_series(500000, 1, -1) AS n JOIN products ON id = 1 + n % ${products};
  INSERT INTO stock_movements (product_id, variation_key, delta, reason, actor, moved_at)
  SELECT CASE WHEN n % 20 = 0 THEN 1 ELSE 1 + n % ${products} END, 'Size:M', 1, 'count', 'desk:1',
         now() - n * interval '4 minutes'
    FROM generate_series(600000, 1, -1) AS n;
  INSERT INTO plan_prices (plan_id, product_id, price, changed)
  SELECT ${plan}, id, 40, 1 FROM products WHERE id % 2 = 0;
  INSERT INTO plans (code, name, discount) SELECT 'plan-' || n, 'Plan', 5 FROM generate_series(1, 50) AS n;
  INSERT INTO price_schedules (from_at, actor, applied_at, closed_at)
  SELECT now() + n * interval '1 day', 'desk:1', CASE WHEN n < 0 THEN now() END, CASE WHEN n < 0 THEN now() END
    FROM generate_series(-400, 50) AS n WHERE n <> 0;
  INSERT INTO scheduled_prices (schedule_id, number, plan_id, product_id, value)
  SELECT s.id, n, ${plan}, 1 + (s.id * 499 + n) % ${products}, 45
    FROM price_schedules s CROSS JOIN generate_series(1, 1000) AS n;
  INSERT INTO import_runs (created_at, actor, kind, file_name, size, state, ended_at, result)
  SELECT now() - n * interval '1 hour', 'desk:1', 'stock', 'count.csv', 100, 'cancelled',
         now() - n * interval '1 hour', NULL FROM generate_series(5000, 1, -1) AS n;
  INSERT INTO outbox (mail_id, recipient, subject, created_at, useful_until, next_try_at, sent_at)
  SELECT gen_random_uuid(), 'a@example.com', 'Orders', placed_at, placed_at, NULL, placed_at
    FROM made WHERE chance % 10 = 0`;

/** Indexes that are built afterwards: filling them row by row takes minutes. */
const WITHOUT_INDEXES = `
  CREATE TEMP TABLE later AS
  SELECT indexdef, indexname FROM pg_indexes
   WHERE schemaname = 'public' AND tablename = 'orders' AND indexname <> 'orders_pk';
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT indexname FROM later LOOP EXECUTE format('DROP INDEX %I', name); END LOOP;
  END $$`;
const WITH_INDEXES = `
  DO $$ DECLARE definition text; BEGIN
    FOR definition IN SELECT indexdef FROM later LOOP EXECUTE definition; END LOOP;
  END $$`;

/** Years of a house of this size, with the sums of its sales. Checks of foreign keys would take minutes. */
async function fillHouse(
  { pool, store: { clientId, planId }, products, url }: BenchDatabase,
  size: HouseSize,
): Promise<void> {
  const client = await pool.connect();
  for (const statements of [
    `SET session_replication_role = replica; SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'`,
    WITHOUT_INDEXES,
    MADE(size, clientId, planId),
    ORDERS(products),
    AFTER_SALE,
    MONEY,
    LOGS(products, planId),
    WITH_INDEXES,
    'RESET ALL',
    'VACUUM ANALYZE',
  ])
    await client.query(statements);
  client.release(true);
  // The sums of a month may take longer than a request may.
  const settings = readSettings({ DATABASE_URL: url, DATABASE_TIMEOUT_MS: '60000' });
  const app = await createApp(settings, url, { logger: false });
  while (await app.get(SoldRepository, { strict: false }).keepNextDay());
  await app.close();
  await pool.query('CHECKPOINT');
}
