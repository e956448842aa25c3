import { PriceFiles } from '../../../src/modules/plans/price-files.service.js';
import { ADDITION_LOCK, SCHEDULES_LOCK } from '../../../src/modules/plans/price-schedules.repository.js';
import { ScheduledPricesJob } from '../../../src/modules/plans/scheduled-prices-job.service.js';
import { adminApi, dataOf } from '../../support/admin-api.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { OperatorServices } from '../../support/operator-services.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp, startTestApp } from '../../support/test-app.js';

const FROM = '2099-12-01';
const TO = '2099-12-31';
const [BEGIN, END] = ['2099-11-30T18:30:00.000Z', '2099-12-31T18:30:00.000Z'];
const HEAD = 'plan,sku,wholesale_price';

interface Change {
  change: number;
  state: string;
}

/** Plan `gold` takes 10 % off, and has MUG at 80.00. The base price of MUG and BOWL is 100.00. */
describe('Prices with a date', () => {
  const test = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(test.database.url));
  const admin = makeBeforeAll(() => adminApi(test));
  let store: Store;
  beforeEach(async () => {
    await test.fixtures.clear();
    await test.fixtures.products([
      { sku: 'MUG', basePrice: '100' },
      { sku: 'BOWL', basePrice: '100' },
    ]);
    const { id: planId } = await test.fixtures.plan({ code: 'gold', discount: '10' });
    await test.fixtures.fixedPrice(planId, 'MUG', '80');
    store = await test.fixtures.store({ planId });
  });

  const send = (kind: string, query: string, head: string, rows: string[]) =>
    admin
      .post(`imports/${kind}?${query}`)
      .set('Content-Type', 'text/csv')
      .send([head, ...rows, ''].join('\n'));
  const importPrices = (rows: string[], query = `from=${FROM}`) =>
    dataOf(send('prices', query, HEAD, rows)) as Promise<Record<string, number> & { failed: object[] }>;
  const schedule = async (rows: string[], to = '') =>
    ((await importPrices(rows, `from=${FROM}${to && `&to=${to}`}`)).scheduled as unknown as Change).change;
  const set = (path: string, body: object) => dataOf(admin.put(path, body));
  const list = async (path: string) => (await admin.get(path).expect(200)).body.data as Change[];
  const upcoming = () => list('price-changes');
  const withPast = () => list('price-changes?past=true');
  const pricesOf = (change: number) => list(`price-changes/${change}/prices`);
  const stateOf = async (change: number) => (await withPast()).find((one) => one.change === change)?.state;
  const withdraw = (change: number) => admin.delete(`price-changes/${change}`);
  const runJob = () => test.app.get(ScheduledPricesJob, { strict: false }).runSoon();

  /** As if the change had been scheduled for an hour ago, or to end a minute ago. */
  async function isDue(change: number, { over = false } = {}): Promise<void> {
    await test.fixtures.sql(
      `UPDATE price_schedules
          SET from_at = now() - interval '1 hour',
              to_at = CASE WHEN $2 THEN now() - interval '1 minute' ELSE to_at END
        WHERE id = $1`,
      [change, over],
    );
    await runJob();
    await test.fixtures.observed();
  }
  const priceOf = async (sku: string) => {
    const { body } = await test.get(store, `/api/products/${sku}`).expect(200);
    return (body as { data: { pricing: { wholesale_price: number } } }).data.pricing.wholesale_price;
  };
  const both = async () => [await priceOf('MUG'), await priceOf('BOWL')];
  const log = () => list('price-history') as Promise<object[]> as Promise<{ name: string }[]>;
  const audited = () => test.audited('action, actor, details', `subject ~ '^scheduled change'`);

  describe('from a file', () => {
    it('are scheduled as one change, and nothing changes until then', async () => {
      const rows = ['gold,MUG,70', 'gold,BOWL,85'];
      const trial = await importPrices(rows, `from=${FROM}&to=${TO}&dry_run=true`);
      expect(trial).toMatchObject({
        created: 2,
        price_changes: [
          { from: 80, to: 70 },
          { from: 90, to: 85 },
        ],
      });
      expect(await upcoming()).toEqual([]);
      expect(await schedule(rows, TO)).toBe(1);
      const by = `key ${admin.keyId} (ERP of admin)`;
      const what = { what: 'fixed prices', prices: 2, from: BEGIN, to: END };
      expect(await upcoming()).toMatchObject([{ change: 1, ...what, state: 'waiting', kept: 0, by }]);
      expect(await pricesOf(1)).toEqual([
        { plan: 'gold', sku: 'MUG', old: 80, new: 70, state: 'waiting' },
        { plan: 'gold', sku: 'BOWL', old: null, new: 85, state: 'waiting' },
      ]);
      await runJob();
      expect(await both()).toEqual([80, 90]);
      const details = { prices: 2, from: BEGIN, to: END };
      expect(await audited()).toMatchObject([{ action: 'prices.scheduled', actor: by, details }]);
    });

    it('begin at their time, and the earlier ones return at the end, in the name of the person', async () => {
      const change = await schedule(['gold,MUG,70', 'gold,BOWL,85'], TO);
      const actor = `key ${admin.keyId} (ERP of admin)`;
      const { headers } = await test.get(store, '/api/products/MUG');
      const { body: products } = await test.get(store, '/api/products');
      await isDue(change);
      expect(await both()).toEqual([70, 85]);
      await test.get(store, '/api/products/MUG').set('If-None-Match', headers.etag!).expect(200);
      const { sync_token: since } = products as { sync_token: string };
      const delta = await test.get(store, `/api/products?since=${encodeURIComponent(since)}`);
      expect((delta.body as { data: { sku: string }[] }).data.map(({ sku }) => sku)).toEqual(['MUG', 'BOWL']);
      expect(await stateOf(change)).toBe('running');
      expect((await log()).slice(0, 2)).toMatchObject([
        { actor, name: 'gold BOWL', before: null, after: { price: 85 } },
        { actor, name: 'gold MUG', before: { price: 80 }, after: { price: 70 } },
      ]);
      await isDue(change, { over: true });
      expect(await both()).toEqual([80, 90]);
      expect([await stateOf(change), await upcoming()]).toEqual(['ended', []]);
      expect((await log()).slice(0, 2)).toMatchObject([
        { actor, name: 'gold BOWL', before: { price: 85 }, after: null },
        { actor, name: 'gold MUG', before: { price: 70 }, after: { price: 80 } },
      ]);
      expect((await audited()).slice(1)).toMatchObject([
        { action: 'prices.applied', actor, details: { prices: 2 } },
        { action: 'prices.ended', actor, details: { returned: 2, kept: 0, missed: 0 } },
      ]);
    });

    it('stay without an end, and an empty one removes the fixed price', async () => {
      const change = await schedule(['gold,MUG,']);
      await isDue(change);
      expect([await priceOf('MUG'), await stateOf(change)]).toEqual([90, 'applied']);
      const removed = await schedule(['gold,MUG,95'], TO);
      await isDue(removed);
      expect(await priceOf('MUG')).toBe(95);
      await isDue(removed, { over: true });
      expect(await priceOf('MUG')).toBe(90);
    });

    it('leave a price that a person set meanwhile, and say so', async () => {
      const change = await schedule(['gold,MUG,70', 'gold,BOWL,85'], TO);
      await isDue(change);
      await importPrices(['gold,MUG,75'], '');
      await isDue(change, { over: true });
      expect(await both()).toEqual([75, 90]);
      expect(await withPast()).toMatchObject([{ state: 'ended', prices: 2, kept: 1 }]);
      expect(await pricesOf(change)).toMatchObject([
        { sku: 'MUG', state: 'kept' },
        { sku: 'BOWL', state: 'returned' },
      ]);
      expect((await audited()).at(-1)).toMatchObject({ details: { returned: 1, kept: 1, missed: 0 } });
    });

    it('are never applied if no node ran until their end', async () => {
      const change = await schedule(['gold,MUG,70'], TO);
      await isDue(change, { over: true });
      expect([await priceOf('MUG'), await stateOf(change)]).toEqual([80, 'missed']);
      expect(await pricesOf(change)).toMatchObject([{ old: 80, new: 70, state: 'missed' }]);
      expect((await log()).filter(({ name }) => name === 'gold MUG')).toHaveLength(1);
    });

    it('are beginning from their time on until a node has applied them', async () => {
      const change = await schedule(['gold,MUG,70']);
      const held = await test.pool.connect();
      try {
        // As if another node were applying prices.
        await held.query(`BEGIN; SELECT pg_advisory_xact_lock(${SCHEDULES_LOCK})`);
        await isDue(change);
        expect([await priceOf('MUG'), await stateOf(change)]).toEqual([80, 'beginning']);
      } finally {
        await held.query('ROLLBACK');
        held.release();
      }
      await isDue(change);
      expect([await priceOf('MUG'), await stateOf(change)]).toEqual([70, 'applied']);
    });

    it('are unchanged rows if they are the prices of now, unless these change before', async () => {
      expect(await importPrices(['gold,MUG,80.00'])).toMatchObject({ created: 0, unchanged: 1 });
      expect(await upcoming()).toEqual([]);
      await schedule(['gold,MUG,70']);
      expect(await importPrices(['gold,MUG,80'], 'from=2100-01-01')).toMatchObject({ created: 1 });
    });

    it('are refused row by row, or as a whole, with the reasons of prices of now', async () => {
      const rows = ['gold,NONE,1', 'none,MUG,1', 'gold,MUG,7', 'gold,BOWL,x', 'gold,BOWL,88'];
      const { created, failed } = await importPrices(rows);
      expect([created, failed]).toMatchObject([
        0,
        [
          { line: 2, message: 'there is no product NONE' },
          { line: 3, message: 'there is no plan none' },
          { message: expect.stringContaining('from 80.00 to 7.00 (-91.25 %), by more than 50 %') as string },
          { line: 5 },
          { line: 6, message: expect.stringContaining('is already in row 5') as string },
        ],
      ]);
      const good = [rows[0]!, rows[4]!];
      await send('prices', `from=${FROM}&all_or_nothing=true`, HEAD, good).expect(422);
      expect(await upcoming()).toEqual([]);
      expect(await schedule(good)).toBe(1);
    });
  });

  describe('of a product', () => {
    it('begin and end like those of a file', async () => {
      const body = { base_price: 120, from: FROM, to: TO };
      expect(await set('products/BOWL', body)).toMatchObject({ change: 1, old: 100, new: 120 });
      expect(await upcoming()).toMatchObject([{ what: 'base price of BOWL', prices: 1 }]);
      expect(await pricesOf(1)).toMatchObject([{ plan: null, sku: 'BOWL', old: 100, new: 120 }]);
      await isDue(1);
      expect(await priceOf('BOWL')).toBe(108);
      await isDue(1, { over: true });
      expect(await priceOf('BOWL')).toBe(90);
    });

    it('keep the price of the moment of an order', async () => {
      await set('products/BOWL', { base_price: 120, from: FROM });
      const place = () => test.place(store, [{ sku: 'BOWL', quantity: 2 }]);
      const before = await place();
      const [during] = await Promise.all([place(), isDue(1)]);
      const after = await place();
      const { rows } = await test.pool.query<{ order_number: string; unit_price: string }>(
        'SELECT order_number, unit_price FROM order_items',
      );
      const paid = new Map(rows.map((row) => [row.order_number, row.unit_price]));
      expect([paid.get(before), paid.get(after)]).toEqual(['90.00', '108.00']);
      expect(['90.00', '108.00']).toContain(paid.get(during));
    });

    const NO_DATE = 'Only a base price or a GST rate can have';
    it.each([
      ['another value', { name: 'X', from: FROM }, NO_DATE],
      ['a value beside it', { base_price: 90, delivery_charge: 5, from: FROM }, NO_DATE],
      ['a past time', { base_price: 90, from: '2020-01-01' }, 'would begin in the past (from 2020-01-01).'],
      ['an early end', { base_price: 90, from: FROM, to: '2099-11-30' }, 'would end before they begin'],
      ['an end without a start', { base_price: 90, to: TO }, 'An end date needs a start date.'],
      ['a mistake', { base_price: 1, from: FROM }, 'from 100.00 to 1.00 (-99 %)'],
      ['no price', { base_price: '', from: FROM }, 'base_price'],
      ['an end of a rate', { gst_rate: 5, from: FROM, to: TO }, 'from which it applies, and no end'],
      ['no rate', { gst_rate: '', from: FROM }, 'from which it applies, and no end'],
    ])('are refused with %s', async (_, body, message) => {
      const { body: refused } = await admin.put('products/BOWL', body).expect(422);
      expect(JSON.stringify(refused)).toContain(message);
      expect(await upcoming()).toEqual([]);
    });
  });

  describe('of GST', () => {
    const rates = async () =>
      (
        await test.pool.query<{ text: string }>(
          `SELECT concat(sku, ' ', gst_rate::float8) AS text FROM products ORDER BY sku`,
        )
      ).rows.map(({ text }) => text);

    it('begin at their time, beside a base price of the same product', async () => {
      await set('products/BOWL', { gst_rate: 12 });
      await set('products/BOWL', { base_price: 120, from: FROM });
      const change = await set('products/BOWL', { gst_rate: '5 %', from: FROM });
      expect(change).toMatchObject({ change: 2, column: 'gst_rate', old: 12, new: 5 });
      expect(await upcoming()).toMatchObject([{}, { what: 'GST rate of BOWL', state: 'waiting' }]);
      const { body: twice } = await admin.put('products/BOWL', { gst_rate: 18, from: FROM });
      expect(JSON.stringify(twice)).toContain('This rate is in scheduled change 2 at that time');
      expect(await rates()).toEqual(['BOWL 12', 'MUG ']);
      await isDue(2);
      expect(await rates()).toEqual(['BOWL 5', 'MUG ']);
      expect([await priceOf('BOWL'), await stateOf(2)]).toEqual([90, 'applied']);
      const { body } = await test.get(store, '/api/products/BOWL?expand=details').expect(200);
      expect((body as { data: object }).data).toMatchObject({ gst_rate: 5 });
    });

    it('are a file for many products, which is refused row by row', async () => {
      const load = (rows: string[], query = `from=${FROM}`) => send('rates', query, 'sku,gst_rate', rows);
      await set('products/BOWL', { gst_rate: 12 });
      const rows = ['BOWL,5', 'MUG,18%', 'NONE,5', 'MUG2,13', 'BOWL,18'];
      expect((await load(rows, '').expect(422)).body.message).toContain(
        'needs the date from which it applies',
      );
      expect(await dataOf(load(rows))).toMatchObject({
        updated: 2,
        failed: [
          { line: 4, column: 'sku' },
          { line: 5, column: 'gst_rate' },
          { line: 6, column: 'sku' },
        ],
        scheduled: { change: 1, prices: 2 },
      });
      expect(await pricesOf(1)).toMatchObject([
        { plan: null, sku: 'MUG', old: null, new: 18 },
        { plan: null, sku: 'BOWL', old: 12, new: 5 },
      ]);
      await withdraw(1).expect(200);
      await load(['MUG,18', 'BOWL,12']).expect(200);
      await isDue(2);
      expect(await rates()).toEqual(['BOWL 12', 'MUG 18']);
      expect(await audited()).toMatchObject([
        { action: 'gst_rates.scheduled', details: { gst_rates: 2 } },
        { action: 'gst_rates.withdrawn', details: { gst_rates: 2 } },
        { action: 'gst_rates.scheduled', details: { gst_rates: 1 } },
        { action: 'gst_rates.applied', details: { gst_rates: 1 } },
      ]);
    });
  });

  describe('of a plan', () => {
    it('are a discount that begins and ends', async () => {
      const discount = { discount: '15%', from: FROM, to: TO };
      expect(await set('plans/gold', discount)).toMatchObject({ change: 1, old: 10, new: 15 });
      expect(await upcoming()).toMatchObject([{ what: 'discount of gold' }]);
      await isDue(1);
      expect(await priceOf('BOWL')).toBe(85);
      await isDue(1, { over: true });
      expect(await priceOf('BOWL')).toBe(90);
    });

    it.each([
      ['a name', 'gold', { name: 'X', discount: 5 }, 'Only a discount'],
      ['no discount', 'gold', {}, 'Only a discount can have a date.'],
      ['an impossible discount', 'gold', { discount: 101 }, '100'],
      ['an unknown plan', 'none', { discount: 5 }, 'plan_not_found'],
    ])('are refused with %s', async (_, code, body, message) => {
      const { status, body: refused } = await admin.put(`plans/${code}`, { ...body, from: FROM });
      expect([status, JSON.stringify(refused)]).toEqual([
        code === 'none' ? 404 : 422,
        expect.stringContaining(message),
      ]);
    });

    it('keep the plan from being deleted until they are withdrawn', async () => {
      await set('plans/silver', { discount: 5 });
      await set('plans/silver', { discount: 15, from: FROM });
      const { body } = await admin.delete('plans/silver').expect(409);
      expect(body.message).toContain('withdraw scheduled change 1 first, which has prices for it');
      await withdraw(1).expect(200);
      await admin.delete('plans/silver').expect(200);
      expect(await pricesOf(1)).toEqual([]);
    });
  });

  describe('that overlap', () => {
    const MESSAGE =
      'is in scheduled change 1 at that time: withdraw that change first, or choose other dates';
    const discount = (from: string, to?: string) => admin.put('plans/gold', { discount: 15, from, to });

    it.each([
      ['the same days', FROM, TO],
      ['a day within', '2099-12-15', undefined],
      ['the last day', TO, undefined],
      ['days around it', '2099-01-01', '2100-12-31'],
      ['the first moment', FROM, undefined],
    ])('are refused on %s', async (_, from, to) => {
      await discount(FROM, TO).expect(200);
      expect((await discount(from, to)).body.message).toBe(`This price ${MESSAGE}.`);
      expect(await upcoming()).toHaveLength(1);
    });

    it.each([
      ['before', '2099-11-01', '2099-11-30'],
      ['after', '2100-01-01', undefined],
      ['earlier and without an end', '2099-01-01', undefined],
    ])('do not if they are %s', async (_, from, to) => {
      await discount(FROM, TO).expect(200);
      await discount(from, to).expect(200);
    });

    it('are refused if both begin at once without an end, and accepted after a withdrawal', async () => {
      await discount(FROM).expect(200);
      expect((await discount(FROM)).body.message).toContain(MESSAGE);
      await withdraw(1).expect(200);
      await discount(FROM).expect(200);
    });

    it('are refused in a file row by row', async () => {
      await schedule(['gold,MUG,70'], TO);
      expect(await importPrices(['gold,MUG,75', 'gold,BOWL,85'], 'from=2099-12-24')).toMatchObject({
        created: 1,
        failed: [{ line: 2, column: 'sku', message: `${MESSAGE} ("MUG")` }],
        scheduled: { change: 2, prices: 1 },
      });
    });

    it.each(['a file', 'a form'])('are refused to %s when another person adds one meanwhile', async (way) => {
      const client = await test.pool.connect();
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock($1)', [ADDITION_LOCK]);
      const period = { from: new Date('2099-12-05') };
      const files = operator.app.get(PriceFiles);
      const late =
        way === 'a file'
          ? operator.import(files.basePrices, 'sku,base_price\nMUG,110\n', period)
          : files.scheduleOne('MUG', { base_price: '110' }, period, { actor: 'test' });
      const outcome = late.then((report) => JSON.stringify(report), String);
      await eventually(async () => {
        const waits = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`;
        return (await test.pool.query(waits, [ADDITION_LOCK])).rowCount === 1;
      });
      await client.query(
        `WITH added AS (INSERT INTO price_schedules (from_at, actor) VALUES ($1, 'ben') RETURNING id)
         INSERT INTO scheduled_prices (schedule_id, number, product_id, value)
         SELECT added.id, 1, products.id, 120 FROM added, products WHERE sku = 'MUG'`,
        [period.from],
      );
      await client.query('COMMIT');
      client.release();
      expect(await outcome).toContain(MESSAGE);
      expect(await upcoming()).toHaveLength(1);
    });

    it('follow each other in their order, even when all are late', async () => {
      await discount(FROM, TO).expect(200);
      await set('plans/gold', { discount: 20, from: '2100-01-01', to: '2100-01-31' });
      await test.fixtures.sql(
        `UPDATE price_schedules SET from_at = now() - interval '2 hours', to_at = now() + interval '1 second'
          WHERE id = 1`,
      );
      await runJob();
      await test.fixtures.sql(
        `UPDATE price_schedules SET to_at = now() - interval '1 hour' WHERE id = 1;
         UPDATE price_schedules SET from_at = now() - interval '1 hour', to_at = now() + interval '1 hour'
          WHERE id = 2`,
      );
      await runJob();
      const changes = (await withPast()).toSorted((a, b) => a.change - b.change);
      expect(changes).toMatchObject([{ state: 'ended', kept: 0 }, { state: 'running' }]);
      await isDue(2, { over: true });
      expect(await priceOf('BOWL')).toBe(90);
    });
  });

  describe('are withdrawn', () => {
    it('whole, before they begin', async () => {
      const change = await schedule(['gold,MUG,70', 'gold,BOWL,85']);
      expect(await dataOf(withdraw(change))).toMatchObject({ change, had_begun: false });
      await isDue(change);
      expect([await priceOf('MUG'), await stateOf(change)]).toEqual([80, 'withdrawn']);
      expect(await pricesOf(change)).toMatchObject([{ state: 'withdrawn' }, { state: 'withdrawn' }]);
      const details = { prices: 2, had_begun: false };
      expect((await audited()).slice(1)).toMatchObject([{ action: 'prices.withdrawn', details }]);
    });

    it('by ending now, while they run', async () => {
      const change = await schedule(['gold,MUG,70'], TO);
      await isDue(change);
      expect(await dataOf(withdraw(change))).toMatchObject({ had_begun: true });
      await runJob();
      await test.fixtures.observed();
      expect([await priceOf('MUG'), await stateOf(change)]).toEqual([80, 'withdrawn']);
      expect(await upcoming()).toEqual([]);
    });

    it('once, and only while something is to come', async () => {
      const [waiting, applied] = [await schedule(['gold,MUG,70']), await schedule(['gold,BOWL,85'])];
      await withdraw(waiting).expect(200);
      const { body } = await withdraw(waiting).expect(409);
      expect(body.message).toBe('Scheduled change 1 was withdrawn already.');
      await isDue(applied);
      const { body: started } = await withdraw(applied).expect(409);
      expect(started.message).toContain('has started and cannot be withdrawn. Set the prices again.');
    });
  });

  it('of many rows are applied in batches, each once, by two nodes at the same moment', async () => {
    const node = await startTestApp({}, test.database);
    const skus = Array.from({ length: 2_500 }, (_, n) => `S-${n}`);
    await test.fixtures.products(skus.map((sku) => ({ sku, basePrice: '100' })));
    const rows = skus.map((sku) => `gold,${sku},95`);
    expect(await importPrices(rows, `from=${FROM}&to=${TO}`)).toMatchObject({ created: 2_500, failed: [] });
    const onBoth = () =>
      Promise.all([test, node].map(({ app }) => app.get(ScheduledPricesJob, { strict: false }).runSoon()));
    await test.fixtures.sql(`UPDATE price_schedules SET from_at = now()`);
    await onBoth();
    await eventually(async () => (await stateOf(1)) === 'running');
    const written = async () =>
      (
        await test.pool.query(
          `SELECT times, count(*)::int AS prices
             FROM (SELECT count(*)::int AS times FROM changes WHERE name LIKE 'gold S-%' GROUP BY name) AS written
            GROUP BY times`,
        )
      ).rows;
    expect(await written()).toEqual([{ times: 1, prices: 2_500 }]);
    await test.fixtures.sql(`UPDATE price_schedules SET to_at = now()`);
    await onBoth();
    await eventually(async () => (await stateOf(1)) === 'ended');
    await node.close();
    expect(await written()).toEqual([{ times: 2, prices: 2_500 }]);
    expect((await test.pool.query('SELECT 1 FROM plan_prices')).rows).toHaveLength(1);
  });
});
