import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LoggedChange } from '../../src/modules/plans/change-log.repository.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpDirectory } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

describe('The log of changes', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  const directory = setUpDirectory();

  beforeAll(async () => {
    await test.fixtures.product({ sku: 'MUG', basePrice: '100.00' });
  });

  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.url, ...args);
  const changes = (...args: string[]) => answer<LoggedChange[]>('changes', 'list', ...args);
  const by = ['--by', 'asha'];
  const planId = async (code: string) => {
    const { rows } = await test.pool.query<{ id: number }>('SELECT id FROM plans WHERE code = $1', [code]);
    return rows[0]!.id;
  };

  it('tells who changed a plan, from what to what', async () => {
    await answer('plan', 'set', 'gold', '--discount', '10', ...by);
    await answer('plan', 'set', 'gold', '--discount', '12.5', '--by', 'ben');
    expect(await changes('--subject', 'plan')).toMatchObject([
      { actor: 'ben', name: 'gold', before: { discount: 10 }, after: { discount: 12.5 } },
      { actor: 'asha', name: 'gold', before: null, after: { discount: 10 } },
      { name: 'NEIGHBOUR-1', before: null, after: { discount: 50 } },
    ]);
  });

  it('tells of subscriptions, those of a new client too', async () => {
    const terms = 'client add --name X --email x@example.com --domain x.example.com --plan gold';
    const words = `${terms} --until 2099-12-31`.split(' ');
    const added = await answer<{ client_id: number }>(...words, ...by);
    await answer('subscription', 'end', 'x.example.com', '--by', 'ben');
    const [ended, started] = await changes('--subject', 'subscription');
    expect(started).toMatchObject({
      actor: 'asha',
      name: `client ${added.client_id} plan gold`,
      before: null,
    });
    expect(ended).toMatchObject({ actor: 'ben', before: { ends_at: '2099-12-31T18:30:00+00:00' } });
  });

  it('tells of every price that a file changed, and of none that it left as it was', async () => {
    const file = path.join(directory, 'prices.csv');
    const fix = async (price: string) => {
      await writeFile(file, `plan,sku,wholesale_price\ngold,MUG,${price}\n`);
      await answer('price', 'import', file, ...by);
    };
    for (const price of ['80', '80', '75', '']) await fix(price);
    expect(await changes('--subject', 'price')).toMatchObject([
      { actor: 'asha', name: 'gold MUG', before: { price: 75 }, after: null },
      { actor: 'asha', name: 'gold MUG', before: { price: 80 }, after: { price: 75 } },
      { actor: 'asha', name: 'gold MUG', before: null, after: { price: 80 } },
    ]);
  });

  it('tells of a deleted plan and its prices, which the read model forgets', async () => {
    const file = path.join(directory, 'prices.csv');
    await answer('plan', 'set', 'bronze', '--discount', '10', ...by);
    await writeFile(file, 'plan,sku,wholesale_price\nbronze,MUG,80\n');
    await answer('price', 'import', file, ...by);
    expect(await answer('plan', 'delete', 'bronze', ...by)).toEqual({ code: 'bronze', fixed_prices: 1 });
    // Former and future subscriptions do not count.
    expect(await answer('plan', 'list')).toMatchObject([
      { code: 'NEIGHBOUR-1', fixed_prices: 1, active_subscriptions: 1 },
      { code: 'gold', fixed_prices: 0, active_subscriptions: 0 },
    ]);
    expect((await changes()).slice(0, 2)).toMatchObject([
      { actor: 'asha', subject: 'plan', name: 'bronze', before: { discount: 10 }, after: null },
      { actor: 'asha', subject: 'price', name: 'bronze MUG', before: { price: 80 }, after: null },
    ]);

    // A new plan of the same name has no price of the old one.
    await answer('plan', 'set', 'bronze', '--discount', '5', ...by);
    const store = await test.fixtures.store({ planId: await planId('bronze') });
    await test.fixtures.observed();
    const { body } = await test.get(store, '/api/products').expect(200);
    expect(body).toMatchObject({ data: [{ sku: 'MUG', pricing: { wholesale_price: 95 } }] });
  });

  it('tells why a plan cannot be deleted: clients have it, or had it', async () => {
    const refused = async (code: string) => {
      const { exitCode, stderr } = await runCommand(test.database.url, 'plan', 'delete', code, '--json');
      return [exitCode, JSON.parse(stderr) as unknown];
    };
    expect(await refused('gold')).toEqual([
      1,
      {
        code: 'conflict',
        message:
          'Plan "gold" cannot be deleted: clients have or had it: ' +
          `${(await answer<{ client_id: number }>('client', 'show', 'x@example.com')).client_id} (X).`,
      },
    ]);
    expect(await refused('tin')).toEqual([1, { code: 'plan_not_found', message: 'There is no plan "tin".' }]);
  });

  it('tells what was changed past the service, and by which role', async () => {
    await test.fixtures.changeProduct('MUG', { basePrice: 120 });
    await test.fixtures.changeProduct('MUG', { name: 'A mug' });
    const notice = await changes('--subject', 'product');
    expect(notice).toMatchObject([{ name: 'MUG', before: { base_price: 100 }, after: { base_price: 120 } }]);
    expect(notice[0]!.actor).toMatch(/^sql:/);
    const { stdout } = await runCommand(test.database.url, 'changes', 'list');
    expect(stdout).toContain('base_price 120');
  });

  it('goes up to the end of a day, and not into the next', async () => {
    await answer('plan', 'set', 'silver', ...by);
    await test.fixtures.rewrite(
      `UPDATE changes SET changed_at = '2025-01-02T00:00:00Z' WHERE subject = 'plan' AND name = 'silver'`,
    );
    expect(await changes('--to', '2025-01-01')).toEqual([]);
    expect(await changes('--to', '2025-01-02')).toMatchObject([{ name: 'silver' }]);
  });

  it('is written once', async () => {
    await expect(test.pool.query('DELETE FROM changes')).rejects.toThrow('written once');
    expect(await changes('--to', '2020-01-01')).toEqual([]);
  });
});
