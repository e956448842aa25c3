import type { ReturnRecord } from '../../src/modules/fulfilment/returns/returns.repository.js';
import { adminApi } from '../support/admin-api.js';
import { contradictions } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { moveOrder, placeAndMove } from '../support/order-steps.js';
import { answerOf, runCommand, runCommandIn } from '../support/run-command.js';
import { ServiceProcess } from '../support/service-process.js';
import { setUpTestApp } from '../support/test-app.js';

const WAITS = `
  SELECT FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'relation'`;

const STATE = `
  SELECT o.status, o.payment_status, o.refunded_amount::float8 AS refunded_amount,
         i.shipped, i.cancelled, i.refunded, i.returned, s.on_hand, s.held, w.balance::float8 AS balance,
         (SELECT count(*)::int FROM parcels p WHERE p.order_number = o.order_number) AS parcels,
         (SELECT count(*)::int FROM order_refunds r WHERE r.order_number = o.order_number) AS refunds,
         (SELECT count(*)::int FROM order_returns r WHERE r.order_number = o.order_number) AS returns,
         (SELECT count(*)::int FROM order_returns r
           WHERE r.order_number = o.order_number AND r.state IN ('received', 'partly_received')) AS received,
         (SELECT coalesce(sum(r.restocked), 0)::int FROM order_return_items r
           WHERE r.order_number = o.order_number) AS restocked,
         (SELECT count(*)::int FROM stock_movements m WHERE m.product_id = i.product_id) AS movements,
         (SELECT count(*)::int FROM tax_documents d WHERE d.order_number = o.order_number) AS documents,
         (SELECT count(*)::int FROM audit_log a
           WHERE a.subject = 'order ' || o.order_number OR a.details->>'order' = o.order_number) AS entries
    FROM orders o
    JOIN order_items i USING (client_id, order_number)
    JOIN stock_items s USING (product_id, variation_key)
    JOIN wallets w USING (client_id)
   WHERE o.order_number = $1`;

const ONCE = ['--reason', 'damaged', '--key', 'ONE'];

/** A command with one table of each statement that writes, in order, and its changes of 10 units at 100.00. */
const COMMANDS = [
  {
    command: 'order ship',
    options: ['--courier', 'Delhivery', '--tracking-number', 'ONE', '--line', '1=4', '--force'],
    tables: ['stock_items', 'orders', 'parcels', 'audit_log', 'tax_documents', 'document_series'],
    changes: { shipped: 4, on_hand: -4, held: -4, parcels: 1, entries: 1, documents: 1 },
  },
  {
    command: 'order cancel',
    options: ['--line', '1=4', ...ONCE],
    tables: ['stock_items', 'order_refunds', 'wallets', 'order_timeline', 'audit_log'],
    changes: {
      cancelled: 4,
      refunded: 4,
      held: -4,
      refunds: 1,
      refunded_amount: 400,
      balance: 400,
      entries: 1,
    },
  },
  {
    command: 'order refund',
    options: ['--line', '1=4', ...ONCE],
    tables: ['order_refunds', 'wallets', 'order_timeline', 'audit_log'],
    changes: { refunded: 4, refunds: 1, refunded_amount: 400, balance: 400, entries: 1 },
  },
  {
    command: 'order take-back',
    options: ['--refund', '1', '--amount', '300', ...ONCE],
    tables: ['order_refunds', 'wallets', 'order_timeline', 'audit_log', 'tax_documents', 'document_series'],
    changes: { refunds: 1, refunded_amount: -300, balance: -300, entries: 1, documents: 1 },
  },
  {
    command: 'return add',
    options: ['--line', '1=4', ...ONCE],
    tables: ['order_returns', 'order_return_items', 'audit_log'],
    changes: { returned: 4, returns: 1, entries: 1 },
  },
  {
    command: 'return receive',
    options: ['--restock', '1=3', '--refund'],
    tables: [
      'stock_items',
      'stock_movements',
      'order_return_items',
      'order_returns',
      'order_refunds',
      'wallets',
      'order_timeline',
      'audit_log',
      'tax_documents',
      'document_series',
    ],
    changes: {
      on_hand: 3,
      movements: 2,
      received: 1,
      restocked: 3,
      refunded: 4,
      refunds: 1,
      refunded_amount: 400,
      balance: 400,
      entries: 2,
      documents: 1,
    },
  },
  // With a refund, the refund writes to the audit log first.
  {
    command: 'return receive',
    options: ['--note', 'written off'],
    tables: ['audit_log'],
    changes: { movements: 2, received: 1, entries: 1 },
  },
];

