import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { AuditRow } from '../../src/modules/audit/audit-list.repository.js';
import type { PackingListView } from '../../src/modules/fulfilment/packing/packing.repository.js';
import { PackingService } from '../../src/modules/fulfilment/packing/packing.service.js';
import { csvSource } from '../../src/shared/imports/csv-source.js';
import type { OrderOutput } from '../../src/modules/orders/records/order-for-file.js';
import type { Store } from '../support/fixtures.js';
import { makeBeforeAll, setUpDirectory } from '../support/suite-hooks.js';
import { OperatorServices } from '../support/operator-services.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpTestApp } from '../support/test-app.js';
import { whileLocked } from '../support/while-locked.js';

interface Written {
  packing_list: number;
  orders: number;
  file?: string;
  pdf?: string;
  unprintable: string[];
}

const MISSING_LIST = 2_000_000_000;

const COLUMNS = [
  'packing_list',
  'order_number',
  'client_id',
  'client',
  'store_order_id',
  'status',
  'courier',
  'placed_at',
  'customer_name',
  'customer_phone',
  'customer_email',
  'address',
  'city',
  'state',
  'pincode',
  'country',
  'line',
  'sku',
  'name',
  'variation',
  'quantity',
  'shelf',
  'notes',
  'metadata',
  'line_metadata',
];

