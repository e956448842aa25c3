import type { Pool } from 'pg';
import { withoutTriggers } from './direct-changes.js';

/** Another client with rows of every kind, and goods that are not for sale. No list of one client shows them. */
export interface Neighbours {
  clientId: number;
  /** The ids of its store are `WEB-1`, `WEB-2`, … in this order. */
  orders: Record<(typeof ORDERS)[number][0], string>;
}

/** Kind, status, status of the payment, and of two units: those that were shipped, and refunded. */
const ORDERS = [
  ['unpaid', 'awaiting_payment', 'unpaid', 0, 0],
  ['listed', 'pending', 'paid', 0, 0],
  ['waiting', 'pending', 'paid', 0, 0],
  ['shipped', 'shipped', 'paid', 2, 0],
  ['delivered', 'delivered', 'paid', 2, 1],
  ['cancelled', 'cancelled', 'refunded', 0, 2],
] as const;

const FORMER_GSTIN = '32AAGCB7383J1ZG';

const TODAY = `(now() AT TIME ZONE 'Asia/Kolkata')::date`;

const YEAR = `to_char(now() - interval '3 months', 'YY') || to_char(now() + interval '9 months', 'YY')`;

const CALLS = `(VALUES
  ('POST', '/api/orders', 422, 'insufficient_stock'), ('POST', '/api/orders', 503, 'overloaded'),
  ('GET', '/api/orders/{number}/status', 404, 'order_not_found'),
  ('POST', 'test /api/orders', 422, 'insufficient_stock')) AS one (method, route, status, code)`;

interface Ids {
  /** Makes the names of these neighbours unique in the database. */
  number: number;
  client: number;
  plan: number;
  product: number;
  list: number;
}

export async function makeNeighbours(
  pool: Pool,
  number: number,
  of: number | undefined,
): Promise<Neighbours> {
  const { rows } = await pool.query<Omit<Ids, 'number'>>(
    `WITH client AS (INSERT INTO clients (name, email, billing_address)
                     VALUES ($1, 'neighbour@example.com', '9, Church Street') RETURNING id),
          plan AS (INSERT INTO plans (code, name, discount) VALUES ($1, 'Neighbour plan', 50) RETURNING id),
          product AS (INSERT INTO products (sku, name, description, category, base_price, delivery_charge,
                                            active, low_stock, shelf)
                      VALUES ($1, 'Neighbour goods', '', 'Neighbours', 10, 0, false, 99, 'N-1') RETURNING id),
          list AS (INSERT INTO packing_lists (actor, client_id, orders)
                   SELECT 'neighbour', id, 1 FROM client RETURNING id)
     SELECT client.id AS client, plan.id AS plan, product.id AS product, list.id AS list
       FROM client, plan, product, list`,
    [`NEIGHBOUR-${number}`],
  );
  const ids = { ...rows[0]!, number };
  const parts = [accountOf(ids), goodsOf(ids), ordersOf(ids), documentsOf(ids), moneyOf(ids), logsOf(ids)];
  if (of !== undefined) parts.push(besideClient(of, ids));
  await pool.query(withoutTriggers(parts.join(';')));
  const orders = ORDERS.map(([kind], at) => [kind, orderNumber(number, at)]);
  return { clientId: ids.client, orders: Object.fromEntries(orders) as Neighbours['orders'] };
}

const orderNumber = (number: number, at: number) =>
  `WO-20260101-9${String(number).padStart(4, '0')}-0000${at + 1}`;

