import { PriceFiles } from '../../../src/modules/plans/price-files.service.js';
import { ScheduledPricesJob } from '../../../src/modules/plans/scheduled-prices-job.service.js';
import { OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { readable } from '../../support/page-text.js';
import { answerOf } from '../../support/run-command.js';
import { signIn } from '../../support/sign-in.js';
import { setUpTestApp } from '../../support/test-app.js';

const RENEW = 'Ask <a href="/dashboard/help">the wholesaler</a> to renew it';

describe('The plan in the dashboard', () => {
  const test = setUpTestApp({ rateLimitPerMinute: 1_200, unpaidOrdersLimit: 10 });

  const planOf = async (clientId: number) =>
    (await (await signIn(test, clientId, 'viewer')).get('/dashboard/plan').expect(200)).text;

  it('says at which discount a client buys, until when, and what it may leave unpaid', async () => {
    const { id: planId } = await test.fixtures.plan({ name: 'Growth <b>', discount: '12.5' });
    const { sku } = await test.fixtures.product({ basePrice: '100.00' });
    await test.fixtures.fixedPrice(planId, sku, '80.00');
    const store = await test.fixtures.store({ planId, until: 90 });
    await test.post(store, '/api/orders', orderBody([{ sku, quantity: 2 }])).expect(201);
    const text = await planOf(store.clientId);
    expect(text).toContain('<h1>Your plan is Growth &lt;b></h1>');
    expect(text).toContain('12.5 %');
    expect(text).toContain('1 product<');
    expect(text).toContain('₹160.00');
    expect(text).toContain('1 of at most 10');
    expect(text).toContain('1,200 units per minute');
    expect(text).toContain('No further subscription is agreed.');
    expect(text).not.toContain(RENEW);
  });

  it('warns before a subscription ends that nothing follows, and tells what does', async () => {
    const { id: next } = await test.fixtures.plan({ name: 'Premium', discount: '20' });
    const store = await test.fixtures.store({ until: 10 });
    expect(await planOf(store.clientId)).toContain(RENEW);
    await test.fixtures.subscription(store.clientId, next, 10, 375);
    const text = await planOf(store.clientId);
    expect(text).not.toContain(RENEW);
    expect(text).toMatch(/Premium.*20 %/s);
  });

  it('says that a subscription has ended, or never was', async () => {
    const { id: planId } = await test.fixtures.plan({ name: 'The last one' });
    const ended = await test.fixtures.store({ from: -60, until: -30 });
    await test.fixtures.subscription(ended.clientId, planId, -30, -1);
    const text = await planOf(ended.clientId);
    expect(text).toContain('<h1>Your subscription has ended</h1>');
    expect(text).toContain('Your plan was The last one, until');
    const { clientId } = await test.fixtures.store({ until: null });
    expect(await planOf(clientId)).toContain('<h1>You have no subscription</h1>');
  });

  describe('tells which prices will change', () => {
    const schedule = (...args: string[]) =>
      answerOf<{ change: number }>(test.database.url, ...args, '--from', '2099-12-01');
    let planId: number;
    let clientId: number;

    beforeEach(async () => {
      await test.fixtures.clear();
      ({ id: planId } = await test.fixtures.plan({ code: 'gold', discount: '10' }));
      ({ clientId } = await test.fixtures.store({ planId }));
      await test.fixtures.plan({ code: 'other' });
      await test.fixtures.products([
        { sku: 'MUG', name: 'Mug <b>' },
        { sku: 'BOWL', name: 'Bowl' },
        { sku: 'GONE', name: 'Gone', active: false },
      ]);
    });
    const fixed = async (...rows: string[]) => {
      const app = await OperatorServices.open(test.database.url);
      const period = { from: new Date('2099-11-30T18:30:00Z'), to: new Date('2099-12-31T18:30:00Z') };
      const file = ['plan,sku,wholesale_price', ...rows, ''].join('\n');
      const { failed } = await app.import(app.app.get(PriceFiles), file, { ...period, force: true });
      await app.close();
      expect(failed).toEqual([]);
    };
    const csv = async () => {
      const browser = await signIn(test, clientId, 'viewer');
      return (await browser.get('/dashboard/plan/prices.csv').expect(200)).text.slice(1);
    };

    it('of its own plan and active products, at its own prices and the discount of that day', async () => {
      await fixed('gold,MUG,70', 'gold,GONE,70', 'other,MUG,12.34');
      await schedule('product', 'set', 'BOWL', '--base-price', '120');
      await schedule('plan', 'set', 'gold', '--discount', '15');
      await schedule('plan', 'set', 'other', '--discount', '37');
      const page = await planOf(clientId);
      const text = readable(page);
      expect(text).toContain('Prices that will change');
      expect(text).toMatch(/Mug <b>\s+MUG\s+₹90\.00\s+₹70\.00\s+1 Dec 2099, 00:00\s+1 Jan 2100, 00:00/);
      expect(text).toMatch(/Bowl\s+BOWL\s+₹90\.00\s+₹102\.00\s+1 Dec 2099, 00:00\s+Stays/);
      expect(text).toMatch(/Your discount\s+off the base prices\s+10 %\s+15 %/);
      expect([page.includes('Gone'), page.includes('12.34'), page.includes('37 %')]).toEqual([
        false,
        false,
        false,
      ]);
      expect((await csv()).split('\r\n')).toEqual([
        'SKU,Product,Now,Then,From,Until,Unit',
        'MUG,Mug <b>,90.00,70.00,2099-12-01 00:00:00,2100-01-01 00:00:00,INR',
        'BOWL,Bowl,90.00,102.00,2099-12-01 00:00:00,,INR',
        ',Your discount,10.00,15.00,2099-12-01 00:00:00,,%',
        '',
      ]);
    });

    it('not of a base price that a fixed price hides, nor of what was withdrawn', async () => {
      await test.fixtures.fixedPrice(planId, 'BOWL', '80');
      await schedule('product', 'set', 'BOWL', '--base-price', '120');
      const { change } = await schedule('product', 'set', 'MUG', '--base-price', '120');
      expect(await planOf(clientId)).toContain('Prices that will change');
      await answerOf(test.database.url, 'price', 'withdraw', String(change));
      expect(await planOf(clientId)).not.toContain('Prices that will change');
    });

    it('back at the end of those that run, unless a person has changed them', async () => {
      await fixed('gold,MUG,70', 'gold,BOWL,70');
      await test.fixtures.sql(`UPDATE price_schedules SET from_at = now()`);
      await test.app.get(ScheduledPricesJob, { strict: false }).runSoon();
      await test.fixtures.fixedPrice(planId, 'BOWL', '75');
      const rows = (await csv()).split('\r\n');
      expect(rows.slice(1)).toEqual(['MUG,Mug <b>,70.00,90.00,2100-01-01 00:00:00,,INR', '']);
      await schedule('plan', 'set', 'gold', '--discount', '15');
      expect((await csv()).split('\r\n')[1]).toBe('MUG,Mug <b>,70.00,85.00,2100-01-01 00:00:00,,INR');
    });

    it('of many the first ones, and all in a file', async () => {
      const skus = Array.from({ length: 120 }, (_, n) => `S-${n}`);
      await test.fixtures.products(skus.map((sku) => ({ sku })));
      await fixed(...skus.map((sku) => `gold,${sku},70`));
      const text = await planOf(clientId);
      expect(text).toContain('The first 100 prices that will change');
      expect([text.includes('S-99'), text.includes('S-100')]).toEqual([true, false]);
      expect((await csv()).split('\r\n')).toHaveLength(122);
    });

    it('to no client without a subscription', async () => {
      await fixed('gold,MUG,70');
      ({ clientId } = await test.fixtures.store({ until: null }));
      expect(await planOf(clientId)).not.toContain('Prices that will change');
      expect(await csv()).toBe('SKU,Product,Now,Then,From,Until,Unit\r\n');
    });
  });
});
