import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { OrderDeskService } from '../../src/orders/desk/order-desk.service.js';
import { WalletService } from '../../src/wallet/wallet.service.js';
import { contradictions } from '../support/books.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { OperatorServices } from '../support/operator-services.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder } from '../support/order-steps.js';
import { printFigures } from '../support/print-figures.js';
import { INSTALLED_CLI } from '../support/run-command.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const RACES = 15;

const PARCEL = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };

const WAITS = `
  SELECT FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'relation'`;

const STATE = `
  SELECT o.status, o.payment_status, o.refunded_amount::float8 AS refunded_amount,
         i.shipped, i.cancelled, i.refunded, s.on_hand, s.held, w.balance::float8 AS balance,
         (SELECT count(*)::int FROM parcels p WHERE p.order_number = o.order_number) AS parcels,
         (SELECT count(*)::int FROM order_refunds r WHERE r.order_number = o.order_number) AS refunds,
         (SELECT count(*)::int FROM audit_log a WHERE a.subject = 'order ' || o.order_number) AS deeds
    FROM orders o
    JOIN order_items i USING (client_id, order_number)
    JOIN stock_items s USING (product_id, variation_key)
    JOIN wallets w USING (client_id)
   WHERE o.order_number = $1`;

/** A command with the tables it writes, in this order, and what it changes of 10 units at 100.00. */
const COMMANDS = [
  {
    args: ['ship', '--courier', 'Delhivery', '--tracking-number', 'ONE', '--line', '1=4'],
    tables: ['stock_items', 'orders', 'parcels', 'parcel_items', 'order_items', 'audit_log'],
    changes: { shipped: 4, on_hand: -4, held: -4, parcels: 1, deeds: 1 },
  },
  {
    args: ['cancel', '--line', '1=4', '--reason', 'damaged', '--key', 'ONE'],
    tables: ['stock_items', 'order_refunds', 'order_refund_items', 'wallets', 'wallet_entries', 'audit_log'],
    changes: {
      cancelled: 4,
      refunded: 4,
      held: -4,
      refunds: 1,
      refunded_amount: 400,
      balance: 400,
      deeds: 1,
    },
  },
  {
    args: ['refund', '--line', '1=4', '--reason', 'damaged', '--key', 'ONE'],
    tables: ['order_refunds', 'order_items', 'wallets', 'wallet_entries', 'order_timeline', 'audit_log'],
    changes: { refunded: 4, refunds: 1, refunded_amount: 400, balance: 400, deeds: 1 },
  },
];