/** A former, the current and a future subscription; tokens of each kind; people who come, came and went. */
const accountOf = ({ client, plan, number }: Ids) => `
  ${subscriptions(client, plan, -400, -1, 400)};
  ${tokens(client, `${number}`, `('full', NULL), ('read_only', NULL), ('test', NULL), ('full', now())`)};
  INSERT INTO client_domains (client_id, domain, allowed_by)
  VALUES (${client}, 'neighbour.example.com', 'neighbour');
  INSERT INTO people (client_id, email, name, role, password_hash, disabled_at, released_at)
  SELECT ${client}, name || '-${number}@neighbour.example.com', 'Neighbour ' || name, 'owner', password,
         disabled, released
    FROM (VALUES ('active', 'x', NULL, NULL), ('invited', NULL, NULL, NULL), ('disabled', 'x', now(), NULL),
                 ('released', NULL, NULL, now())) AS person (name, password, disabled, released);
  INSERT INTO sessions (person_id, hash, ends_at, address, user_agent)
  SELECT id, sha256(email::bytea), now() + interval '1 day', '192.0.2.9', 'neighbour'
    FROM people WHERE client_id = ${client} AND password_hash IS NOT NULL;
  INSERT INTO person_links (person_id, kind, hash, ends_at)
  SELECT id, 'invitation', sha256(email::bytea), now() + interval '1 day'
    FROM people WHERE client_id = ${client} AND password_hash IS NULL;
  INSERT INTO auto_pay (client_id, enabled_at, order_cap, day_cap, changed_by)
  VALUES (${client}, now(), 1, 1, 'neighbour')`;

/** Stock that runs out, and changes of its price: one to come, and one that was withdrawn. */
const goodsOf = ({ plan, product }: Ids) => `
  INSERT INTO stock_items (product_id, variation_key, on_hand, held) VALUES (${product}, '', 7, 6);
  INSERT INTO stock_movements (product_id, variation_key, delta, reason, actor)
  VALUES (${product}, '', 7, 'neighbour', 'neighbour');
  INSERT INTO plan_prices (plan_id, product_id, price) VALUES (${plan}, ${product}, 5);
  WITH schedules AS (
         INSERT INTO price_schedules (from_at, actor, withdrawn_at, closed_at)
         SELECT now() + interval '9 days', 'neighbour', withdrawn, withdrawn
           FROM (VALUES (NULL), (now())) AS one (withdrawn) RETURNING id)
  INSERT INTO scheduled_prices (schedule_id, number, product_id, value)
  SELECT id, 1, ${product}, 11 FROM schedules`;

