import { ParcelFilesService } from '../../src/modules/fulfilment/parcels/parcel-files.service.js';
import {
  MAX_TRACKING_LOCKS,
  requireUniqueTracking,
} from '../../src/modules/orders/lifecycle/shared-tracking.repository.js';
import { type OrderDesk, orderDesk } from '../support/order-desk.js';
import type { OrderOutput } from '../../src/modules/orders/records/order-for-file.js';
import { Database } from '../../src/platform/database/database.js';
import type { ImportOptions } from '../../src/shared/imports/import-kind.js';
import { OperatorServices } from '../support/operator-services.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { endEverything } from '../support/suite-end.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

describe('An order of which something was wrong', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  beforeAll(async () => {
    await test.fixtures.product({ sku: 'BOX', stock: 100 });
  });

  const run = (...args: string[]) => runCommand(test.database.url, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.url, ...args);
  const place = () => test.place(store, [{ sku: 'BOX', quantity: 1 }]);
  const shipped = async (): Promise<string> => {
    const number = await place();
    await answer('order', 'pay', number);
    await answer('order', 'ship', number, '--courier', 'Delhivery', '--tracking-number', 'DL1', '--force');
    return number;
  };

  it('gets the right tracking, which its store reads, and its timeline keeps both', async () => {
    const number = await shipped();
    const { body: before } = await test.get(store, '/api/orders').expect(200);
    const url = 'https://track.example.com/DL2';
    const tracking = ['--tracking-number', 'DL2', '--tracking-url', url];
    const corrected = await answer<OrderOutput>('order', 'correct', number, ...tracking, '--by', 'asha');
    expect(corrected.tracking).toMatchObject({ courier: 'Delhivery', tracking_number: 'DL2' });
    expect(corrected.changes).toMatchObject([
      {
        actor: 'asha',
        before: { tracking_number: 'DL1', tracking_url: null },
        after: { tracking_number: 'DL2', tracking_url: url },
      },
    ]);
    const { stdout } = await run('order', 'show', number);
    expect(stdout).toContain('tracking number: DL1 → DL2');
    const { body } = await test.get(store, `/api/orders/${number}/status`).expect(200);
    expect(body.tracking).toMatchObject({ tracking_number: 'DL2' });
    expect(body.timeline.map(({ status }: { status: string }) => status)).toEqual([
      'awaiting_payment',
      'pending',
      'shipped',
    ]);
    const { body: delta } = await test
      .get(store, `/api/orders?since=${encodeURIComponent(before.sync_token)}`)
      .expect(200);
    expect(delta.data).toMatchObject([{ order_number: number, tracking: { tracking_number: 'DL2' } }]);
  });

  it('is corrected after it arrived too, and what is as it was leaves no trace', async () => {
    const number = await shipped();
    await answer('order', 'deliver', number);
    const same = await answer<OrderOutput>('order', 'correct', number, '--courier', 'Delhivery');
    expect(same.changes).toEqual([]);
    const none = ['order', 'correct', number, '--tracking-number', ''];
    expect((await run(...none, '--shipped-at', '2099-01-01')).stderr).toContain('must not be in the future');
    expect((await answer<OrderOutput>(...none)).tracking).toMatchObject({ tracking_number: null });
    const { stdout } = await run('order', 'correct', number, '--shipped-at', new Date().toISOString());
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
    expect(stdout).toMatch(new RegExp(`shipped at: ${time} → ${time}\n`));
    const { changes } = await answer<OrderOutput>('order', 'correct', number, '--courier', 'DTDC');
    expect(changes.map(({ after }) => Object.keys(after)[0])).toEqual([
      'tracking_number',
      'shipped_at',
      'courier',
    ]);
    expect((await run('order', 'correct', number, '--shipped-at', '1990-01-01')).stderr).toContain(
      'before the order was placed',
    );
  });

  it('gets another address until it is shipped, and records each change', async () => {
    const number = await place();
    await answer('order', 'pay', number);
    const street = ['--address', '7, Park Street', '--city', 'Kolkata', '--pincode', '700016'];
    const words = [...street, '--state', 'West Bengal', '--by', 'asha'];
    const changed = await answer<OrderOutput>('order', 'address', number, ...words);
    expect(changed.shipping).toMatchObject({
      address: '7, Park Street',
      city: 'Kolkata',
      pincode: '700016',
      country: 'India',
    });
    expect(changed.changes).toMatchObject([
      {
        changed_at: expect.any(String) as string,
        actor: 'asha',
        before: { address: '12, MG Road', city: 'Bengaluru', pincode: '560038' },
        after: { address: '7, Park Street', city: 'Kolkata', pincode: '700016' },
      },
    ]);
    expect((await run('order', 'export')).stdout).toContain('"7, Park Street",Kolkata,West Bengal,700016');
    await answer('order', 'address', number, '--phone', '+91 11111 22222');
    expect((await run('order', 'export')).stdout).toContain('+91 11111 22222');

    await answer('order', 'ship', number, '--courier', 'X');
    const { exitCode, stderr } = await run('order', 'address', number, '--city', 'Pune');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot be changed')]);
  });

  it('gets another recipient for a reason, which its timeline and the audit log keep', async () => {
    const number = await place();
    const mend = (...args: string[]) => run('order', 'address', number, '--by', 'asha', '--json', ...args);
    for (const [args, message] of [
      [['--name', 'Ravi Kumaran'], 'Another recipient needs a reason.'],
      [['--name', '', '--reason', 'misspelt'], 'The name must not be empty.'],
    ] as const) {
      const { exitCode, stderr } = await mend(...args);
      expect([exitCode, JSON.parse(stderr)]).toEqual([1, { code: 'invalid_value', message }]);
    }
    const { stdout } = await mend('--name', 'Ravi Kumaran', '--reason', 'misspelt in the store');
    expect(JSON.parse(stdout)).toMatchObject({
      customer: { name: 'Ravi Kumaran' },
      changes: [
        {
          actor: 'asha',
          before: { name: 'Ravi Kumar' },
          after: { name: 'Ravi Kumaran' },
          reason: 'misspelt in the store',
        },
      ],
    });
    expect((await run('order', 'show', number)).stdout).toContain(
      'name: Ravi Kumar → Ravi Kumaran; because: misspelt in the store',
    );
    expect((await run('order', 'list', '--search', 'kumaran')).stdout).toContain(number);
    const log = await answer<object[]>('audit', 'list', '--client', String(store.clientId));
    expect(log[0]).toMatchObject({
      actor: 'asha',
      action: 'order.redirected',
      subject: `order ${number}`,
      details: { changed: 'name', reason: 'misspelt in the store' },
    });
    // The same name again changes nothing, so it needs no reason.
    expect((await mend('--name', 'Ravi Kumaran')).exitCode).toBe(0);
    await answer('order', 'cancel', number);
    const { stderr } = await mend('--name', 'Other', '--reason', 'late');
    expect(JSON.parse(stderr)).toMatchObject({ code: 'illegal_transition' });
  });

  it('keeps what was corrected for ever', async () => {
    const number = await shipped();
    await answer('order', 'correct', number, '--courier', 'BlueDart');
    for (const statement of ['DELETE FROM order_changes', `UPDATE order_changes SET actor = 'other'`])
      await expect(test.pool.query(statement)).rejects.toThrow('written once');
  });

  afterAll(endEverything);
});