describe('After the sale', () => {
  const test = setUpTestApp();
  let store: Store;
  let key: string;

  beforeAll(async () => {
    ({ key } = await adminApi(test));
    store = await test.fixtures.store({ state: '29' });
    await test.fixtures.seller();
  });

  /** A paid order of 10 units at 100.00, which are all that is on hand. */
  async function paidOrder(): Promise<string> {
    const taxed = { hsn: '6912', gstRate: '18' };
    const { sku } = await test.fixtures.product({ basePrice: '100.00', stock: 10, ...taxed });
    return placeAndMove(test, store, [{ sku, quantity: 10 }], 'pay');
  }

  async function stateOf(order: string): Promise<Record<string, number | string>> {
    return (await test.pool.query(STATE, [order])).rows[0];
  }

  /** An order, and the number that the command names: that of the order, or of a return of 4 units. */
  async function prepare(command: string): Promise<{ order: string; number: string }> {
    const order = await paidOrder();
    if (command === 'order take-back') {
      await moveOrder(test, store, order, 'ship');
      await answerOf(test.database.serviceUrl, 'order', 'refund', order, '--amount', '400', '--reason', 'x');
    }
    if (!command.startsWith('return')) return { order, number: order };
    await moveOrder(test, store, order, 'ship');
    if (command === 'return add') return { order, number: order };
    const requested = ['return', 'add', order, '--line', '1=4', '--reason', 'damaged'];
    const { number } = await answerOf<ReturnRecord>(test.database.serviceUrl, ...requested);
    return { order, number };
  }

  /** Kills the service while the command waits to write the table. */
  async function killBefore(table: string, args: string[]): Promise<void> {
    const service = await ServiceProcess.start({ DATABASE_URL: test.database.serviceUrl });
    const holder = await test.pool.connect();
    try {
      await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
      const command = runCommandIn({ WHOLESALE_URL: service.url, WHOLESALE_KEY: key }, ...args);
      await eventually(async () => (await test.pool.query(WAITS)).rowCount === 1);
      await service.end();
      expect((await command).exitCode).toBe(1);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  }

  describe.each(COMMANDS)(
    '"$command $options.0", killed before a statement',
    ({ command, options, tables, changes }) => {
      it.each(tables)(
        'that writes %s, has done nothing, and its repetition does all of it once',
        async (table) => {
          const { order, number } = await prepare(command);
          // A name of a request belongs to one order.
          const own = options.map((option) => (option === 'ONE' ? number : option));
          const args = [...command.split(' '), number, ...own];
          const before = await stateOf(order);
          await killBefore(table, args);
          // The row lock is free when the database has noticed the end of the service.
          await test.pool.query('SELECT FROM orders WHERE order_number = $1 FOR UPDATE', [order]);
          expect(await stateOf(order)).toEqual(before);

          const after = { ...before };
          for (const [name, change] of Object.entries(changes)) after[name] = Number(before[name]) + change;
          for (let times = 0; times < 2; times++) {
            // The name of what was cut off stays in use, for the key that asked.
            const { exitCode } = await runCommand(test.database.serviceUrl, ...args);
            expect(exitCode === 0).toBe(times === 0 || args.includes('--key'));
            expect(await stateOf(order)).toEqual(after);
          }
          expect(await contradictions(test.pool)).toEqual([]);
        },
      );
    },
  );
});
