import type { Command } from 'commander';
import { createCli } from '../../src/cli/create-cli.js';
import { OrderReturnsService } from '../../src/modules/fulfilment/returns/order-returns.service.js';
import { BankTransfersService } from '../../src/modules/payments/bank-transfers.service.js';
import { RequestLog } from '../../src/modules/request-log/recording/request-log.js';
import { monthAt } from '../../src/platform/time/time.js';
import { openCompany } from '../browser/support/company.js';
import { Buyer } from '../support/buyer.js';
import { withoutTriggers } from '../support/direct-changes.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf } from '../support/run-command.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

type Row = Record<string, unknown>;

const HOUR_MS = 3_600_000;
/** Between the orders of `openCompany`, and between the rows that `makeOld` moves and the others. */
const MIDDLE = new Date(Date.now() - 40 * HOUR_MS).toISOString();
const MONTH = monthAt(Date.now(), 'Asia/Kolkata');

/** Commands that list, export or add up rows. */
const LIST = / (list|export|refused|history|totals|sales|sales-export)$/;

const CLIENTS = ['CLIENT', 'OTHER'];
const TIMES = { '--from': [MIDDLE], '--to': [MIDDLE] };
const ORDER_TIMES = {
  ...TIMES,
  '--paid-from': [MIDDLE],
  '--paid-to': [MIDDLE],
  '--shipped-from': [MIDDLE],
  '--shipped-to': [MIDDLE],
};

/** Each filter of a command, with values that choose other rows each. */
const FILTERS: Record<string, Record<string, string[]>> = {
  'order list': {
    ...ORDER_TIMES,
    '--client': CLIENTS,
    '--status': ['pending', 'shipped', 'delivered', 'awaiting_payment', 'cancelled'],
    '--search': ['Kochi', 'Hyderabad'],
  },
  'order export --status pending': {
    '--client': CLIENTS,
    ...TIMES,
    '--paid-from': [MIDDLE],
    '--paid-to': [MIDDLE],
  },
  'order export': { '--status': ['shipped', 'delivered'] },
  'order export --status shipped': { '--shipped-from': [MIDDLE], '--shipped-to': [MIDDLE] },
  'order refused': { '--client': CLIENTS, '--since': [MIDDLE] },
  'order sales-export': { ...ORDER_TIMES, '--client': CLIENTS },
  'order totals --by day': { ...ORDER_TIMES, '--client': CLIENTS },
  'return list': {
    '--client': CLIENTS,
    '--state': ['requested', 'received', 'refused'],
    '--since': [MIDDLE],
  },
  'invoice list': {
    '--client': CLIENTS,
    '--kind': ['invoice', 'credit_note'],
    '--month': [MONTH, '2025-05'],
    '--search': ['Other Shop', 'Anaya'],
  },
  [`invoice export --month ${MONTH}`]: { '--client': CLIENTS, '--kind': ['invoice', 'credit_note'] },
  'payment list': { '--client': CLIENTS, '--status': ['open', 'failed'], '--needs-person': [] },
  'transfer list': { '--client': CLIENTS, '--status': ['announced', 'refused'] },
  'report sales --by day': { ...TIMES, '--client': CLIENTS },
  'mail list': { '--state': ['waiting', 'sent'] },
  'changes list': { '--subject': ['plan', 'subscription'], '--since': [MIDDLE], '--to': [MIDDLE] },
  'audit list': {
    '--client': CLIENTS,
    '--person': ['OWNER', 'BUYER'],
    '--action': ['order.', 'person.'],
    '--subject': ['order ', 'person '],
    '--since': [MIDDLE],
    '--to': [MIDDLE],
  },
  'stock history TEA-250': { '--since': [MIDDLE] },
};

/** The table and the time of rows. The first row of each becomes old. */
const TIMES_OF = {
  order_returns: 'requested_at',
  audit_log: 'happened_at',
  changes: 'changed_at',
  stock_movements: 'moved_at',
};

describe('Each filter of a list of the commands', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 0 });
  const company = makeBeforeAll(() => openCompany(test));
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
    const returns = test.app.get(OrderReturnsService, { strict: false });
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

  const rowsOf = async (command: string, ...filter: string[]) => {
    const args = [...command.split(' '), ...filter.map((word) => words.get(word) ?? word)];
    const rows = await answerOf<Row[]>(
      test.database.serviceUrl,
      ...args,
      ...(command.endsWith(' list') ? ['--all'] : []),
    );
    return rows.map((row) => (command === 'order list' ? String(row.order_number) : JSON.stringify(row)));
  };

  const cases = Object.entries(FILTERS).flatMap(([command, filters]) =>
    Object.entries(filters).map(([flag, values]) => [command, flag, values] as const),
  );

  it('has a case below', () => {
    const listed = cases.map(([command, flag]) => `${/^\w+ [\w-]+/.exec(command)![0]} ${flag}`);
    const declared = filtersOf(createCli([]).program);
    expect(declared.filter((filter) => !listed.includes(filter))).toEqual([]);
  });

  it.each(cases)('%s %s shows the rows that it names, and no others', async (command, flag, values) => {
    const all = await rowsOf(command);
    // Sums, and a filter that has a default, show rows that the command does not show without it.
    const hasOtherRows = / --by |^order export$/.test(command);
    const earlier = new Set<string>();
    for (const value of values.length > 0 ? values.map((each) => [each]) : [[]]) {
      const rows = await rowsOf(command, flag, ...value);
      expect([value, hasOtherRows || rows.length > 0, hasOtherRows || rows.length < all.length]).toEqual([
        value,
        true,
        true,
      ]);
      expect(rows).not.toEqual(all);
      if (!hasOtherRows) expect(rows.filter((row) => !all.includes(row))).toEqual([]);
      expect(rows.filter((row) => earlier.has(row))).toEqual([]);
      for (const row of rows) earlier.add(row);
    }
  });
});

function filtersOf(command: Command, group = ''): string[] {
  return command.commands.flatMap((each) => {
    const name = `${group}${each.name()}`;
    if (each.commands.length > 0) return filtersOf(each, `${name} `);
    const filters = each.options.filter(
      ({ description, mandatory }) => !mandatory && description.startsWith('only '),
    );
    // Of two names, the shorter one stands first: "--from, --since <date>".
    return LIST.test(name) ? filters.map(({ flags }) => `${name} ${/^[\w-]+/.exec(flags)![0]}`) : [];
  });
}
