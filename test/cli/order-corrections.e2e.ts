import type { OrderOutput } from '../../src/modules/orders/records/order.mapper.js';
import { answerOf, runCommand } from '../support/run-command.js';
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
});
