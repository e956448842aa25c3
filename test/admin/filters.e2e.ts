import { readCommands } from '../../src/cli/api/api-command.js';
import { BankTransfersService } from '../../src/modules/payments/bank-transfers.service.js';
import { RequestLog } from '../../src/modules/request-log/recording/request-log.js';
import { monthAt } from '../../src/platform/time/time.js';
import { openCompany } from '../browser/support/company.js';
import { adminApi } from '../support/admin-api.js';
import { Buyer } from '../support/buyer.js';
import { withoutTriggers } from '../support/direct-changes.js';
import { orderReturns } from '../support/order-returns.js';
import { moveOrder } from '../support/order-steps.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

type Row = Record<string, unknown>;

const HOUR_MS = 3_600_000;
/** Between the orders of `openCompany`, and between the rows that `makeOld` moves and the others. */
const MIDDLE = new Date(Date.now() - 40 * HOUR_MS).toISOString();
const MONTH = monthAt(Date.now(), 'Asia/Kolkata');

const CLIENTS = ['CLIENT', 'OTHER'];
const TIMES = { from: [MIDDLE], to: [MIDDLE] };
const ORDER_TIMES = {
  ...TIMES,
  paid_from: [MIDDLE],
  paid_to: [MIDDLE],
  shipped_from: [MIDDLE],
  shipped_to: [MIDDLE],
};

/** Each filter of a list, with values that choose other rows each. */
const FILTERS: Record<string, Record<string, string[]>> = {
  orders: {
    ...ORDER_TIMES,
    client: CLIENTS,
    status: ['pending', 'shipped', 'delivered', 'awaiting_payment', 'cancelled'],
    search: ['Kochi', 'Hyderabad'],
  },
  'exports/orders?status=pending': {
    client: CLIENTS,
    ...TIMES,
    paid_from: [MIDDLE],
    paid_to: [MIDDLE],
  },
  'exports/orders': { status: ['shipped', 'delivered'] },
  'exports/orders?status=shipped': { shipped_from: [MIDDLE], shipped_to: [MIDDLE] },
  'orders/refused': { client: CLIENTS, from: [MIDDLE] },
  'exports/sales': { ...ORDER_TIMES, status: ['pending', 'shipped'], client: CLIENTS },
  'orders/totals?by=day': { ...ORDER_TIMES, client: CLIENTS },
  returns: {
    client: CLIENTS,
    state: ['requested', 'received', 'refused'],
    from: [MIDDLE],
  },
  documents: {
    client: CLIENTS,
    kind: ['invoice', 'credit_note'],
    month: [MONTH, '2025-05'],
    search: ['Other Shop', 'Anaya'],
  },
  [`exports/invoices?month=${MONTH}`]: { client: CLIENTS, kind: ['invoice', 'credit_note'] },
  payments: { client: CLIENTS, status: ['open', 'failed'], needs_person: ['true'] },
  transfers: { client: CLIENTS, status: ['announced', 'refused'] },
  'reports/sales?by=day': { ...TIMES, client: CLIENTS },
  mail: { state: ['waiting', 'sent'] },
  'price-history': { subject: ['plan', 'subscription'], from: [MIDDLE], to: [MIDDLE] },
  audit: {
    client: CLIENTS,
    person: ['OWNER', 'BUYER'],
    action: ['order.', 'person.'],
    subject: ['order ', 'person '],
    from: [MIDDLE],
    to: [MIDDLE],
  },
  'stock/TEA-250/movements': { from: [MIDDLE] },
};

/** The filters of lists that other suites prove: clients, money, books, goods and the log of changes. */
const ELSEWHERE = [
  'clients only',
  'payments refunding',
  'price-history sku',
  'reports/vouchers file',
  'stock/TEA-250/movements variation',
  'transfers utr',
  ...['kind', 'from', 'to'].map((name) => `clients/{id}/wallet/entries ${name}`),
];

/** The table and the time of rows. The first row of each becomes old. */
const TIMES_OF = {
  order_returns: 'requested_at',
  audit_log: 'happened_at',
  changes: 'changed_at',
  stock_movements: 'moved_at',
};