describe('After the sale', () => {
  let test: TestApp;
  let other: OperatorServices;
  let desks: OrderDeskService[];
  let store: Store;

  beforeAll(async () => {
    test = await startTestApp();
    other = await OperatorServices.open(test.database.serviceUrl);
    desks = [test.app, other.app].map((app) => app.get(OrderDeskService, { strict: false }));
    store = await test.fixtures.store();
  });

  afterAll(async () => {
    await other.close();
    await test.close();
  });

  /** A paid order of 10 units at 100.00, which are all that is on hand. */
  async function paidOrder(): Promise<string> {
    const { sku } = await test.fixtures.product({ basePrice: '100.00', deliveryCharge: '0', stock: 10 });
    const { body } = await test.post(store, '/api/orders', orderBody([{ sku, quantity: 10 }])).expect(201);
    await moveOrder(test, store, body.order_number, 'pay');
    return body.order_number as string;
  }

  async function stateOf(number: string): Promise<Record<string, number | string>> {
    return (await test.pool.query(STATE, [number])).rows[0];
  }

  function start(number: string, [action, ...options]: string[]): ChildProcess {
    return spawn(process.execPath, [INSTALLED_CLI, 'order', action!, number, ...options], {
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, DATABASE_URL: test.database.serviceUrl },
      stdio: 'ignore',
    });
  }

  /** Kills the command while it waits to write the table. */
  async function killBefore(table: string, number: string, args: string[]): Promise<void> {
    const holder = await test.pool.connect();
    try {
      await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
      const command = start(number, args);
      const ended = once(command, 'close');
      await eventually(async () => (await test.pool.query(WAITS)).rowCount === 1);
      command.kill('SIGKILL');
      await ended;
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  }

  describe.each(COMMANDS)('"order $args.0", killed before a statement', ({ args, tables, changes }) => {
    it.each(tables)(
      'that writes %s, has done nothing, and its repetition does all of it once',
      async (table) => {
        const number = await paidOrder();
        const before = await stateOf(number);
        await killBefore(table, number, args);
        // The row lock is free when the database has noticed the end of the command.
        await test.pool.query('SELECT FROM orders WHERE order_number = $1 FOR UPDATE', [number]);
        expect(await stateOf(number)).toEqual(before);

        const after = { ...before };
        for (const [name, change] of Object.entries(changes)) after[name] = Number(before[name]) + change;
        for (let times = 0; times < 2; times++) {
          await once(start(number, args), 'close');
          expect(await stateOf(number)).toEqual(after);
        }
        expect(await contradictions(test.pool)).toEqual([]);
      },
    );
  });

  /** Both at once, each through its own node. Returns how many were done. */
  async function race(...both: ((desk: OrderDeskService) => Promise<unknown>)[]): Promise<number> {
    const results = await Promise.allSettled(both.map((work, node) => work(desks[node]!)));
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []));
    expect(codes.filter((code) => !['illegal_transition', 'conflict'].includes(code))).toEqual([]);
    return results.length - codes.length;
  }

  it('refunds the same rest once through two nodes', async () => {
    let done = 0;
    for (let n = 0; n < RACES; n++) {
      const number = await paidOrder();
      await moveOrder(test, store, number, 'ship');
      const { balance } = await test.app.get(WalletService, { strict: false }).show(store.clientId);
      const refund = (key: string) => (desk: OrderDeskService) =>
        desk.refund(number, 'test', { amount: '600', reason: 'damaged', key });
      done += await race(refund('one'), refund('two'));
      expect(await stateOf(number)).toMatchObject({ refunded_amount: 600, balance: balance + 600 });
      // The same key at once: one refund, and both are told that it is done.
      const rest = (desk: OrderDeskService) =>
        desk.refund(number, 'test', { amount: '400', reason: 'damaged', key: 'rest' });
      expect(await race(rest, rest)).toBe(2);
      expect(await stateOf(number)).toMatchObject({
        refunded_amount: 1_000,
        payment_status: 'refunded',
        balance: balance + 1_000,
      });
    }
    expect(done).toBe(RACES);
    expect(await contradictions(test.pool)).toEqual([]);
    printFigures('refunds through two nodes', { pairs: 2 * RACES, 'done of different keys': done });
  });

  it('ships or cancels the same units, but not both, through two nodes', async () => {
    let shippedUnits = 0;
    for (let n = 0; n < RACES; n++) {
      const number = await paidOrder();
      const ship = (desk: OrderDeskService) =>
        desk.ship(number, 'test', { ...PARCEL, trackingNumber: null }, ['1=6']);
      const cancel = (desk: OrderDeskService) =>
        desk.cancel(number, 'test', { lines: ['1=6'], reason: 'damaged' });
      const both = n % 2 === 0 ? [ship, cancel] : [cancel, ship];
      expect(await race(...both)).toBe(1);
      const { shipped, cancelled, refunded, on_hand: onHand, held } = await stateOf(number);
      expect([shipped, cancelled]).toContain(6);
      expect([Number(shipped) + Number(cancelled), refunded]).toEqual([6, cancelled]);
      expect([onHand, held]).toEqual([10 - Number(shipped), 4]);
      shippedUnits += Number(shipped);
    }
    expect(await contradictions(test.pool)).toEqual([]);
    printFigures('ship against cancel', { races: RACES, shipped: shippedUnits / 6 });
  });
});