const OWN_LOCKS = {
  text: `
    SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
};

const BOX = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };

describe('one tracking number on parcels of two orders', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.serviceUrl));
  const store = makeBeforeAll(() => service.fixtures.store());
  let desk: OrderDesk;
  let files: ParcelFilesService;

  beforeAll(async () => {
    desk = orderDesk(operator.app);
    files = operator.app.get(ParcelFilesService);
    await service.fixtures.product({ sku: 'BOX', stock: 10_000 });
  });

  const paid = async (): Promise<string> => {
    const number = await service.place(store, [{ sku: 'BOX', quantity: 2 }]);
    await desk.pay(number, 'test', {});
    return number;
  };
  const ship = (number: string, trackingNumber: string, sharedWithOrders?: 'any' | string[]) =>
    desk.ship(number, 'test', { ...BOX, trackingNumber, sharedWithOrders });
  const shipFile = (rows: [number: string, tracking: string][], options: Partial<ImportOptions> = {}) =>
    operator.import(
      files.shipments,
      ['order_number,courier,tracking_number', ...rows.map(([number, awb]) => `${number},X,${awb}`)].join(
        '\n',
      ),
      options,
    );
  const refusal = (other: string) => ({
    code: 'conflict',
    message: expect.stringContaining(`is on a parcel of ${other} too.`) as string,
  });

  it('is refused in any spelling, until a person accepts that order', async () => {
    const [first, second, third] = [await paid(), await paid(), await paid()];
    await ship(first, 'SH 100');
    await expect(ship(second, 'sh100')).rejects.toMatchObject(refusal(first));
    await expect(ship(second, 'SH100', [third])).rejects.toMatchObject(refusal(first));
    expect((await desk.show(second)).status).toBe('pending');
    expect((await ship(second, 'sh100', [first])).status).toBe('shipped');
    // A further order with the number was not accepted yet.
    await expect(ship(third, 'SH100', [first])).rejects.toMatchObject(refusal(second));
    const command = ['order', 'ship', third, '--courier', 'X', '--tracking-number', 'SH100'];
    const refused = await runCommand(service.database.serviceUrl, ...command);
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('is on a parcel of')]);
    const accepted = await runCommand(service.database.serviceUrl, ...command, '--force');
    expect(accepted.exitCode).toBe(0);
  });

  it('is refused for a correction', async () => {
    const [first, second] = [await paid(), await paid()];
    await ship(first, 'CO1');
    await ship(second, 'CO2');
    const correct = (options = {}) => desk.correct(second, 'test', { trackingNumber: 'CO1', ...options });
    await expect(correct()).rejects.toMatchObject(refusal(first));
    const file = `order_number,courier,tracking_number\n${second},Delhivery,CO1\n`;
    expect(await operator.import(files.corrections, file, { dryRun: true })).toMatchObject({
      updated: 0,
      failed: [
        {
          line: 2,
          column: 'tracking_number',
          message: expect.stringContaining(
            `is on order ${first} too: if one parcel holds both, add --force`,
          ) as string,
        },
      ],
    });
    expect(await operator.import(files.corrections, file, { force: true })).toMatchObject({ updated: 1 });
    expect((await desk.show(second)).parcels).toMatchObject([{ tracking_number: 'CO1' }]);
    // It is corrected otherwise without a question.
    await desk.correct(second, 'test', { courier: 'DTDC' });
  });

  it('is refused in both rows of a file, in the check as in the import', async () => {
    const [first, second, third, sent] = [await paid(), await paid(), await paid(), await paid()];
    await ship(sent, 'FI1');
    const rows: [string, string][] = [
      [first, 'FI2'],
      [second, 'fi 2'],
      [third, 'FI1'],
    ];
    const failed = [
      [2, second],
      [3, first],
      [4, sent],
    ].map(([line, other]) => ({
      line,
      column: 'tracking_number',
      message: expect.stringContaining(`is on order ${other} too: if one parcel holds both`) as string,
    }));
    for (const dryRun of [true, false])
      expect(await shipFile(rows, { dryRun })).toMatchObject({ updated: 0, failed });
    expect(await shipFile(rows, { dryRun: true, force: true })).toMatchObject({ updated: 3, failed: [] });
    expect(await shipFile(rows, { force: true })).toMatchObject({ updated: 3, failed: [] });
    expect(await shipFile(rows)).toMatchObject({ updated: 0, unchanged: 3, failed: [] });
  });

  it('is refused for one of two people who use it in the same moment', async () => {
    for (let round = 1; round <= 5; round++) {
      const orders = [await paid(), await paid()];
      const results = await Promise.allSettled(orders.map((number) => ship(number, `RACE${round}`)));
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const lost = results.find((result) => result.status === 'rejected');
      expect(lost!.reason).toMatchObject({ code: 'conflict' });
    }
  });

  it('is looked for with few locks, whatever the number of parcels in a transaction', async () => {
    const parcels = Array.from({ length: 20_000 }, (_, at) => {
      return { clientId: store.clientId, orderNumber: `MANY${at}`, trackingNumber: `MANY${at}` };
    });
    const locks = await operator.app.get(Database, { strict: false }).transaction(async (transaction) => {
      await requireUniqueTracking(transaction, parcels);
      return transaction.query<{ locks: number }>(OWN_LOCKS, []);
    });
    expect(locks).toEqual([{ locks: MAX_TRACKING_LOCKS }]);
  });
});