function ordersOf({ number, client, plan, product, list }: Ids): string {
  const values = ORDERS.map(
    ([kind, status, payment, shipped, refunded], at) =>
      `('${orderNumber(number, at)}', 'WEB-${at + 1}', '${kind}', '${status}', '${payment}', ${shipped}, ${refunded})`,
  );
  const rows = `(VALUES ${values.join(', ')}) AS one (number, store_id, kind, status, payment, shipped, refunded)`;
  const returned = `'RT-' || substr(number, 4)`;
  const when = (condition: string, value = 'now()') => `CASE WHEN ${condition} THEN ${value} END`;
  return `
  INSERT INTO store_order_ids (client_id, store_order_id, order_number) SELECT ${client}, store_id, number FROM ${rows};
  INSERT INTO orders (client_id, order_number, store_order_id, status, payment_status, plan_code, currency, subtotal,
    delivery, total, items_count, customer_name, customer_phone, shipping_address, shipping_city, shipping_state,
    shipping_pincode, shipping_country, content_hash, placed_at, payment_due_at, paid_at, courier, tracking_number,
    shipped_at, delivered_at, cancelled_at, cancel_reason, refunded_amount, packing_list)
  SELECT ${client}, number, store_id, status, payment, (SELECT code FROM plans WHERE id = ${plan}), 'INR', 20, 0, 20, 1,
         'Neighbour Customer', '+91 90000 00000', '9, Church Street', 'Kochi', 'Kerala', '682001', 'India', '', now(),
         now() + interval '3 days', ${when(`payment <> 'unpaid'`)}, ${when('shipped > 0', `'Neighbour Express'`)},
         ${when('shipped > 0', `'N-' || number`)}, ${when('shipped > 0')}, ${when(`status = 'delivered'`)},
         ${when(`status = 'cancelled'`)}, ${when(`status = 'cancelled'`, `'neighbour'`)}, refunded * 10,
         ${when(`kind = 'listed'`, `${list}`)}
    FROM ${rows};
  INSERT INTO order_items (client_id, order_number, line, product_id, sku, name, quantity, unit_price, line_total,
    shipped, cancelled, refunded, returned)
  SELECT ${client}, number, 1, ${product}, 'NEIGHBOUR-${number}', 'Neighbour goods', 2, 10, 20, shipped,
         CASE shipped WHEN 0 THEN refunded ELSE 0 END, refunded, shipped / 2 FROM ${rows};
  INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor)
  SELECT ${client}, number, row_number() OVER (PARTITION BY number ORDER BY place), step, now(), 'neighbour'
    FROM ${rows}, unnest('{awaiting_payment,pending,shipped,delivered,cancelled}'::text[])
                    WITH ORDINALITY AS steps (step, place)
   WHERE step IN (status, 'awaiting_payment') OR step = 'pending' AND payment <> 'unpaid'
         OR step = 'shipped' AND shipped > 0;
  INSERT INTO parcels (client_id, order_number, parcel, courier, tracking_number, shipped_at, delivered_at, exception,
    recorded_at, actor)
  SELECT ${client}, number, 1, 'Neighbour Express', 'N-' || number, now(), ${when(`status = 'delivered'`)},
         ${when(`status = 'shipped'`, `'returned'`)}, now(), 'neighbour' FROM ${rows} WHERE shipped > 0;
  INSERT INTO parcel_items (client_id, order_number, parcel, line, quantity)
  SELECT ${client}, number, 1, 1, 2 FROM ${rows} WHERE shipped > 0;
  INSERT INTO order_returns (client_id, order_number, return_number, state, reason, key, actor, decided_at, decided_by,
    decision)
  SELECT ${client}, number, ${returned}, CASE refunded WHEN 0 THEN 'requested' ELSE 'received' END, 'neighbour', 'n',
         'neighbour', ${when('refunded > 0')}, ${when('refunded > 0', `'neighbour'`)},
         ${when('refunded > 0', `'neighbour'`)} FROM ${rows} WHERE shipped > 0;
  INSERT INTO order_return_items (client_id, order_number, return_number, line, quantity, received)
  SELECT ${client}, number, ${returned}, 1, 1, nullif(refunded, 0) FROM ${rows} WHERE shipped > 0;
  INSERT INTO order_refunds (client_id, order_number, refund, kind, amount, reason, key, return_number, actor,
    refunded_at)
  SELECT ${client}, number, 1, CASE shipped WHEN 0 THEN 'cancelled' ELSE 'returned' END, refunded * 10, 'neighbour', 'n',
         ${when('shipped > 0', returned)}, 'neighbour', now() FROM ${rows} WHERE refunded > 0;
  INSERT INTO order_refund_items (client_id, order_number, refund, line, refunded, cancelled, amount)
  SELECT ${client}, number, 1, 1, refunded, CASE shipped WHEN 0 THEN refunded ELSE 0 END, refunded * 10
    FROM ${rows} WHERE refunded > 0;
  INSERT INTO order_changes (client_id, order_number, actor, before, after)
  SELECT ${client}, number, 'neighbour', '{"notes": "a"}', '{"notes": "b"}' FROM ${rows} WHERE kind = 'waiting';
  UPDATE unpaid_totals SET unpaid_orders = 1, unpaid_value = 20 WHERE client_id = ${client}`;
}