describe('A packing list', () => {
  const test = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(test.database.serviceUrl));
  const directory = setUpDirectory();
  let store: Store;
  let packing: PackingService;

  beforeAll(async () => {
    packing = operator.app.get(PackingService);
    store = await test.fixtures.store();
    await test.fixtures.product({ sku: 'MUG', name: 'Mug', stock: 10_000 });
    await test.fixtures.product({ sku: 'BOX', name: 'Box', stock: 10_000 });
    await answer('product', 'set', 'BOX', '--shelf', 'A-12-3');
  });
  // Each test begins without orders that wait for a list.
  beforeEach(async () => {
    for (const made of [await packing.make('before', {})]) if (made) await finish(made.id);
  });

  const run = (...args: string[]) => runCommand(test.database.serviceUrl, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.serviceUrl, ...args);
  const at = (name: string) => path.join(directory, name);
  const text = (name: string) => readFile(at(name), 'utf8');
  const records = async (name: string) => {
    const bytes = await readFile(at(name));
    const rows: string[][] = [];
    for await (const batch of csvSource(Readable.from([bytes]), bytes.length).batches())
      rows.push(...batch.records.map(({ cells }) => cells));
    const [heading, ...others] = rows;
    return others.map((row) => Object.fromEntries(heading!.map((column, n) => [column, row[n]!])));
  };

  const place = async (by = store, more: Parameters<typeof orderBody>[1] = {}): Promise<string> => {
    const items = [
      { sku: 'MUG', quantity: 3 },
      { sku: 'BOX', quantity: 2 },
    ];
    return test.place(by, orderBody(items, more));
  };
  const paid = async (by = store, more: Parameters<typeof orderBody>[1] = {}): Promise<string> => {
    const number = await place(by, more);
    await moveOrder(test, by, number, 'pay');
    return number;
  };
  const listOf = async (number: string): Promise<number | null> => {
    const { rows } = await test.pool.query<{ packing_list: number | null }>(
      'SELECT packing_list FROM orders WHERE order_number = $1',
      [number],
    );
    return rows[0]!.packing_list;
  };
  const finish = async (list: number) => {
    for (const { order_number: number } of await packing.ordersOf(list))
      await moveOrder(test, { ...store, clientId: await clientOf(number) }, number, 'ship');
  };
  const clientOf = async (number: string): Promise<number> =>
    (await answer<OrderOutput>('order', 'show', number)).client_id;

  it('takes each paid order once, the oldest payment first, with shelf, address and notes', async () => {
    const [second, first, unpaid, cancelled] = [
      await place(store, { store_order_id: 'S-1', notes: 'Please call\nfirst' }),
      await paid(),
      await place(),
      await paid(),
    ];
    await moveOrder(test, store, second, 'pay');
    await moveOrder(test, store, cancelled, 'cancel');

    const made = await answer<Written>('packing', 'new', '--output', at('morning.csv'));
    expect(made).toMatchObject({ orders: 2, file: at('morning.csv'), unprintable: [] });
    const lines = await records('morning.csv');
    expect(Object.keys(lines[0]!)).toEqual(COLUMNS);
    // Products with a shelf come first.
    expect(lines.map(({ order_number: number }) => number)).toEqual([first, first, second, second]);
    expect(lines[2]).toMatchObject({
      state: 'Karnataka',
      pincode: '560038',
      country: 'India',
      line: '2',
      sku: 'BOX',
      name: 'Box',
      variation: '',
      quantity: '2',
      shelf: 'A-12-3',
      notes: 'Please call\nfirst',
    });
    expect(lines[3]).toMatchObject({
      store_order_id: 'S-1',
      status: 'pending',
      line: '1',
      sku: 'MUG',
      name: 'Mug',
      quantity: '3',
      shelf: '',
    });
    expect(await listOf(unpaid)).toBeNull();

    const later = await paid();
    const afternoon = await answer<Written>('packing', 'new', '--output', at('afternoon.csv'));
    expect(afternoon.packing_list).toBeGreaterThan(made.packing_list);
    expect(await text('afternoon.csv')).not.toContain(first);
    expect([await listOf(first), await listOf(later)]).toEqual([made.packing_list, afternoon.packing_list]);
    expect((await answer<OrderOutput>('order', 'show', first)).packing_list).toBe(made.packing_list);
    expect((await run('order', 'show', first)).stdout).toContain(`Packing list: ${made.packing_list}\n`);
  });

  it('writes no file and makes no list if no order waits', async () => {
    const before = await packing.make('x', {});
    expect(before).toBeUndefined();
    const counted = async () =>
      (await test.pool.query<{ count: string }>('SELECT count(*) FROM packing_lists')).rows[0]!.count;
    const count = await counted();
    const files = ['--output', at('none.csv'), '--pdf', at('none.pdf')];
    const { exitCode, stdout } = await run('packing', 'new', ...files);
    expect([exitCode, stdout]).toEqual([0, 'Nothing to pack: no paid order waits for a list.\n']);
    expect(await answer('packing', 'new', '--output', at('none.csv'))).toEqual({
      packing_list: null,
      orders: 0,
    });
    expect((await readdir(directory)).filter((name) => name.startsWith('none'))).toEqual([]);
    expect(await counted()).toBe(count);
  });

  it('can be limited to a client and to a number of orders', async () => {
    const other = await test.fixtures.store();
    // Placed first and paid last: it waits.
    const theirNext = await place(other);
    const [mine, theirs] = [await paid(), await paid(other)];
    await moveOrder(test, other, theirNext, 'pay');
    const args = ['--client', String(other.clientId), '--limit', '1'];
    const made = await answer<Written>('packing', 'new', '--output', at('limited.csv'), ...args);
    expect(made.orders).toBe(1);
    expect([await listOf(mine), await listOf(theirs), await listOf(theirNext)]).toEqual([
      null,
      made.packing_list,
      null,
    ]);
    const [newest] = await answer<PackingListView[]>('packing', 'list', '--limit', '1');
    expect(newest).toMatchObject({ packing_list: made.packing_list, orders: 1, to_ship: 1 });
    expect(newest!.client).not.toBeNull();
    const { exitCode, stderr } = await run('packing', 'new', '--output', at('x.csv'), '--client', 'nobody');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('nobody')]);
  });

  it('leaves its orders unmarked if a file cannot be opened or written', async () => {
    const number = await paid();
    const out = at('kept.csv');
    await writeFile(out, 'the list of yesterday');
    const count = async () => (await answer<PackingListView[]>('packing', 'list', '--all')).length;
    const before = await count();
    for (const files of [
      [at('none/list.csv')],
      [directory],
      [out, '--pdf', at('none/slips.pdf')],
      [at('same.csv'), '--pdf', at('same.csv')],
    ]) {
      const { exitCode, stderr } = await run('packing', 'new', '--json', '--output', ...files);
      expect([exitCode, JSON.parse(stderr)]).toMatchObject([1, { code: 'unwritable_file' }]);
    }
    expect(await count()).toBe(before);
    for (const files of [['/dev/full'], [out, '--pdf', '/dev/full']]) {
      const { exitCode, stderr } = await run('packing', 'new', '--output', ...files);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /^The file \/dev\/full cannot be written: .+ Packing list \d+ is dropped; its orders wait for the next list\.\n$/,
      );
      expect(await listOf(number)).toBeNull();
    }
    // Neither file is written if one fails.
    expect(await text('kept.csv')).toBe('the list of yesterday');
    expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const lists = await answer<PackingListView[]>('packing', 'list');
    expect(lists.slice(0, 2)).toMatchObject([
      { to_ship: 0, dropped_at: expect.any(String) },
      { to_ship: 0, dropped_at: expect.any(String) },
    ]);
    expect(await answer<Written>('packing', 'new', '--output', out)).toMatchObject({ orders: 1 });
  });

  it('prints one slip alone, and a changed order is shipped by a confirmation', async () => {
    const [number, other] = [await paid(), await paid()];
    const files = ['--output', at('two.csv'), '--pdf', at('two.pdf')];
    const { packing_list: list } = await answer<Written>('packing', 'new', ...files);
    const changed = async () => {
      type Row = { order_number: string; slip_is_old: boolean };
      const { rows } = await answer<{ rows: Row[] }>('packing', 'show', String(list));
      return rows.filter((row) => row.slip_is_old).map((row) => row.order_number);
    };
    for (const one of [number, other]) await answer('order', 'address', one, '--address', '99 New Road');
    expect(await changed()).toEqual([number, other]);
    await answer('packing', 'show', String(list), '--order', other, '--output', at('other.csv'));
    expect(new Set((await text('other.csv')).match(/WO-[-\w]+/g))).toEqual(new Set([other]));
    const refused = await run('order', 'ship', other, '--courier', 'DTDC');
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('confirm the old slip')]);
    await writeFile(at('one-parcel.csv'), `order_number,courier\n${other},DTDC\n`);
    const file = ['shipment', 'import', at('one-parcel.csv')];
    expect((await run(...file)).stdout).toContain('confirm the old slip');
    expect((await run(...file, '--old-slips', '--dry-run')).stdout).toContain('1 updated, 0 unchanged');
    await answer('order', 'ship', other, '--courier', 'DTDC', '--old-slip');
    const one = ['packing', 'show', String(list), '--order', number, '--pdf', at('one.pdf')];
    // Both the slip and the label must be printed again, if both were printed.
    for (const [address, layout, old] of [
      ['99 New Road', 'label', [number]],
      ['99 New Road', 'page', []],
      ['98 New Road', 'half', [number]],
      ['98 New Road', 'label', []],
    ] as const) {
      await answer('order', 'address', number, '--address', address);
      expect(await answer<Written>(...one, '--layout', layout)).toMatchObject({ orders: 1 });
      expect(await changed()).toEqual(old);
    }
    await answer('order', 'ship', number, '--courier', 'DTDC');
    const gone = await run(...one);
    expect([gone.exitCode, gone.stderr]).toEqual([1, expect.stringContaining('has no orders left to ship')]);
  });

  it('is shown and written again with the orders that are left', async () => {
    const [left, shipped, cancelled] = [await paid(), await paid(), await paid()];
    const { packing_list: list } = await answer<Written>('packing', 'new', '--output', at('first.csv'));
    await moveOrder(test, store, shipped, 'ship');
    await moveOrder(test, store, cancelled, 'cancel');
    const displayed = await answer<PackingListView & { rows: { order_number: string; status: string }[] }>(
      'packing',
      'show',
      String(list),
    );
    expect(displayed).toMatchObject({ packing_list: list, orders: 3, to_ship: 1, shipped: 1, cancelled: 1 });
    expect(displayed.rows.map(({ order_number, status }) => [order_number, status])).toEqual([
      [left, 'pending'],
      [shipped, 'shipped'],
      [cancelled, 'cancelled'],
    ]);
    expect((await run('packing', 'show', String(list))).stdout).toContain(left);
    const repeated = await answer<Written>('packing', 'show', String(list), '--output', at('again.csv'));
    expect(repeated).toMatchObject({ packing_list: list, orders: 1 });
    const lines = (await text('again.csv')).trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => line.includes(left))).toEqual([true, true]);

    await moveOrder(test, store, left, 'ship');
    await moveOrder(test, store, shipped, 'deliver');
    expect(await packing.find(list)).toMatchObject({ to_ship: 0, shipped: 2, cancelled: 1 });
    const { exitCode, stderr } = await run('packing', 'show', String(list), '--output', at('empty.csv'));
    expect([exitCode, stderr]).toEqual([1, `Packing list ${list} has no orders left to ship.\n`]);
    expect(await readdir(directory)).not.toContain('empty.csv');
  });

  it('has only what is left of an order, of which a part left or was cancelled', async () => {
    const [parted, cut] = [await paid(), await paid()];
    const first = await answer<Written>('packing', 'new', '--output', at('parts.csv'));
    const cancelled = await run('order', 'cancel', cut, '--line', '1=3', '--reason', 'broken');
    expect(cancelled.stdout).toContain(
      `Packing list ${first.packing_list} has the order: print its slip again.\n`,
    );
    await answer('order', 'ship', parted, '--courier', 'Delhivery', '--line', '1=2');
    // The rest of an order that left in part waits for the next list.
    expect([await listOf(parted), await listOf(cut)]).toEqual([null, first.packing_list]);
    await answer('packing', 'show', String(first.packing_list), '--output', at('cut.csv'));
    const unitsIn = async (name: string) =>
      (await text(name))
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => /(WO-[^,]+).*,(\d),(MUG|BOX),[^,]*,,(\d+),/.exec(line)!.slice(1).join(' '));
    expect(await unitsIn('cut.csv')).toEqual([`${cut} 2 BOX 2`]);
    const second = await answer<Written>('packing', 'new', '--output', at('rest.csv'));
    expect(second.orders).toBe(1);
    expect(await unitsIn('rest.csv')).toEqual([`${parted} 2 BOX 2`, `${parted} 1 MUG 1`]);

    const whole = await run('order', 'cancel', cut, '--reason', 'unwanted');
    expect(whole.stdout).toContain(
      `Packing list ${first.packing_list} still has the order: do not pack it.\n`,
    );
  });

  it('makes the same slips each time, one page for each order', async () => {
    await paid(store, {
      customer: { name: 'முருகன் क्षत्रिय', phone: '98765 43210' },
      shipping: { address: '১২ ধর্মতলা স্ট্রিট', city: 'কলকাতা', state: 'West Bengal', pincode: '700013' },
    });
    const boxed = await paid(store, { customer: { name: 'රුවන්', phone: '98765 43210' } });
    // More than one statement reads for slips.
    for (let more = 0; more < 25; more++) await paid();
    const made = await answer<Written>('packing', 'new', '--output', at('s.csv'), '--pdf', at('s.pdf'));
    expect(made).toMatchObject({ orders: 27, pdf: at('s.pdf'), unprintable: [boxed] });
    const repeated = await run('packing', 'show', String(made.packing_list), '--pdf', at('t.pdf'));
    expect(repeated.stdout).toBe(
      `Packing list ${made.packing_list}, orders: 27. Wrote ${at('t.pdf')}.\n` +
        `The slips show [?] for letters that the fonts lack: ${boxed}.\n`,
    );
    const [one, two] = await Promise.all([readFile(at('s.pdf')), readFile(at('t.pdf'))]);
    expect(one.equals(two)).toBe(true);
    expect(one.toString('latin1').match(/\/Type \/Page\b(?!s)/g)).toHaveLength(27);
    for (const script of ['Tamil', 'Bengali'])
      expect(one.toString('latin1')).toContain(`+NotoSans${script}-`);
    // Neither the service nor the wholesaler signs a client's slips.
    expect(one.toString('latin1')).not.toMatch(/wholesale/i);
  });

  it('is dropped once, which frees the orders that have not left', async () => {
    const [left, shipped, cancelled] = [await paid(), await paid(), await paid()];
    const { packing_list: list } = await answer<Written>('packing', 'new', '--output', at('d.csv'));
    await moveOrder(test, store, shipped, 'ship');
    await moveOrder(test, store, cancelled, 'cancel');
    const dropped = await run('packing', 'drop', String(list), '--by', 'asha');
    expect(dropped.stdout).toBe(
      `Packing list ${list} is dropped. 1 shipped and 1 cancelled stay on it. Free for the next list: 1.\n`,
    );
    expect([await listOf(left), await listOf(shipped), await listOf(cancelled)]).toEqual([null, list, list]);
    const twice = await run('packing', 'drop', String(list), '--json');
    expect([twice.exitCode, JSON.parse(twice.stderr)]).toEqual([
      1,
      { code: 'conflict', message: `Packing list ${list} is already dropped.` },
    ]);
    expect((await answer<Written>('packing', 'new', '--output', at('d2.csv'))).orders).toBe(1);
    const log = await answer<AuditRow[]>('audit', 'list');
    const entries = log.filter(({ subject }) => subject === `packing list ${list}`);
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['packing.dropped', { orders: 1 }],
      ['packing.made', { orders: 3 }],
    ]);
    expect(entries[0]!.actor).toBe('asha');
  });

  it.each(['show', 'drop'])('that does not exist cannot be used by %s', async (command) => {
    const { exitCode, stderr } = await run('packing', command, String(MISSING_LIST));
    expect([exitCode, stderr]).toEqual([1, `There is no packing list ${MISSING_LIST}.\n`]);
    const wrong = await run('packing', command, 'twelve');
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('a number such as 7')]);
  });

  it('needs a file', async () => {
    const { exitCode, stderr } = await run('packing', 'new');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--output')]);
  });

  it('is made once with a key, by requests that wait for each other', async () => {
    for (const _ of [1, 2]) await paid();
    const make = () => packing.make('test', { limit: 1, key: 'twice' });
    const lock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
    const [first, second] = await whileLocked(test.pool, lock, ['twice'], [make, make]);
    expect(first!.status).toBe('fulfilled');
    expect(second).toEqual(first);
    expect((await packing.make('test', {}))!.orders).toBe(1);
  });

  it('never shares an order with a list that is made in the same moment', async () => {
    const numbers = [];
    for (let count = 0; count < 12; count++) numbers.push(await paid());
    const made = await Promise.all(Array.from({ length: 6 }, () => packing.make('test', { limit: 5 })));
    const lists = made.flatMap((list) => list ?? []);
    const taken = (await Promise.all(lists.map(({ id }) => packing.ordersOf(id)))).map((orders) =>
      orders.map(({ order_number }) => order_number),
    );
    // No order is on two lists, and each list has as many orders as it was made for.
    expect(taken.map(({ length }) => length)).toEqual(lists.map(({ orders }) => orders));
    await packing.make('test', {});
    expect(new Set(await Promise.all(numbers.map(listOf)))).not.toContain(null);
    expect(new Set(taken.flat()).size).toBe(taken.flat().length);
  });

  it('skips an order that is being shipped, cancelled or corrected at the moment', async () => {
    const [busy, free] = [await paid(), await paid()];
    const other = await test.pool.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM orders WHERE order_number = $1 FOR UPDATE', [busy]);
    const made = await packing.make('test', {});
    expect((await packing.ordersOf(made!.id)).map(({ order_number }) => order_number)).toEqual([free]);
    await other.query('ROLLBACK');
    other.release();
    expect((await packing.make('test', {}))!.orders).toBe(1);
  });

  it.each(['ship', 'cancel'] as const)(
    'and an attempt to %s its orders decide one after the other',
    async (step) => {
      const numbers = [await paid(), await paid(), await paid(), await paid()];
      const made = await packing.make('test', {});
      const [dropped] = await Promise.all([
        packing.drop(made!.id, 'test'),
        ...numbers.map((number) => moveOrder(test, store, number, step)),
      ]);
      const kept = (await packing.ordersOf(made!.id)).map(({ order_number }) => order_number);
      expect(kept).toHaveLength(4 - dropped.freed);
      const { to_ship, shipped, cancelled } = await packing.find(made!.id);
      expect([to_ship, shipped + cancelled]).toEqual([0, kept.length]);
      expect(await packing.make('test', {})).toBeUndefined();
    },
  );
});
