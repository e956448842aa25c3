import { RequestLog } from '../../src/modules/request-log/recording/request-log.js';
import { orderBody } from '../support/order-body.js';
import { runCommand } from '../support/run-command.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

describe('A list of the commands', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  beforeAll(async () => {
    await test.fixtures.store();
    await test.fixtures.store();
    const { sku } = await test.fixtures.product({ stock: 9 });
    for (const amount of ['10', '20', '30']) {
      await test.post(store, '/api/orders', orderBody([{ sku, quantity: 1 }])).expect(201);
      await test.post(store, '/api/orders', orderBody([{ sku: 'NONE', quantity: 1 }])).expect(422);
      await test.app.get(RequestLog, { strict: false }).writeAll();
      await run('wallet', 'adjust', String(store.clientId), amount, '--reason', 'a test');
      await run('transfer', 'announce', String(store.clientId), amount, `UTR00000000${amount}`);
      const email = `person-${amount}@example.com`;
      await run('person', 'invite', String(store.clientId), '--email', email, '--role', 'viewer');
      await test.fixtures.sql(
        `INSERT INTO outbox (mail_id, recipient, subject, body, useful_until)
         VALUES (gen_random_uuid(), 'a@example.com', 'A mail', 'A text', now() + interval '1 day')`,
        [],
      );
    }
  });

  const run = (...args: string[]) => runCommand(test.database.serviceUrl, ...args);

  const LISTS = [
    ['order', 'list'],
    ['wallet', 'history', 'CLIENT'],
    ['transfer', 'list'],
    ['order', 'refused'],
    ['client', 'list'],
    ['person', 'list'],
    ['mail', 'list'],
  ];

  const named = (list: string[]) => list.map((word) => (word === 'CLIENT' ? String(store.clientId) : word));
  const more = (count: number) =>
    count === 0 ? '' : `${count} more. --limit <count> shows more of them, --all shows all.`;

  it.each(LISTS.map((list) => [list.join(' '), list] as const))(
    'shows as many rows of %s as it may, and says how many more there are',
    async (_, list) => {
      for (const [limit, left] of [
        [2, 1],
        [3, 0],
        [4, 0],
      ] as const) {
        const { stdout, stderr } = await run(...named(list), '--limit', String(limit));
        expect(stdout.trimEnd().split('\n')).toHaveLength(1 + 3 - left);
        expect(stderr.trim()).toBe(more(left));
        const asJson = await run(...named(list), '--limit', String(limit), '--json');
        expect(asJson.exitCode).toBe(0);
        expect(JSON.parse(asJson.stdout)).toHaveLength(3 - left);
        expect(asJson.stderr.trim()).toBe(
          left === 0 ? '' : JSON.stringify({ code: 'more', message: more(left) }),
        );
      }
      const { stdout, stderr } = await run(...named(list), '--limit', '1', '--all');
      expect(stdout.trimEnd().split('\n')).toHaveLength(4);
      expect(stderr).toBe('');
    },
  );

  it('has 50 rows unless it is told otherwise, in every list', async () => {
    const { stdout } = await run('order', 'list', '--help');
    expect(stdout).toMatch(/--limit <count>\s+how many rows to show \(default: 50\)/);
  });
});
