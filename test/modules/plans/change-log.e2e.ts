import type { LoggedChange } from '../../../src/modules/plans/change-log.repository.js';
import { adminApi, dataOf } from '../../support/admin-api.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('The log of changes', () => {
  const test = setUpTestApp();
  const admin = makeBeforeAll(() => adminApi(test));
  let actor: string;
  beforeAll(async () => {
    await test.fixtures.neighbours();
    await test.fixtures.product({ sku: 'MUG', basePrice: '100.00' });
    actor = `key ${admin.keyId} (ERP of admin)`;
  });

  const changes = async (query = '') =>
    (await admin.get(`price-history${query}`).expect(200)).body.data as LoggedChange[];
  const setPlan = (code: string, body: object) => dataOf(admin.put(`plans/${code}`, body));
  const fix = (...rows: string[]) =>
    admin
      .post('imports/prices')
      .set('Content-Type', 'text/csv')
      .send(['plan,sku,wholesale_price', ...rows].join('\n'))
      .expect(200);

  it('tells who changed a plan, from what to what', async () => {
    await setPlan('gold', { discount: 10 });
    await setPlan('gold', { discount: 12.5 });
    expect(await changes('?subject=plan')).toMatchObject([
      { actor, name: 'gold', before: { discount: 10 }, after: { discount: 12.5 } },
      { actor, name: 'gold', before: null, after: { discount: 10 } },
      { name: 'NEIGHBOUR-1', before: null, after: { discount: 50 } },
    ]);
  });

  it('tells of subscriptions, those of a new client too', async () => {
    const client = { name: 'X', email: 'x@example.com', domain: 'x.example.com' };
    const body = { ...client, plan: 'gold', until: '2099-12-31' };
    const { client_id: id } = await dataOf(admin.post('clients', body), 201);
    await admin.delete(`clients/${id as number}/subscription`).expect(200);
    expect(await changes('?subject=subscription')).toMatchObject([
      { actor, before: { ends_at: '2099-12-31T18:30:00+00:00' } },
      { actor, name: `client ${id as number} plan gold`, before: null },
    ]);
  });

  it('tells of every price that a file changed, and of none that it left as it was', async () => {
    for (const price of ['80', '80', '75', '']) await fix(`gold,MUG,${price}`);
    expect((await changes('?subject=price')).slice(0, 3)).toMatchObject([
      { actor, name: 'gold MUG', before: { price: 75 }, after: null },
      { name: 'gold MUG', before: { price: 80 }, after: { price: 75 } },
      { name: 'gold MUG', before: null, after: { price: 80 } },
    ]);
  });

  it('tells of a deleted plan and its prices, which the read model forgets', async () => {
    await setPlan('bronze', { discount: 10 });
    await fix('bronze,MUG,80');
    expect(await dataOf(admin.delete('plans/bronze'))).toEqual({ code: 'bronze', fixed_prices: 1 });
    // Former and future subscriptions do not count.
    expect((await admin.get('plans')).body.data).toMatchObject([
      { code: 'NEIGHBOUR-1', fixed_prices: 1, active_subscriptions: 1 },
      { code: 'gold', fixed_prices: 0, active_subscriptions: 0 },
    ]);
    expect((await changes()).slice(0, 2)).toMatchObject([
      { actor, subject: 'plan', name: 'bronze', before: { discount: 10 }, after: null },
      { actor, subject: 'price', name: 'bronze MUG', before: { price: 80 }, after: null },
    ]);
    // A new plan of the same name has no price of the old one.
    await setPlan('bronze', { discount: 5 });
    const { rows } = await test.pool.query<{ id: number }>(`SELECT id FROM plans WHERE code = 'bronze'`);
    const store = await test.fixtures.store({ planId: rows[0]!.id });
    await test.fixtures.observed();
    const { body } = await test.get(store, '/api/products').expect(200);
    expect(body).toMatchObject({ data: [{ sku: 'MUG', pricing: { wholesale_price: 95 } }] });
    const { body: refused } = await admin.delete('plans/gold').expect(409);
    expect(refused.message).toMatch(/^Plan "gold" cannot be deleted: clients have or had it: \d+ \(X\)\.$/);
  });

  it('tells what was changed past the service, and by which role', async () => {
    await test.fixtures.changeProduct('MUG', { basePrice: 120 });
    await test.fixtures.changeProduct('MUG', { name: 'A mug' });
    expect(await changes('?subject=product&sku=MUG')).toMatchObject([
      {
        actor: expect.stringMatching(/^sql:/) as string,
        name: 'MUG',
        before: { base_price: 100 },
        after: { base_price: 120 },
      },
    ]);
  });

  it('goes up to the end of a day, and not into the next, and is written once', async () => {
    await setPlan('silver', {});
    await test.fixtures.rewrite(
      `UPDATE changes SET changed_at = '2025-01-02T00:00:00Z' WHERE subject = 'plan' AND name = 'silver'`,
    );
    expect(await changes('?to=2025-01-01')).toEqual([]);
    expect(await changes('?to=2025-01-02')).toMatchObject([{ name: 'silver' }]);
    await expect(test.pool.query('DELETE FROM changes')).rejects.toThrow('written once');
  });
});