/** Documents of an earlier registration of the seller, which has series of its own. */
function documentsOf({ number, client }: Ids): string {
  const name = (prefix: string, index: number) =>
    `'${prefix}9-' || ${YEAR} || '-${String(index).padStart(6, '0')}'`;
  const document = (kind: string, id: string, gross: number, columns: string, values: string) => `
  INSERT INTO tax_documents (number, kind, seller, issued_at, issued_on, client_id, place_of_supply, gross, taxable,
    cgst, sgst, igst, facts, ${columns})
  VALUES (${id}, '${kind}', 9, now(), ${TODAY}, ${client}, '32', ${gross}, ${gross}, 0, 0, 0,
    '{"client": {"name": "Neighbour", "gstin": null, "address": "Kochi", "state": "32"},
      "seller": {"name": "Former seller", "gstin": "${FORMER_GSTIN}", "address": "Kochi", "state": "32"},
      "deliver_to": {"name": "Neighbour", "address": "1 Road", "city": "Kochi", "state": "Kerala", "state_code": "32",
        "pincode": "682001", "country": "India"},
      "store_order_id": null, "placed_at": "2026-01-01T00:00:00Z",
      "against": ${kind === 'credit_note' ? `{"number": "INV-1", "issued_on": "2026-01-01"}` : null}}', ${values});
  INSERT INTO tax_document_items (number, position, of_position, line, description, sku, hsn, unit, quantity,
    unit_price, gst_rate, gross, taxable, cgst, sgst, igst)
  VALUES (${id}, 1, ${kind === 'credit_note' ? 1 : null}, 1, 'Neighbour goods', 'NEIGHBOUR-${number}', '9999', 'NOS',
    ${gross / 10}, 10, 0, ${gross}, ${gross}, 0, 0, 0);
  INSERT INTO document_series (kind, year, seller, last) VALUES ('${kind}', ${YEAR}, 9, 1)
  ON CONFLICT (kind, year, seller) DO UPDATE SET last = document_series.last + 1;`;
  const [first, second] = [name('INV', number * 2 - 1), name('INV', number * 2)];
  const [shipped, delivered] = [3, 4].map((at) => `'${orderNumber(number, at)}', 1`);
  return `
  ${document('invoice', first, 20, 'order_number, parcel', shipped!)}
  ${document('invoice', second, 20, 'order_number, parcel', delivered!)}
  ${document('credit_note', name('CN', number), 10, 'order_number, refund, against', `${delivered}, ${second}`)}
  ${document('receipt_voucher', name('RV', number), 1_000, 'payment_key', `'neighbour:${number}:0'`)}
  INSERT INTO e_invoices (number, issued_on) VALUES (${first}, ${TODAY});
  INSERT INTO e_way_bills (number, issued_on, transport) VALUES (${first}, ${TODAY}, '{"mode":"road"}');
  INSERT INTO sellers (id, since, name, gstin, address, state)
  SELECT 9, '2001-01-01', 'Former seller', '${FORMER_GSTIN}', 'Kochi', '32' FROM sellers WHERE id = 1
  ON CONFLICT DO NOTHING`;
}

/** Payments in each state, their refunds, entries of the wallet, and bank transfers. */
function moneyOf({ number, client }: Ids): string {
  const payment = (name: string) => `md5('neighbour ${number} ${name}')::uuid`;
  const entries: [kind: string, against: string, amount: number, order?: number][] = [
    ['top_up', 'gateway', 1_000],
    ...[1, 2, 3, 4, 5].map((at): [string, string, number, number] => ['order_payment', 'sales', -20, at]),
    ['order_refund', 'sales', 10, 4],
    ['order_refund', 'sales', 20, 5],
    ['payout', 'in_transit', -30],
  ];
  let balance = 0;
  const values = entries.map(([kind, against, amount, at], index) => {
    const order = at === undefined ? undefined : orderNumber(number, at);
    const key = kind === 'order_payment' ? `order:${order}` : `refund:${order}:1`;
    return `(${client}, ${index + 1}, '${kind}', '${against}', ${amount}, ${(balance += amount)},
      '${order ? key : `neighbour:${number}:${index}`}', ${order ? `'${order}', NULL` : `NULL, ${payment('paid')}`},
      'neighbour')`;
  });
  return `
  INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor, paid_at,
    ended_at, concern)
  SELECT ${client}, md5('neighbour ${number} ' || status)::uuid, 'razorpay', 'order_N${number}' || status, 1000, 'INR',
         status, 'neighbour', CASE status WHEN 'paid' THEN now() END, CASE WHEN status <> 'open' THEN now() END,
         CASE status WHEN 'failed' THEN 'no_answer' END
    FROM unnest('{paid,open,given_up,failed}'::text[]) AS status;
  INSERT INTO payment_orders (client_id, payment_id, order_number, amount)
  VALUES (${client}, ${payment('open')}, '${orderNumber(number, 0)}', 20);
  INSERT INTO gateway_refunds (client_id, refund_id, payment_id, gateway_payment_id, amount, status, actor, concern)
  VALUES (${client}, ${payment('1')}, ${payment('paid')}, 'pay_N', 30, 'pending', 'neighbour', NULL),
         (${client}, ${payment('2')}, ${payment('paid')}, 'pay_N', 31, 'failed', 'neighbour', 'no_answer');
  INSERT INTO wallet_entries (client_id, entry, kind, against, amount, balance_after, key, order_number, payment_id,
    actor)
  VALUES ${values.join(', ')};
  UPDATE wallets SET balance = ${balance}, entries = ${entries.length} WHERE client_id = ${client};
  ${transfers(client, number, '{announced,refused,withdrawn}')}`;
}