describe('Each filter of a list', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  const company = makeBeforeAll(() => openCompany(test));
  const admin = makeBeforeAll(() => adminApi(test));
  const words = new Map<string, string>();

  beforeAll(async () => {
    const other = await test.fixtures.store({ name: 'Other Shop', state: '29' });
    words.set('CLIENT', String(company.store.clientId)).set('OTHER', String(other.clientId));
    const orders = [];
    for (let n = 0; n < 4; n++) orders.push(await test.place(other, [{ sku: 'TEA-250', quantity: 2 }]));
    const [, oldPending, shipped, oldShipped] = orders as [string, string, string, string];
    for (const number of orders) await moveOrder(test, other, number, 'pay');
    for (const number of [shipped, oldShipped]) await moveOrder(test, other, number, 'ship');
    for (const number of [oldPending, oldShipped]) await test.fixtures.age(80, number);
    const returns = orderReturns(test.app);
    const sentBack = { lines: [{ line: 1, quantity: 1 }], reason: 'Wrong item' };
    const { number } = await returns.add(shipped, sentBack, 'test');
    await returns.refuse(number, 'worn', 'test');
    const buyer = await Buyer.of(test, other.clientId);
    await buyer.topUp('500');
    words.set('BUYER', String(buyer.person.id)).set('OWNER', String(company.owner.person.id));
    await test.fixtures.sql(
      `INSERT INTO payments (client_id, payment_id, provider, gateway_order_id, amount, currency, status, actor,
                             concern)
       VALUES ($1, gen_random_uuid(), 'sandbox', 'order_1', 100, 'INR', 'failed', 'test', 'amount_differs')`,
      [other.clientId],
    );
    const transfers = test.app.get(BankTransfersService, { strict: false });
    const transfer = await transfers.announce(other.clientId, '5', 'N1234567890', 'test');
    await transfers.refuse(transfer.transfer_id, 'no such transfer', 'test');
    for (const store of [company.store, company.store, other])
      await test.post(store, '/api/orders', { items: [{ sku: 'NONE', quantity: 1 }] }).expect(422);
    await test.app.get(RequestLog, { strict: false }).writeAll();
    await test.pool.query(
      withoutTriggers(`
        INSERT INTO outbox (mail_id, recipient, subject, body, useful_until, next_try_at, sent_at)
        VALUES (gen_random_uuid(), 'a@example.com', 'A mail', 'A text', now() + interval '1 day', now(), NULL),
               (gen_random_uuid(), 'a@example.com', 'A mail', NULL, now() + interval '1 day', NULL, now());
        UPDATE store_requests SET answered_at = answered_at - interval '3 days'
         WHERE id = (SELECT min(id) FROM store_requests WHERE route = '/api/orders' AND status = 422);
        UPDATE tax_documents SET issued_at = '2025-05-10', issued_on = '2025-05-10'
         WHERE number = (SELECT min(number) FROM tax_documents WHERE kind = 'invoice');
        ${Object.entries(TIMES_OF)
          .map(
            ([table, time]) => `UPDATE ${table} SET ${time} = ${time} - interval '3 days'
              WHERE ctid = (SELECT min(ctid) FROM ${table})`,
          )
          .join(';')}`),
    );
  });

  const rowsOf = async (path: string, filter = '') => {
    const list = `${path}${path.includes('?') ? '&' : '?'}${filter}`;
    const isFile = path.startsWith('exports/');
    const query = isFile || /totals|sales/.test(path) ? list : `${list}&limit=500`;
    const { body } = await admin.get(query).set('Accept', 'application/json').expect(200);
    return (body.data as Row[]).map((row) =>
      path === 'orders' ? String(row.order_number) : JSON.stringify(row),
    );
  };

  const cases = Object.entries(FILTERS).flatMap(([path, filters]) =>
    Object.entries(filters).map(([name, values]) => [path, name, values] as const),
  );

  it('has a case below', () => {
    const listed = cases.map(([path, name]) => `${path.split('?')[0]} ${name}`);
    const declared = readCommands().flatMap(({ path, method, answer, fields }) =>
      method === 'GET' && answer !== 'one'
        ? fields
            .filter(
              ({ about, required, in: place }) => place === 'query' && !required && about.startsWith('Only '),
            )
            .map(({ name }) => `${path.replace('/api/admin/', '').replace('{sku}', 'TEA-250')} ${name}`)
        : [],
    );
    expect(declared.filter((filter) => !listed.includes(filter)).toSorted()).toEqual(ELSEWHERE.toSorted());
  });

  it.each(cases)('%s?%s shows the rows that it names, and no others', async (path, name, values) => {
    const all = await rowsOf(path);
    // Sums, and a filter that has a default, show rows that the list does not show without it.
    const hasOtherRows = /[?]by=|^exports\/orders$/.test(path);
    const earlier = new Set<string>();
    for (const value of values) {
      const rows = await rowsOf(path, `${name}=${encodeURIComponent(words.get(value) ?? value)}`);
      if (!hasOtherRows) {
        expect([value, rows.length > 0, rows.length < all.length]).toEqual([value, true, true]);
        expect(rows.filter((row) => !all.includes(row))).toEqual([]);
      }
      expect(rows).not.toEqual(all);
      expect(rows.filter((row) => earlier.has(row))).toEqual([]);
      for (const row of rows) earlier.add(row);
    }
  });
});
