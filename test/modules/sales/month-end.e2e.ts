import fc from 'fast-check';
import { GstReportService } from '../../../src/modules/invoices/gst-report.service.js';
import { financialYear } from '../../../src/modules/invoices/rules/document-number.js';
import { SalesService } from '../../../src/modules/sales/sales.service.js';
import { paymentKey } from '../../../src/modules/orders/records/line-columns.js';
import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import type { SalesBy } from '../../../src/modules/sales/sales-groups.js';
import { SalesSumsJob } from '../../../src/modules/sales/sales-sums.job.js';
import { type SalesTotals, SoldRepository } from '../../../src/modules/sales/sold.repository.js';
import { StatementsService } from '../../../src/modules/payments/statements.service.js';
import { WalletBooks } from '../../../src/modules/payments/wallet-books.repository.js';
import { DomainError } from '../../../src/platform/errors/domain-error.js';
import { addMonths, dayAt, type Month, periodOf } from '../../../src/platform/time/time.js';
import { WalletService } from '../../../src/modules/wallet/wallet.service.js';
import type { Store } from '../../support/fixtures.js';
import { all } from '../../support/operator-services.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const RUNS = Number(process.env.MONTHS_RUNS ?? 6);

/** The first month of the financial year, in which documents get their numbers. */
const FIRST: Month = `20${financialYear(dayAt(Date.now(), 'Asia/Kolkata')).slice(0, 2)}-04`;
const MONTHS = Array.from({ length: 5 }, (_, index) => addMonths(FIRST, index));
const DAY = 24 * 60;
const ZONES = ['Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia'];
const GROUPS: SalesBy[] = ['day', 'month', 'client', 'product', 'state'];
const SHIPMENT = { courier: 'Delhivery', trackingNumber: 'DL1', trackingUrl: null, shippedAt: null };

/** The columns of the files, and the names of the JSON file. */
const JSON_AMOUNTS = {
  'Taxable Value': 'txval',
  'Integrated Tax Amount': 'iamt',
  'Central Tax Amount': 'camt',
  'State/UT Tax Amount': 'samt',
};

/** The paise of an amount in all sections but the summary of goods; the notes are subtracted. */
function jsonSum(json: object, name: string, sign = 1): number {
  return Object.entries(json)
    .filter(([key]) => key !== 'hsn')
    .map(([key, value]) => {
      const own = sign * ((json as { ntty?: string }).ntty === 'C' ? -1 : 1);
      if (typeof value === 'object') return jsonSum(value as object, name, own);
      const isAmount = key === name || (name === 'txval' && key === 'nil_amt');
      return isAmount ? own * Math.round(Number(value) * 100) : 0;
    })
    .reduce((sum, one) => sum + one, 0);
}

