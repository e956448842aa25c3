import type { Pool } from 'pg';
import { createApp } from '../../src/server/create-app.js';
import { readSettings } from '../../src/platform/settings/settings.js';
import { SoldRepository } from '../../src/modules/sales/sold.repository.js';

/** The database that is filled: its own plan, client and products exist already. */
interface Target {
  url: string;
  products: number;
  store: { planId: number };
  pool: Pool;
}

export interface DatabaseSize {
  /** The first is the client of the database. */
  ordersOfEach: number[];
  /** They have fifty orders each. */
  smallClients: number;
  /** A client's orders spread over this time. */
  time: string;
}

/** Products like those of `demo load`, with more stock than any bench sells. */
export const CATALOG = (count: number) => `
  INSERT INTO products
    (sku, name, description, category, images, base_price, delivery_charge, active, variations)
  SELECT 'SYN-' || number, 'Sample product ' || n, 'Sample product ' || n || ', packed singly in a carton of '
           || 'twelve and sent within two days of Category ' || n % 40, 'Category ' || n % 40,
         ARRAY['https://images.example.com/products/syn-' || number || '-1.jpg'], 50 + n::bigint * 7919 % 4500,
         30 + n % 90, true, '[{"name": "Size", "values": ["S", "M", "L"]}]'
    FROM generate_series(1, ${count}) AS n, lpad(n::text, 7, '0') AS number;
  INSERT INTO stock_items (product_id, variation_key, on_hand)
  SELECT id, 'Size:' || size, 1000000 FROM products, unnest('{S,M,L}'::text[]) AS size ORDER BY id`;

/** One row for an order, from which the other rows are drawn. The newest orders of a client still wait. */
const MADE = ({ ordersOfEach, smallClients, time }: DatabaseSize) => `
CREATE TEMP TABLE made AS
SELECT *, 'desk:1' AS actor, '{}'::jsonb AS empty, status NOT IN ('awaiting_payment', 'cancelled') AS is_paid,
       concat_ws('-', 'WO', to_char(placed_at, 'YYYYMMDD'), lpad((client_id % 100000)::text, 5, '0'),
                 lpad((k % 100000)::text, 5, '0')) AS order_number, 'WEB-' || k AS store_order_id,
       is_shipped::int AS shipped,
       CASE WHEN is_shipped THEN 'BlueDart' END AS courier,
       CASE WHEN is_shipped THEN 'TR' || chance END AS tracking_number,
       CASE WHEN is_shipped THEN placed_at + interval '1 day' END AS shipped_at,
       CASE status WHEN 'delivered' THEN placed_at + interval '3 days' END AS delivered_at
  FROM unnest(array_cat(ARRAY[${ordersOfEach.join()}], array_fill(50, ARRAY[${smallClients}])))
         WITH ORDINALITY AS owner (count, client_id), generate_series(1, count) AS k,
       LATERAL (SELECT now() - interval '2 hours' - k * (interval '${time}' / count) AS placed_at,
                       CASE WHEN k <= count / 50 THEN (ARRAY['awaiting_payment', 'pending'])[1 + k % 2]
                            WHEN k <= count / 25 THEN 'shipped'
                            WHEN k % 20 = 7 THEN 'cancelled' ELSE 'delivered' END AS status) AS each,
       LATERAL (SELECT status IN ('shipped', 'delivered') AS is_shipped,
                       hashtext(client_id || '-' || k) & 1048575 AS chance) AS also;
CREATE TEMP TABLE shipped AS
SELECT *, row_number() OVER (ORDER BY placed_at) AS at FROM made WHERE is_shipped;
CREATE TEMP TABLE returned AS
SELECT client_id, order_number, 'RT-' || at AS return_number, actor, 1 AS line, 1 AS quantity, 1 AS refund,
       50 AS amount, 'damaged' AS reason, 'k' AS key, placed_at + interval '9 days' AS ended_at,
       CASE WHEN at % 240 > 0 THEN 1 END AS received FROM shipped WHERE at % 24 = 0;
ANALYZE made, shipped, returned`;

/**
 * The rows of each table, as a query. Columns are matched by name; those that the table lacks are left out.
 * The logs grow with the orders.
 */