/** Logs, mails, imports, test orders and notes. */
const logsOf = ({ client, number }: Ids) => `
  INSERT INTO store_requests (client_id, answered_at, request_id, token_id, method, route, path, parameters, status,
    code, faults, milliseconds)
  SELECT ${client}, now(), 'neighbour', (SELECT min(id) FROM tokens WHERE client_id = ${client}), method, route,
         '/api/orders', '{}', status, code, '[]', 1 FROM ${CALLS};
  INSERT INTO store_request_counts (client_id, hour, method, route, status_class, code, requests, kept, left_out)
  SELECT ${client}, date_trunc('hour', now(), 'UTC'), method, route, status / 100, code, 9, 9, 9 FROM ${CALLS};
  INSERT INTO audit_log (client_id, actor, action, subject) VALUES (${client}, 'neighbour', 'token.created', 'neighbour');
  INSERT INTO outbox (mail_id, recipient, subject, useful_until, next_try_at, sent_at)
  VALUES (gen_random_uuid(), 'neighbour@example.com', 'Neighbour mail', now(), NULL, now());
  INSERT INTO import_runs (actor, kind, file_name, state, reading)
  VALUES ('neighbour', 'stock', 'neighbour.csv', 'applied',
    '{"headings": [{"heading": "Neighbour", "column": "sku"}]}');
  INSERT INTO notes (subject, text, actor) VALUES ('client:${client}', 'Neighbour note', 'neighbour');
  INSERT INTO test_orders (client_id, order_number, claim, content_hash, placed_at, content)
  VALUES (${client}, 'TEST-N${number}', 'WEB-1', '', now(), '{}')`;

/** Rows of the client itself that its lists leave out, or show as former or to come. */
const besideClient = (of: number, { plan, number }: Ids) => `
  ${subscriptions(of, plan, -400, 400)};
  ${tokens(of, `${number} of`, `('full', now())`)};
  INSERT INTO people (client_id, email, name, role, released_at)
  VALUES (${of}, 'released-${number}@example.com', 'Released', 'owner', now());
  INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor, created_at,
    ended_at)
  VALUES (${of}, md5('neighbour ${number} of')::uuid, 'razorpay', 'order_N${number}of', 9999, 'INR', 'failed',
    'neighbour', now() - interval '3 days', now() - interval '3 days');
  ${transfers(of, number, '{withdrawn}')}`;

const subscriptions = (client: number, plan: number, ...days: number[]) => `
  INSERT INTO subscriptions (client_id, plan_id, starts_at, ends_at)
  SELECT ${client}, ${plan}, now() + day * interval '1 day', now() + (day + 30) * interval '1 day'
    FROM unnest('{${days.join(',')}}'::int[]) AS day`;

const tokens = (client: number, secret: string, kinds: string) => `
  INSERT INTO tokens (client_id, hash, prefix, domain, kind, revoked_at)
  SELECT ${client}, sha256(concat('${secret}', kind, revoked)::bytea), 'neighb', 'neighbour.example.com', kind, revoked
    FROM (VALUES ${kinds}) AS one (kind, revoked)`;

const transfers = (client: number, number: number, statuses: string) => `
  INSERT INTO bank_transfers (client_id, amount, utr, status, announced_by, decided_by, decided_at, reason)
  SELECT ${client}, 77, 'UTRNEIGHBOUR${number}' || upper(left(status, 1)), status, 'neighbour',
         CASE WHEN status <> 'announced' THEN 'neighbour' END, CASE WHEN status <> 'announced' THEN now() END,
         CASE WHEN status <> 'announced' THEN 'neighbour' END
    FROM unnest('${statuses}'::text[]) AS status`;