const line = fc.record({
  sku: fc.constantFrom('A', 'B', 'C', 'DEAR', 'FREE'),
  quantity: fc.integer({ min: 1, max: 4 }),
});
const lines = fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 })), {
  minLength: 1,
  maxLength: 2,
});
const step = fc.oneof(
  fc.record({ do: fc.constant('ship' as const), lines }),
  fc.record({ do: fc.constant('ship' as const) }),
  fc.record({ do: fc.constant('withdraw' as const) }),
  fc.record({ do: fc.constant('unpay' as const), isPaidAgain: fc.boolean() }),
  fc.record({ do: fc.constant('cancel' as const), lines }),
  fc.record({ do: fc.constant('cancel' as const) }),
  fc.record({ do: fc.constant('refund' as const), lines }),
  fc.record({ do: fc.constant('refund' as const), delivery: fc.constant(true) }),
  fc.record({ do: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 3_000 }) }),
);
const order = fc.record({
  whose: fc.nat({ max: 1 }),
  items: fc.uniqueArray(line, { selector: ({ sku }) => sku, minLength: 1, maxLength: 3 }),
  isPaid: fc.integer({ min: 0, max: 9 }).map((chance) => chance > 0),
  steps: fc.array(step, { maxLength: 4 }),
});
const history = fc.record({
  orders: fc.array(order, { minLength: 3, maxLength: 9 }),
  /** Between two entries of a wallet. */
  minutes: fc.oneof(fc.constantFrom(DAY, 2 * DAY, 4 * DAY), fc.integer({ min: 500, max: 5_000 })),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const paise = (amount: number) => Math.round(amount * 100);
const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + paise(amount), 0);

describe('The end of the month', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0, unpaidValueLimit: 0, unpaidOrdersLimit: 0 });
  let desk: OrderDesk;
  let statements: StatementsService;
  let returns: GstReportService;

  beforeAll(async () => {
    // Entries move to earlier days, which it must not have added up.
    await test.app.get(SalesSumsJob, { strict: false }).beforeApplicationShutdown();
    desk = orderDesk(test.app);
    statements = test.app.get(StatementsService, { strict: false });
    returns = test.app.get(GstReportService, { strict: false });
    await test.fixtures.products([
      { sku: 'A', basePrice: '10.01', deliveryCharge: '3.34', stock: 10_000 },
      { sku: 'B', basePrice: '99.99', deliveryCharge: '0.01', stock: 10_000 },
      { sku: 'C', basePrice: '0.07', deliveryCharge: '49.50', stock: 10_000 },
      { sku: 'DEAR', basePrice: '60000.00', deliveryCharge: '0.00', stock: 10_000 },
      { sku: 'FREE', basePrice: '0.00', deliveryCharge: '0.00', stock: 10_000 },
    ]);
    await test.pool.query(`
      INSERT INTO sellers (name, gstin, address, state) VALUES ('Bulk', '27AAPFU0939F1ZV', 'Mumbai', '27');
      UPDATE products
         SET hsn = CASE sku WHEN 'A' THEN '6109' ELSE '6110' END, unit = CASE sku WHEN 'B' THEN 'KGS' ELSE 'NOS' END,
             gst_rate = CASE sku WHEN 'A' THEN 5 WHEN 'C' THEN 0 ELSE 18 END`);
  });

  const place = (store: Store, items: { sku: string; quantity: number }[]) => test.place(store, items);

  /** Steps that the order does not allow do nothing. */
  const take = async (number: string, { do: action, ...given }: Step) => {
    const requested = {
      ...('lines' in given && { lines: given.lines.map(([at, units]) => `${at}=${units}`) }),
      ...('delivery' in given && { delivery: true }),
      ...('amount' in given && { amount: (given.amount / 100).toFixed(2) }),
    };
    try {
      if (action === 'ship') await desk.ship(number, 'test', SHIPMENT, requested.lines);
      else if (action === 'withdraw') await desk.undo(number, 'test', { action, reason: 'test' });
      else if (action === 'unpay') {
        await desk.unpay(number, 'test', 'test');
        if ('isPaidAgain' in given && given.isPaidAgain) await desk.pay(number, 'test', {});
      } else if (action === 'cancel')
        await desk.cancel(number, 'test', { reason: 'test', lines: requested.lines });
      else await desk.refund(number, 'test', { reason: 'test', ...requested });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  };

  /**
   * Spreads what happened over months. Orders are dated a moment after the wallet, as in service: so some
   * payments end in another month than they began.
   */
  const spread = async ({ clientId }: Store, minutes: number) => {
    const { rows } = await test.pool.query('SELECT FROM wallet_entries WHERE client_id = $1', [clientId]);
    if (rows.length === 0) return;
    await test.fixtures.rewrite(
      `WITH entry AS (
              UPDATE wallet_entries
                 SET created_at = $2::timestamptz + entry * $3::int * interval '1 minute' - interval '4 ms'
               WHERE client_id = $1 RETURNING *),
            paid AS (
              UPDATE orders o SET paid_at = entry.created_at + interval '9 ms' FROM entry
               WHERE o.client_id = entry.client_id AND o.paid_at IS NOT NULL AND ${paymentKey('order')} = entry.key),
            refunded AS (
              UPDATE order_refunds r SET refunded_at = entry.created_at + interval '9 ms' FROM entry
               WHERE r.client_id = entry.client_id
                 AND format('refund:%s:%s', r.order_number, r.refund) = entry.key)
       SELECT * FROM entry`,
      [clientId, periodOf(FIRST, 'Asia/Kolkata').from, minutes],
    );
  };

  const sold = (by: SalesBy, clientId: number, month: Month): Promise<SalesTotals[]> =>
    test.app
      .get(SalesService, { strict: false })
      .soldBy(by, { clientId, ...periodOf(month, 'Asia/Kolkata') })
      .then(({ rows }) => all(rows));

  /** Checks the months of a client, and returns what its orders cost it in all. */
  const checkMonths = async ({ clientId }: Store): Promise<number> => {
    let balance = 0;
    let spent = 0;
    const { rows: undone } = await test.pool.query<{ entry: string }>(
      `SELECT e.entry FROM wallet_entries e JOIN wallet_entries u USING (client_id)
        WHERE client_id = $1 AND u.key = 'undone:' || e.key`,
      [clientId],
    );
    const isUndone = (number: number) => undone.some(({ entry }) => Number(entry) === number);
    for (const month of MONTHS) {
      const statement = await statements.show(clientId, month);
      expect(paise(statement.opening_balance)).toBe(balance);
      balance += paise(statement.money_in) - paise(statement.money_out);
      expect(paise(statement.closing_balance)).toBe(balance);
      const amountsOf = (what: string) =>
        sum(
          statement.entries.flatMap(({ entry, amount, ...one }) =>
            one.what === what && !isUndone(entry) ? amount : [],
          ),
        );
      const [paid, refunded] = [0 - amountsOf('Order paid'), amountsOf('Order refunded')];
      expect(sum(statement.entries.map(({ amount }) => amount))).toBe(
        paise(statement.money_in) - paise(statement.money_out),
      );
      for (const by of GROUPS) {
        const rows = await sold(by, clientId, month);
        const [sums, goods] = [sum(rows.map((row) => row.paid)), sum(rows.map((row) => row.goods))];
        expect([by, sums, sum(rows.map((row) => row.refunded))]).toEqual([by, paid, refunded]);
        expect(goods + sum(rows.map(({ delivery }) => delivery))).toBe(paid);
        expect(sum(rows.map(({ net }) => net))).toBe(paid - refunded);
      }
      spent += paid - refunded;
    }
    const { balance: left } = await test.app.get(WalletService, { strict: false }).show(clientId);
    expect(balance).toBe(paise(left));
    return spent;
  };

  /** One client is registered in the seller's state. The goods of the other one go to Karnataka. */
  const stores = async (): Promise<[Store, Store]> => [
    await test.fixtures.store({ state: '27', gstin: '27AAAAA0000A1Z2' }),
    await test.fixtures.store({ state: '27' }),
  ];

  /** Spreads all documents over the months, in the order of their numbers. */
  const spreadDocuments = async () => {
    const { rowCount } = await test.pool.query('SELECT FROM tax_documents');
    if (rowCount === 0) return;
    await test.fixtures.rewrite(
      `UPDATE tax_documents d
          SET issued_at = at, issued_on = (at AT TIME ZONE 'Asia/Kolkata')::date
         FROM (SELECT number, $1::timestamptz + 140 * (row_number() OVER (ORDER BY split_part(number, '-', 3)))
                              / count(*) OVER () * interval '1 day' AS at
                 FROM tax_documents) AS spread
        WHERE spread.number = d.number`,
      [periodOf(FIRST, 'Asia/Kolkata').from],
    );
  };

  const UNBILLED = `
    SELECT o.order_number, o.total - o.refunded_amount - coalesce(d.billed, 0) AS unbilled, left_over.worth
      FROM orders o
      LEFT JOIN (SELECT client_id, order_number,
                        sum(CASE kind WHEN 'credit_note' THEN -gross ELSE gross END) AS billed
                   FROM tax_documents GROUP BY 1, 2) AS d USING (client_id, order_number),
           LATERAL (
             SELECT CASE WHEN o.status = 'cancelled' THEN 0
                         ELSE sum((quantity - shipped - cancelled) * unit_price)
                              + CASE WHEN sum(quantity - shipped - cancelled) > 0 THEN o.delivery ELSE 0 END END AS worth
               FROM order_items i
              WHERE (i.client_id, i.order_number) = (o.client_id, o.order_number)) AS left_over
     WHERE o.client_id = ANY ($1) AND o.paid_at IS NOT NULL`;

  /** What is paid, not refunded and not invoiced: at most what has not left. Returns the sum. */
  const unbilled = async (clientIds: number[]): Promise<number> => {
    const { rows } = await test.pool.query<{ order_number: string; unbilled: string; worth: string }>(
      UNBILLED,
      [clientIds],
    );
    for (const { order_number: number, ...row } of rows) {
      const [open, worth] = [paise(Number(row.unbilled)), paise(Number(row.worth))];
      expect([number, open >= 0 && open <= worth]).toEqual([number, true]);
    }
    return sum(rows.map((row) => Number(row.unbilled)));
  };

  /** Checks the return of each month against its documents, and returns what they bill in all. */
  const checkReturns = async (): Promise<number> => {
    let billed = 0;
    for (const month of MONTHS) {
      const { json, files: listed } = await returns.returnOf(month);
      const files = new Map(listed.map(({ name, rows }) => [name, rows]));
      const total = (file: string, column: string, table = '') =>
        sum(
          files
            .get(file)!
            .filter((row) => (row.Table ?? '').startsWith(table))
            .map((row) => Number(row[column])),
        );
      const { rows } = await test.pool.query<Record<string, string>>(
        `SELECT coalesce(sum(sign * gross), 0) AS gross, coalesce(sum(sign * taxable), 0) AS taxable,
                coalesce(sum(sign * cgst), 0) AS cgst, coalesce(sum(sign * sgst), 0) AS sgst,
                coalesce(sum(sign * igst), 0) AS igst, count(*) AS count
           FROM (SELECT *, CASE kind WHEN 'credit_note' THEN -1 ELSE 1 END AS sign FROM tax_documents) AS d
          WHERE to_char(issued_on, 'YYYY-MM') = $1`,
        [month],
      );
      const documents = Object.fromEntries(
        Object.entries(rows[0]!).map(([name, text]) => [name, Number(text)]),
      );
      const goods = (column: string) => total('hsn(b2b)', column) + total('hsn(b2c)', column);
      expect({
        gross: goods('Total Value'),
        taxable: goods('Taxable Value'),
        cgst: goods('Central Tax Amount'),
        sgst: goods('State/UT Tax Amount'),
        igst: goods('Integrated Tax Amount'),
        count: total('docs', 'Total Number'),
      }).toEqual(Object.fromEntries(Object.entries(documents).map(([name, value]) => [name, paise(value)])));
      const supplies = ['b2b', 'b2cl', 'b2cs'].reduce((sums, file) => sums + total(file, 'Taxable Value'), 0);
      const notes = sum(
        ['cdnr', 'cdnur']
          .flatMap((file) => files.get(file)!)
          .map((row) => Number(row['Taxable Value']) * (row['Note Type'] === 'D' ? -1 : 1)),
      );
      expect(supplies - notes + total('exemp', 'Nil Rated Supplies')).toBe(paise(documents.taxable!));
      // The JSON file and the summary for GSTR-3B have the same sums.
      for (const [column, name] of Object.entries(JSON_AMOUNTS)) {
        expect([column, jsonSum(json!, name)]).toEqual([column, total('gstr3b', column, '3.1')]);
        if (column !== 'Taxable Value') expect(total('gstr3b', column, '3.1')).toBe(goods(column));
      }
      expect(total('gstr3b', 'Taxable Value', '3.1')).toBe(paise(documents.taxable!));
      expect(total('gstr3b', 'Integrated Tax Amount', '3.2')).toBe(
        total('gstr3b', 'Integrated Tax Amount', '3.1'),
      );
      billed += goods('Total Value');
    }
    return billed;
  };

  it(`adds up to the paisa: wallets, statements, sales and tax documents of ${RUNS} random histories`, async () => {
    let [spent, open] = [0, 0];
    await fc.assert(
      fc.asyncProperty(history, async ({ orders, minutes }) => {
        const own = await stores();
        const clientIds = own.map(({ clientId }) => clientId);
        for (const { whose, items, isPaid, steps } of orders) {
          const number = await place(own[whose]!, items);
          if (isPaid) await desk.pay(number, 'test', {});
          for (const each of steps) await take(number, each);
        }
        await spreadDocuments();
        for (const store of own) {
          await spread(store, minutes);
          spent += await checkMonths(store);
        }
        open += await unbilled(clientIds);
        expect((await checkReturns()) + open).toBe(spent);
        const later = new Date('2100-01-01');
        const rows = await all(test.app.get(WalletBooks, { strict: false }).balances(later));
        expect(sum(rows.map((row) => Number(row.paid_not_invoiced)))).toBe(open);
        // All of it is old by then.
        for (const row of rows) expect(row.wallet_over_365_days).toBe(row.wallet);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(await test.app.get(WalletBooks, { strict: false }).check()).toEqual([]);
  });

  it.each(ZONES)('sells the same by kept sums of days in %s as by its orders', async (timeZone) => {
    const node = await startTestApp({ timeZone }, test.database);
    const kept = node.app.get(SoldRepository, { strict: false });
    await node.app.get(SalesSumsJob, { strict: false }).beforeApplicationShutdown();
    const { rows: clients } = await test.pool.query<{ id: number }>(
      'SELECT id FROM clients ORDER BY id LIMIT 4',
    );
    const [start, end] = [periodOf(FIRST, timeZone).from, periodOf(MONTHS.at(-1)!, timeZone).to];
    const later = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
    const periods = [
      {},
      { from: start, to: end },
      { from: later(24), to: later(48) },
      { from: later(30), to: later(1_000.5) },
      { from: later(31), to: later(39) },
      { to: later(999) },
      { from: later(777) },
      { from: end, to: start },
      ...clients.map(({ id: clientId }) => ({ clientId, from: later(50) })),
    ];
    const reports = () =>
      Promise.all(
        GROUPS.flatMap((by) => periods.map(async (period) => all((await kept.soldBy(by, period)).rows))),
      );
    // Kept sums in the days of another zone are not used.
    await test.pool.query('UPDATE sales_sums_kept SET time_zone = NULL');
    const live = await reports();
    expect(live[0]!.length).toBeGreaterThan(RUNS);
    while (await kept.keepNextDay());
    const { rows } = await test.pool.query<{ days: number }>(
      'SELECT count(DISTINCT day)::int AS days FROM sales_sums',
    );
    expect(rows[0]!.days).toBeGreaterThan(RUNS);
    expect(await reports()).toEqual(live);
    await node.close();
  });
});