const ROWS = (clients: number, orders: number, products: number, plan: number) => `
clients: SELECT id, 'Client ' || id AS name, 'client' || id || '@example.com' AS email, '29' AS state
  FROM generate_series(2, ${clients}) AS id;
tokens: SELECT id AS client_id, sha256(id::text::bytea) AS hash, 'filled' AS prefix, domain
  FROM clients, concat('store-', id, '.example.com') AS domain WHERE id > 1;
client_domains: SELECT client_id, domain, 'filled' AS allowed_by FROM tokens WHERE client_id > 1;
subscriptions: SELECT id AS client_id, ${plan} AS plan_id, now() - interval '5 years' AS starts_at,
    now() + interval '1 year' AS ends_at FROM clients WHERE id > 1;
people: SELECT id AS client_id, 'filled-' || id || '@example.com' AS email, 'Owner' AS name, 'owner' AS role
  FROM clients;
packing_lists: SELECT now() - n * interval '1 hour' AS created_at, 'desk:1' AS actor, 30 AS orders
  FROM generate_series(1, ${orders / 100}) AS n;
store_order_ids: SELECT * FROM made;
orders: SELECT *, 'bench' AS plan_code, 'INR' AS currency,
    CASE WHEN is_paid THEN 'paid' ELSE 'unpaid' END AS payment_status,
    100 AS subtotal, 0 AS delivery, 100 AS total, 2 AS items_count,
    ('{Ravi,Meera,Farhan,Lakshmi,Arjun,Anaya,Priya,Rahul,Sunil,Deepa,Kiran}'::text[])[1 + k % 11] || ' '
      || ('{Kumar,Nair,Ali,Iyer,Singh,Sharma,Gupta,Menon,Rao,Das}'::text[])[1 + k % 10]
      || CASE WHEN k % 1000 = 0 THEN ' Zacharias' ELSE '' END AS customer_name,
    '+91 98' || lpad((k % 1000)::text, 3, '0') || ' ' || lpad((k::bigint * 7919 % 100000)::text, 5, '0')
      AS customer_phone, 'customer' || k || '@example.com' AS customer_email,
    '12, MG Road' AS shipping_address, 'Bengaluru' AS shipping_city, '560038' AS shipping_pincode,
    'State ' || chance % 30 AS shipping_state, 'India' AS shipping_country, ''::bytea AS content_hash,
    CASE status WHEN 'awaiting_payment' THEN now() ELSE placed_at END + interval '3 days' AS payment_due_at,
    CASE WHEN is_paid THEN placed_at END AS paid_at, CASE WHEN is_paid THEN 'wallet' END AS payment_method,
    CASE status WHEN 'cancelled' THEN placed_at + interval '3 days' END AS cancelled_at,
    CASE status WHEN 'cancelled' THEN 'expired' END AS cancel_reason,
    CASE WHEN is_paid AND chance % 4 = 0 THEN 1 + chance % ${orders / 100} END AS packing_list
  FROM made;
unpaid_totals: SELECT id AS client_id, count(k) AS unpaid_orders, count(k) * 100 AS unpaid_value
  FROM clients LEFT JOIN made ON client_id = id AND made.status = 'awaiting_payment' GROUP BY id;
order_items: SELECT made.*, line, p.id AS product_id, sku, name, 'Size:M' AS variation_key, 1 AS quantity,
    50 AS unit_price, 50 AS line_total FROM made CROSS JOIN generate_series(1, 2) AS line
  JOIN products p ON p.id = 1 + (chance + line * 7919) % ${products};
order_timeline: SELECT *, placed_at AS changed_at FROM made, generate_series(1, 4) AS entry;
order_changes: SELECT *, empty AS before, empty AS after FROM made WHERE chance % 50 = 0;
parcels: SELECT *, 1 AS parcel, placed_at AS recorded_at FROM shipped;
parcel_items: SELECT *, 1 AS parcel, 1 AS quantity FROM shipped, generate_series(1, 2) AS line;
order_returns: SELECT *, CASE received WHEN 1 THEN 'received' ELSE 'requested' END AS state,
    ended_at - interval '4 days' AS requested_at, CASE received WHEN 1 THEN ended_at END AS decided_at,
    CASE received WHEN 1 THEN actor END AS decided_by FROM returned;
order_return_items: SELECT * FROM returned;
order_refunds: SELECT *, 'lines' AS kind, least(now(), ended_at) AS refunded_at FROM returned;
order_refund_items: SELECT *, 1 AS refunded FROM returned;
tax_documents: SELECT client_id, order_number, each.*, placed_at AS issued_at, placed_at::date AS issued_on,
    '29' AS place_of_supply, 100 AS gross, 100 AS taxable, 0 AS cgst, 0 AS sgst, 0 AS igst,
    jsonb_build_object(
      'seller', '{"name": "House", "gstin": "29AAGCB7383J1Z4", "address": "a", "state": "29"}'::jsonb,
      'client', '{"name": "Client", "gstin": null, "address": "a", "state": "29"}'::jsonb,
      'deliver_to', null, 'store_order_id', store_order_id, 'placed_at', placed_at, 'against',
      CASE kind WHEN 'credit_note' THEN jsonb_build_object(
        'number', against, 'issued_on', placed_at::date) END) AS facts
  FROM shipped, concat('-', to_char(placed_at, 'YYYY-'), lpad(at::text, 7, '0')) AS text,
       LATERAL (VALUES ('invoice', 'INV' || text, 1, NULL::integer, NULL),
                       ('credit_note', 'CN' || text, NULL, 1, 'INV' || text))
         AS each (kind, number, parcel, refund, against)
 WHERE kind = 'invoice' OR at % 24 = 0;
tax_document_items: SELECT *, 1 AS position, 1 AS line, 'Product' AS description, 'SYN-0000001' AS sku,
    '6912' AS hsn, 'NOS' AS unit, 2 AS quantity, 50 AS unit_price, 0 AS gst_rate FROM tax_documents;
sellers: SELECT 'House' AS name, '29AAGCB7383J1Z4' AS gstin, '1, Brigade Road' AS address, '29' AS state;
payments: SELECT client_id, md5(order_number)::uuid AS payment_id, 'razorpay' AS provider, 1000 AS amount,
    order_number AS gateway_order_id, 'INR' AS currency, placed_at AS created_at, placed_at AS ended_at,
    actor, CASE WHEN chance % 10 = 0 THEN 'failed' ELSE 'paid' END AS status,
    CASE WHEN chance % 10 > 0 THEN placed_at END AS paid_at,
    CASE WHEN chance % 5000 = 1 THEN 'amount_differs' END AS concern FROM made WHERE k % 10 = 0;
gateway_refunds: SELECT client_id, payment_id AS refund_id, payment_id, 'pay' AS gateway_payment_id,
    1 AS amount, 'processed' AS status, actor FROM payments WHERE get_byte(uuid_send(payment_id), 0) < 25;
wallet_entries: SELECT client_id, row_number() OVER of_client AS entry, kind, against, amount, key, actor,
    sum(amount) OVER of_client AS balance_after, placed_at AS created_at,
    CASE kind WHEN 'order_payment' THEN order_number END AS order_number,
    CASE kind WHEN 'top_up' THEN md5(order_number)::uuid END AS payment_id
  FROM (SELECT client_id, 'order_payment' AS kind, 'sales' AS against, -100 AS amount, order_number,
               placed_at, actor, 'order:' || order_number AS key FROM made WHERE is_paid
        UNION ALL SELECT client_id, 'top_up', 'gateway', 1200, order_number, placed_at, actor,
                         'payment:' || order_number FROM made WHERE k % 10 = 0
        UNION ALL SELECT id, 'adjustment', 'adjustments', 10000, NULL, now() - interval '10 years',
                         'desk:1', 'first' FROM clients) AS posting
WINDOW of_client AS (PARTITION BY client_id ORDER BY placed_at, amount DESC ROWS UNBOUNDED PRECEDING);
wallets: SELECT DISTINCT ON (client_id) client_id, balance_after AS balance, entry AS entries
  FROM wallet_entries ORDER BY client_id, entry DESC;
bank_transfers: SELECT client_id, 100 AS amount, 'UTR' || client_id || '-' || k AS utr, actor AS announced_by,
    placed_at AS announced_at, CASE WHEN k <= 1000 THEN 'announced' ELSE 'confirmed' END AS status,
    CASE WHEN k > 1000 THEN actor END AS decided_by, CASE WHEN k > 1000 THEN placed_at END AS decided_at
  FROM made WHERE k % 20 = 0;
store_requests: SELECT client_id, placed_at AS answered_at, md5(order_number) AS request_id, 1 AS token_id,
    'store.example.com' AS domain, 'POST' AS method, '/api/orders' AS route, '/api/orders' AS path,
    '{}'::text[] AS parameters, '[]'::jsonb AS faults, store_order_id, order_number, 12 AS milliseconds,
    CASE WHEN chance % 10 = 0 THEN 422 ELSE 201 END AS status,
    CASE WHEN chance % 10 = 0 THEN 'out_of_stock' ELSE '' END AS code FROM made WHERE k <= 40000;
store_request_counts: SELECT 1 + n % 20 AS client_id, 'GET' AS method, '/api/products' AS route,
    2 AS status_class, '' AS code, 100 AS requests,
    date_trunc('hour', now()) - n / 20 * interval '1 hour' AS hour
  FROM generate_series(1, ${orders / 25}) AS n;
audit_log: SELECT placed_at AS happened_at, CASE chance % 3 WHEN 0 THEN client_id END AS client_id,
    CASE chance % 3 WHEN 0 THEN 'person:1' ELSE actor END AS actor, order_number AS subject,
    '127.0.0.1' AS address, (ARRAY['order.shipped', 'session.started'])[1 + k % 2] AS action
  FROM made WHERE chance % 3 < 2 ORDER BY placed_at;
changes: SELECT now() - n * interval '5 minutes' AS changed_at, 'desk:1' AS actor, 'product' AS subject,
    sku AS name, '{"base_price": 10}'::jsonb AS before, '{"base_price": 12}'::jsonb AS after
  FROM generate_series(${orders / 2}, 1, -1) AS n JOIN products ON id = 1 + n % ${products};
stock_movements: SELECT CASE WHEN n % 20 = 0 THEN 1 ELSE 1 + n % ${products} END AS product_id, 1 AS delta,
    'Size:M' AS variation_key, 'count' AS reason, 'desk:1' AS actor,
    now() - n * interval '4 minutes' AS moved_at
  FROM generate_series(${orders / 2}, 1, -1) AS n;
plan_prices: SELECT ${plan} AS plan_id, id AS product_id, 40 AS price, 1 AS changed
  FROM products WHERE id % 2 = 0;
plans: SELECT 'plan-' || n AS code, 'Plan' AS name, 5 AS discount FROM generate_series(1, 50) AS n;
price_schedules: SELECT now() + n * interval '1 day' AS from_at, 'desk:1' AS actor, at AS applied_at,
    at AS closed_at FROM generate_series(-400, 50) AS n,
    LATERAL (SELECT CASE WHEN n < 0 THEN now() END AS at) AS each WHERE n <> 0;
scheduled_prices: SELECT s.id AS schedule_id, n AS number, ${plan} AS plan_id, 45 AS value,
    1 + (s.id * 499 + n) % ${products} AS product_id
  FROM price_schedules s, generate_series(1, ${Math.ceil(orders / 1_000)}) AS n;
import_runs: SELECT n * interval '-1 hour' + now() AS created_at, now() AS ended_at, 'desk:1' AS actor,
    'stock' AS kind, 'count.csv' AS file_name, 100 AS size, 'cancelled' AS state
  FROM generate_series(${orders / 200}, 1, -1) AS n;
outbox: SELECT gen_random_uuid() AS mail_id, 'a@example.com' AS recipient, 'Orders' AS subject,
    placed_at AS created_at, placed_at AS useful_until, placed_at AS sent_at, NULL::timestamptz AS next_try_at
  FROM made WHERE chance % 10 = 0`;

/** A dropped index would come back as the newest, which PostgreSQL prefers to older ones of equal height. */
const INDEXES_LATER = `
  UPDATE pg_index SET indisready = false, indisvalid = false
   WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`;

/** Fills a database with rows, up to this size. */
export async function fillDatabase({ pool, store, products }: Target, size: DatabaseSize): Promise<void> {
  const clients = size.ordersOfEach.length + size.smallClients;
  const orders = size.ordersOfEach.reduce((sum, count) => sum + count, size.smallClients * 50);
  const client = await pool.connect();
  const { rows: stampedTables } = await client.query<{ name: string }>(
    `SELECT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgname = 'stamp_order'`,
  );
  const switchTriggers = (how: string) =>
    client.query(stampedTables.map(({ name }) => `ALTER TABLE ${name} ${how} TRIGGER stamp_order`).join(';'));
  // Checking keys, filling indexes and versioning orders row by row would take hours.
  await switchTriggers('DISABLE');
  await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '512MB';
  SET work_mem = '256MB'; DELETE FROM unpaid_totals; DELETE FROM wallets; ${INDEXES_LATER}`);
  await client.query(MADE(size));
  for (const text of ROWS(clients, orders, products, store.planId).split(/;\n/)) {
    const [, table, query] = /(\w+): (.*)/s.exec(text)!;
    const columns = async (of: string) =>
      (await client.query(`SELECT * FROM ${of} LIMIT 0`)).fields.map(({ name }) => name);
    const tableColumns = await columns(table!);
    const names = (await columns(`(${query}) AS rows`)).filter((name) => tableColumns.includes(name)).join();
    await client.query(`INSERT INTO ${table} (${names}) SELECT ${names} FROM (${query}) AS rows`);
  }
  await switchTriggers('ENABLE ALWAYS');
  for (const end of ['REINDEX SCHEMA public', 'RESET ALL', 'VACUUM ANALYZE', 'CHECKPOINT'])
    await client.query(end);
  client.release(true);
}

/** Computes the sums of all sales. */
export async function keepSums({ url }: Target): Promise<void> {
  const app = await createApp(readSettings({ DATABASE_URL: url }), url, { logger: false });
  while (await app.get(SoldRepository, { strict: false }).keepNextDay());
  await app.close();
}
