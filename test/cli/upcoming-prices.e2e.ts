import { PriceFiles } from '../../src/modules/plans/price-files.service.js';
import {
  ADDITION_LOCK,
  type ScheduledChange,
  SCHEDULES_LOCK,
} from '../../src/modules/plans/price-schedules.repository.js';
import { ScheduledPricesJob } from '../../src/modules/plans/scheduled-prices-job.service.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { OperatorServices } from '../support/operator-services.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpTestApp, startTestApp } from '../support/test-app.js';

const FROM = '2099-12-01';
const TO = '2099-12-31';
const HEAD = 'plan,sku,wholesale_price';

/** Plan `gold` takes 10 % off, and has MUG at 80.00. The base price of MUG and BOWL is 100.00. */
describe('Prices with a date', () => {
  const test = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(test.database.url));
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

  const run = (...args: string[]) => runCommand(test.database.url, ...args);
  const answer = <Value = { change: number }>(...args: string[]) =>
    answerOf<Value>(test.database.url, ...args);
  const refusal = async (...args: string[]) => {
    const { exitCode, stderr } = await run(...args, '--json');
    return [exitCode, JSON.parse(stderr)] as [number, { code: string; message: string }];
  };
  const fileOf = (...rows: string[]) => operator.file([HEAD, ...rows, ''].join('\n'));
  const importFile = async (rows: string[], ...options: string[]) => {
    const requested = ['price', 'import', await fileOf(...rows), '--from', FROM, ...options];
    return (await answer<{ scheduled: { change: number } }>(...requested)).scheduled.change;
  };
  const upcoming = (...options: string[]) => answer<ScheduledChange[]>('price', 'upcoming', ...options);
  const pricesOf = (change: number) => answer<object[]>('price', 'upcoming', String(change));
  const stateOf = async (change: number) =>
    (await upcoming('--past')).find((one) => one.change === change)?.state;

  /** As if the change had been scheduled for an hour ago, or to end a minute ago. */
  async function isDue(change: number, { over = false } = {}): Promise<void> {
    await test.fixtures.sql(
      `UPDATE price_schedules
          SET from_at = now() - interval '1 hour',
              to_at = CASE WHEN $2 THEN now() - interval '1 minute' ELSE to_at END
        WHERE id = $1`,
      [change, over],
    );
    await test.app.get(ScheduledPricesJob, { strict: false }).runSoon();
    await test.fixtures.observed();
  }
  const priceOf = async (sku: string) => {
    const { body } = await test.get(store, `/api/products/${sku}`).expect(200);
    return (body as { data: { pricing: { wholesale_price: number } } }).data.pricing.wholesale_price;
  };
  const log = () =>
    answer<{ actor: string; name: string; before: object | null; after: object | null }[]>('changes', 'list');
  const audited = async () =>
    (await answer<{ action: string; subject: string; actor: string; details: object }[]>('audit', 'list'))
      .filter(({ subject }) => subject.startsWith('scheduled change '))
      .toReversed();

  describe('from a file', () => {
    it('are scheduled as one change, and nothing changes until then', async () => {
      const file = await fileOf('gold,MUG,70', 'gold,BOWL,85');
      const options = ['--from', FROM, '--to', TO, '--by', 'asha'];
      expect((await run('price', 'import', file, '--dry-run', ...options)).stdout).toBe(
        'Row 2: MUG for gold 80.00 → 70.00\nRow 3: BOWL for gold 90.00 → 85.00\n' +
          'Would be: 2 created, 0 updated, 0 unchanged, 0 refused, 0 warnings.\n',
      );
      expect(await upcoming()).toEqual([]);
      const { stdout } = await run('price', 'import', file, ...options);
      expect(stdout).toBe(
        '2 created, 0 updated, 0 unchanged, 0 refused, 0 warnings.\n' +
          'Scheduled change 1: 2 prices from 2099-12-01 to 2099-12-31.\n',
      );
      const from = '2099-11-30T18:30:00.000Z';
      const to = '2099-12-31T18:30:00.000Z';
      expect(await upcoming()).toMatchObject([
        { change: 1, what: 'fixed prices', prices: 2, from, to, state: 'waiting', kept: 0, by: 'asha' },
      ]);
      expect(await pricesOf(1)).toEqual([
        { plan: 'gold', sku: 'MUG', old: 80, new: 70, state: 'waiting' },
        { plan: 'gold', sku: 'BOWL', old: null, new: 85, state: 'waiting' },
      ]);
      await test.app.get(ScheduledPricesJob, { strict: false }).runSoon();
      expect([await priceOf('MUG'), await priceOf('BOWL')]).toEqual([80, 90]);
      const scheduled = { action: 'prices.scheduled', subject: 'scheduled change 1', actor: 'asha' };
      expect(await audited()).toMatchObject([{ ...scheduled, details: { prices: 2, from, to } }]);
    });

    it('begin at their time, and the earlier ones return at the end, in the name of the person', async () => {
      const rows = ['gold,MUG,70', 'gold,BOWL,85'];
      const change = await importFile(rows, '--to', TO, '--by', 'asha');
      const { headers } = await test.get(store, '/api/products/MUG');
      const { body: list } = await test.get(store, '/api/products');
      await isDue(change);
      expect([await priceOf('MUG'), await priceOf('BOWL')]).toEqual([70, 85]);
      const repeated = test.get(store, '/api/products/MUG').set('If-None-Match', headers.etag!);
      expect((await repeated).status).toBe(200);
      const { sync_token: since } = list as { sync_token: string };
      const delta = await test.get(store, `/api/products?since=${encodeURIComponent(since)}`);
      expect((delta.body as { data: { sku: string }[] }).data.map(({ sku }) => sku)).toEqual(['MUG', 'BOWL']);
      expect(await stateOf(change)).toBe('running');
      expect((await log()).slice(0, 2)).toMatchObject([
        { actor: 'asha', name: 'gold BOWL', before: null, after: { price: 85 } },
        { actor: 'asha', name: 'gold MUG', before: { price: 80 }, after: { price: 70 } },
      ]);
      await isDue(change, { over: true });
      expect([await priceOf('MUG'), await priceOf('BOWL')]).toEqual([80, 90]);
      expect([await stateOf(change), await upcoming()]).toEqual(['ended', []]);
      expect((await log()).slice(0, 2)).toMatchObject([
        { actor: 'asha', name: 'gold BOWL', before: { price: 85 }, after: null },
        { actor: 'asha', name: 'gold MUG', before: { price: 70 }, after: { price: 80 } },
      ]);
      expect((await audited()).slice(1)).toMatchObject([
        { action: 'prices.applied', actor: 'asha', details: { prices: 2 } },
        { action: 'prices.ended', actor: 'asha', details: { returned: 2, kept: 0, missed: 0 } },
      ]);
    });

    it('stay without an end, and an empty one removes the fixed price', async () => {
      const change = await importFile(['gold,MUG,']);
      await isDue(change);
      expect([await priceOf('MUG'), await stateOf(change)]).toEqual([90, 'applied']);
      const removed = await importFile(['gold,MUG,95'], '--to', TO);
      await isDue(removed);
      expect(await priceOf('MUG')).toBe(95);
      await isDue(removed, { over: true });
      expect(await priceOf('MUG')).toBe(90);
    });

    it('leave a price that a person set meanwhile, and say so', async () => {
      const change = await importFile(['gold,MUG,70', 'gold,BOWL,85'], '--to', TO);
      await isDue(change);
      const file = await fileOf('gold,MUG,75');
      await answer('price', 'import', file, '--by', 'ben');
      await isDue(change, { over: true });
      expect([await priceOf('MUG'), await priceOf('BOWL')]).toEqual([75, 90]);
      expect(await upcoming('--past')).toMatchObject([{ state: 'ended', prices: 2, kept: 1 }]);
      expect(await pricesOf(change)).toEqual([
        { plan: 'gold', sku: 'MUG', old: 80, new: 70, state: 'kept' },
        { plan: 'gold', sku: 'BOWL', old: null, new: 85, state: 'returned' },
      ]);
      expect((await audited()).at(-1)).toMatchObject({ details: { returned: 1, kept: 1, missed: 0 } });
    });

    it('are never applied if no node ran until their end', async () => {
      const change = await importFile(['gold,MUG,70'], '--to', TO);
      await isDue(change, { over: true });
      expect([await priceOf('MUG'), await stateOf(change)]).toEqual([80, 'missed']);
      expect(await pricesOf(change)).toMatchObject([{ old: 80, new: 70, state: 'missed' }]);
      expect((await log()).filter(({ name }) => name === 'gold MUG')).toHaveLength(1);
    });

    it('are beginning from their time on until a node has applied them', async () => {
      const change = await importFile(['gold,MUG,70']);
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
      const first = await answer<object>('price', 'import', await fileOf('gold,MUG,80.00'), '--from', FROM);
      expect(first).toMatchObject({ created: 0, unchanged: 1 });
      expect(await upcoming()).toEqual([]);
      await importFile(['gold,MUG,70']);
      const back = ['price', 'import', await fileOf('gold,MUG,80'), '--from', '2100-01-01'];
      expect(await answer<object>(...back)).toMatchObject({ created: 1, unchanged: 0 });
    });

    it('are refused row by row, with the reasons of prices of now', async () => {
      const rows = ['gold,NONE,1', 'none,MUG,1', 'gold,MUG,7', 'gold,BOWL,x', 'gold,BOWL,88'];
      const { exitCode, stdout } = await run('price', 'import', await fileOf(...rows), '--from', FROM);
      expect(exitCode).toBe(1);
      expect(stdout).toContain('Row 2: sku there is no product NONE');
      expect(stdout).toContain('Row 3: plan there is no plan none');
      expect(stdout).toContain('from 80.00 to 7.00 (-91.25 %), by more than 50 %');
      expect(stdout).toContain('Row 6: sku is already in row 5');
      expect(stdout).toContain('0 created, 0 updated, 0 unchanged, 5 refused');
      expect(await upcoming()).toEqual([]);
    });

    it('are whole or not there with --all-or-nothing', async () => {
      const rows = ['gold,NONE,1', 'gold,BOWL,88'];
      const file = await fileOf(...rows);
      const { stdout } = await run('price', 'import', file, '--from', FROM, '--all-or-nothing');
      expect(stdout).toContain('Nothing was written.');
      expect(await upcoming()).toEqual([]);
      expect((await run('price', 'import', file, '--from', FROM)).stdout).toContain(
        'Scheduled change 1: 1 price ',
      );
    });
  });

  describe('of a product', () => {
    const set = (...options: string[]) => ['product', 'set', 'BOWL', ...options];

    it('begin and end like those of a file', async () => {
      const { stdout } = await run(...set('--base-price', '120', '--from', FROM, '--to', TO));
      expect(stdout).toBe(
        'Scheduled change 1: 1 price from 2099-12-01 to 2099-12-31.\nBOWL base_price: 100.00 → 120.00\n',
      );
      expect(await upcoming()).toMatchObject([{ what: 'base price of BOWL', prices: 1 }]);
      expect(await pricesOf(1)).toEqual([{ plan: null, sku: 'BOWL', old: 100, new: 120, state: 'waiting' }]);
      await isDue(1);
      expect(await priceOf('BOWL')).toBe(108);
      await isDue(1, { over: true });
      expect(await priceOf('BOWL')).toBe(90);
    });

    it('keep the price of the moment of an order', async () => {
      await answer(...set('--base-price', '120', '--from', FROM));
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

    it.each([
      ['another value', `--name X --from ${FROM}`, 'Only a base price or a GST rate can have dates'],
      [
        'a value beside it',
        `--base-price 90 --delivery-charge 5 --from ${FROM}`,
        'Only a base price or a GST rate can have',
      ],
      ['a past time', '--base-price 90 --from 2020-01-01', 'would begin in the past (from 2020-01-01).'],
      [
        'an end before the start',
        `--base-price 90 --from ${FROM} --to 2099-11-30`,
        'The prices would end before they begin (from 2099-12-01 to 2099-11-30).',
      ],
      ['an end without a start', `--base-price 90 --to ${TO}`, 'An end date needs a start date.'],
      ['a mistake', `--base-price 1 --from ${FROM}`, 'base_price would change from 100.00 to 1.00 (-99 %)'],
      ['no price', `--base-price= --from ${FROM}`, 'base_price '],
    ])('are refused with %s', async (_, options, message) => {
      const [exitCode, refused] = await refusal(...set(...options.split(' ')));
      expect([exitCode, refused.code]).toEqual([1, 'invalid_value']);
      expect(refused.message).toContain(message);
      expect(await upcoming()).toEqual([]);
    });

    it('are refused for an unknown product', async () => {
      expect(await refusal('product', 'set', 'NONE', '--base-price', '1', '--from', FROM)).toMatchObject([
        1,
        { code: 'product_not_found' },
      ]);
    });
  });

  describe('of GST', () => {
    const ratesOf = async () =>
      (
        await test.pool.query<{ sku: string; rate: number | null }>(
          'SELECT sku, gst_rate::float8 AS rate FROM products ORDER BY sku',
        )
      ).rows.map(({ sku, rate }) => `${sku} ${rate}`);
    const rates = async (...rows: string[]) => operator.file(['sku,gst_rate', ...rows, ''].join('\n'));

    it('begin at their time, beside a base price of the same product', async () => {
      await answer('product', 'set', 'BOWL', '--gst-rate', '12');
      await answer('product', 'set', 'BOWL', '--base-price', '120', '--from', FROM);
      const { stdout } = await run('product', 'set', 'BOWL', '--gst-rate', '5 %', '--from', FROM);
      expect(stdout).toBe('Scheduled change 2: 1 GST rate from 2099-12-01.\nBOWL gst_rate: 12.00 → 5.00\n');
      expect(await upcoming()).toMatchObject([{}, { what: 'GST rate of BOWL', state: 'waiting' }]);
      const [, twice] = await refusal('product', 'set', 'BOWL', '--gst-rate', '18', '--from', FROM);
      expect(twice.message).toContain('This rate is in scheduled change 2 at that time');
      expect(await ratesOf()).toEqual(['BOWL 12', 'MUG null']);
      await isDue(2);
      expect(await ratesOf()).toEqual(['BOWL 5', 'MUG null']);
      expect([await priceOf('BOWL'), await stateOf(2)]).toEqual([90, 'applied']);
      const { body } = await test.get(store, '/api/products/BOWL?expand=details').expect(200);
      expect((body as { data: object }).data).toMatchObject({ gst_rate: 5 });
    });

    it('are a file for many products, which is refused row by row', async () => {
      await answer('product', 'set', 'BOWL', '--gst-rate', '12');
      const file = await rates('BOWL,5', 'MUG,18%', 'NONE,5', 'MUG2,13', 'BOWL,18');
      const without = 'A GST rate needs the date from which it applies';
      expect((await refusal('price', 'import-rates', file))[1].message).toContain(without);
      const { stdout, exitCode } = await run('price', 'import-rates', file, '--from', FROM);
      expect(exitCode).toBe(1);
      expect(stdout).toContain('Row 4: sku there is no product NONE');
      expect(stdout).toContain('Row 5: gst_rate must be empty or a rate of GST: 0, 0.1,');
      expect(stdout).toContain('Row 6: sku is already in row 2');
      expect(stdout).toContain('Scheduled change 1: 2 GST rates from 2099-12-01.');
      expect(await pricesOf(1)).toEqual([
        { plan: null, sku: 'MUG', old: null, new: 18, state: 'waiting' },
        { plan: null, sku: 'BOWL', old: 12, new: 5, state: 'waiting' },
      ]);
      await answer('price', 'withdraw', '1');
      await run('price', 'import-rates', await rates('MUG,18', 'BOWL,12'), '--from', FROM);
      await isDue(2);
      expect(await ratesOf()).toEqual(['BOWL 12', 'MUG 18']);
      expect(await audited()).toMatchObject([
        { action: 'gst_rates.scheduled', subject: 'scheduled change 1', details: { gst_rates: 2 } },
        { action: 'gst_rates.withdrawn', subject: 'scheduled change 1', details: { gst_rates: 2 } },
        { action: 'gst_rates.scheduled', subject: 'scheduled change 2', details: { gst_rates: 1 } },
        { action: 'gst_rates.applied', subject: 'scheduled change 2', details: { gst_rates: 1 } },
      ]);
    });

    it.each([
      ['an end', ['--gst-rate', '5', '--from', FROM, '--to', TO]],
      ['no rate', ['--gst-rate', '', '--from', FROM]],
    ])('are refused with %s', async (_, options) => {
      const [exitCode, refused] = await refusal('product', 'set', 'BOWL', ...options);
      expect([exitCode, refused.code]).toEqual([1, 'invalid_value']);
      expect(refused.message).toContain('needs the date from which it applies, and no end');
    });
  });

  describe('of a plan', () => {
    it('are a discount that begins and ends', async () => {
      const { stdout } = await run('plan', 'set', 'gold', '--discount', '15%', '--from', FROM, '--to', TO);
      expect(stdout).toBe(
        'Scheduled change 1: 1 price from 2099-12-01 to 2099-12-31.\nPlan gold: 10 % → 15 % off.\n',
      );
      expect(await upcoming()).toMatchObject([{ what: 'discount of gold' }]);
      await isDue(1);
      expect(await priceOf('BOWL')).toBe(85);
      await isDue(1, { over: true });
      expect(await priceOf('BOWL')).toBe(90);
    });

    it.each([
      ['a name', 'gold --name X --discount 5', 'invalid_value', 'Only a discount'],
      ['no discount', 'gold', 'invalid_value', 'Only a discount can have a date. Give it and its start.'],
      ['an impossible discount', 'gold --discount 101', 'invalid_value', 'from 0 to 100'],
      ['an unknown plan', 'none --discount 5', 'plan_not_found', 'no plan "none"'],
    ])('are refused with %s', async (_, options, code, message) => {
      const [exitCode, refused] = await refusal('plan', 'set', ...options.split(' '), '--from', FROM);
      expect([exitCode, refused.code]).toEqual([1, code]);
      expect(refused.message).toContain(message);
    });

    it('keep the plan from being deleted until they are withdrawn', async () => {
      await answer('plan', 'set', 'silver', '--discount', '5');
      await answer('plan', 'set', 'silver', '--discount', '15', '--from', FROM);
      expect(await refusal('plan', 'delete', 'silver')).toMatchObject([
        1,
        {
          code: 'conflict',
          message: expect.stringContaining(
            'withdraw scheduled change 1 first, which has prices for it',
          ) as string,
        },
      ]);
      await answer('price', 'withdraw', '1');
      await answer('plan', 'delete', 'silver');
      expect(await upcoming('--past')).toMatchObject([{ change: 1, state: 'withdrawn', prices: 0 }]);
    });
  });

  describe('that overlap', () => {
    const MESSAGE =
      'is in scheduled change 1 at that time: withdraw that change first, or choose other dates';
    const discount = (from: string, to?: string) =>
      run('plan', 'set', 'gold', '--discount', '15', '--from', from, ...(to ? ['--to', to] : []));

    it.each([
      ['the same days', FROM, TO],
      ['a day within', '2099-12-15', undefined],
      ['the last day', TO, undefined],
      ['days around it', '2099-01-01', '2100-12-31'],
      ['the first moment', FROM, undefined],
    ])('are refused on %s', async (_, from, to) => {
      await discount(FROM, TO);
      expect(await discount(from, to)).toMatchObject({ exitCode: 1, stderr: `This price ${MESSAGE}.\n` });
      expect(await upcoming()).toHaveLength(1);
    });

    it.each([
      ['before', '2099-11-01', '2099-11-30'],
      ['after', '2100-01-01', undefined],
      ['earlier and without an end', '2099-01-01', undefined],
    ])('do not if they are %s', async (_, from, to) => {
      await discount(FROM, TO);
      expect((await discount(from, to)).exitCode).toBe(0);
    });

    it('are refused if both begin at once without an end, and accepted after a withdrawal', async () => {
      await discount(FROM);
      expect((await discount(FROM)).stderr).toContain(MESSAGE);
      await answer('price', 'withdraw', '1');
      expect((await discount(FROM)).exitCode).toBe(0);
    });

    it('are refused in a file row by row', async () => {
      await importFile(['gold,MUG,70'], '--to', TO);
      const file = await fileOf('gold,MUG,75', 'gold,BOWL,85');
      const { stdout, exitCode } = await run('price', 'import', file, '--from', '2099-12-24');
      expect([exitCode, stdout]).toEqual([
        1,
        `Row 2: sku ${MESSAGE} ("MUG")\n1 created, 0 updated, 0 unchanged, 1 refused, 0 warnings.\n` +
          'Scheduled change 2: 1 price from 2099-12-24.\n',
      ]);
    });

    it.each(['a file', 'a command'])(
      'are refused to %s when another person adds one meanwhile',
      async (way) => {
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
      },
    );

    it('follow each other in their order, even when all are late', async () => {
      await discount(FROM, TO);
      await run('plan', 'set', 'gold', '--discount', '20', '--from', '2100-01-01', '--to', '2100-01-31');
      await test.fixtures.sql(
        `UPDATE price_schedules SET from_at = now() - interval '2 hours', to_at = now() + interval '1 second'
          WHERE id = 1`,
      );
      await test.app.get(ScheduledPricesJob, { strict: false }).runSoon();
      await test.fixtures.sql(
        `UPDATE price_schedules SET to_at = now() - interval '1 hour' WHERE id = 1;
         UPDATE price_schedules SET from_at = now() - interval '1 hour', to_at = now() + interval '1 hour'
          WHERE id = 2`,
      );
      await test.app.get(ScheduledPricesJob, { strict: false }).runSoon();
      expect(await upcoming('--past')).toMatchObject([
        { change: 1, state: 'ended', kept: 0 },
        { change: 2, state: 'running' },
      ]);
      await isDue(2, { over: true });
      expect(await priceOf('BOWL')).toBe(90);
    });
  });

  describe('are withdrawn', () => {
    const withdraw = (change: number) => ['price', 'withdraw', String(change), '--by', 'ben'];

    it('whole, before they begin', async () => {
      const change = await importFile(['gold,MUG,70', 'gold,BOWL,85']);
      expect((await run(...withdraw(change))).stdout).toBe(
        'Withdrew. Scheduled change 1: 2 prices from 2099-12-01.\n' +
          'It had not started: the prices stay as they are.\n',
      );
      await isDue(change);
      expect([await priceOf('MUG'), await stateOf(change)]).toEqual([80, 'withdrawn']);
      expect(await pricesOf(change)).toMatchObject([{ state: 'withdrawn' }, { state: 'withdrawn' }]);
      expect((await audited()).slice(1)).toMatchObject([
        { action: 'prices.withdrawn', actor: 'ben', details: { prices: 2, had_begun: false } },
      ]);
    });

    it('by ending now, while they run', async () => {
      const change = await importFile(['gold,MUG,70'], '--to', TO);
      await isDue(change);
      expect((await run(...withdraw(change))).stdout).toContain(
        'It had started and ends now: the earlier prices return in a moment.',
      );
      await test.app.get(ScheduledPricesJob, { strict: false }).runSoon();
      await test.fixtures.observed();
      expect([await priceOf('MUG'), await stateOf(change)]).toEqual([80, 'withdrawn']);
      expect(await upcoming()).toEqual([]);
    });

    it('once, and only while something is to come', async () => {
      const [waiting, applied] = [await importFile(['gold,MUG,70']), await importFile(['gold,BOWL,85'])];
      await answer(...withdraw(waiting));
      expect(await refusal(...withdraw(waiting))).toEqual([
        1,
        { code: 'conflict', message: 'Scheduled change 1 was withdrawn already.' },
      ]);
      await isDue(applied);
      const [, { code, message }] = await refusal(...withdraw(applied));
      expect([code, message]).toEqual([
        'conflict',
        expect.stringContaining('has started and cannot be withdrawn. Set the prices again.'),
      ]);
      for (const command of [withdraw(7), ['price', 'upcoming', '7']])
        expect(await refusal(...command)).toEqual([
          1,
          { code: 'scheduled_change_not_found', message: 'There is no scheduled change 7.' },
        ]);
    });
  });

  it('are listed with a limit', async () => {
    await importFile(['gold,MUG,70', 'gold,BOWL,85']);
    const { stdout, stderr } = await run('price', 'upcoming', '1', '--limit', '1');
    expect(stdout).toBe('PLAN  SKU  OLD  NEW  STATE\ngold  MUG   80   70  waiting\n');
    expect(stderr).toContain('1 more.');
    expect((await run('price', 'upcoming')).stdout).toMatch(/^CHANGE +WHAT +PRICES +FROM +TO +STATE/);
  });

  it('of many rows are applied in batches, each once, by two nodes at the same moment', async () => {
    const node = await startTestApp({}, test.database);
    const skus = Array.from({ length: 2_500 }, (_, n) => `S-${n}`);
    await test.fixtures.products(skus.map((sku) => ({ sku, basePrice: '100' })));
    const rows = skus.map((sku) => `gold,${sku},95`).join('\n');
    const period = { from: new Date('2099-12-01'), to: new Date('2100-01-01') };
    const report = await operator.import(operator.app.get(PriceFiles), `${HEAD}\n${rows}\n`, period);
    expect(report).toMatchObject({ created: 2_500, failed: [] });
    const both = () =>
      Promise.all([test, node].map(({ app }) => app.get(ScheduledPricesJob, { strict: false }).runSoon()));
    await test.fixtures.sql(`UPDATE price_schedules SET from_at = now()`);
    await both();
    await eventually(async () => (await stateOf(1)) === 'running');
    const written = async () =>
      (
        await test.pool.query<{ times: number }>(
          `SELECT DISTINCT count(*)::int AS times FROM changes WHERE name LIKE 'gold S-%' GROUP BY name`,
        )
      ).rows;
    expect(await written()).toEqual([{ times: 1 }]);
    await test.fixtures.sql(`UPDATE price_schedules SET to_at = now()`);
    await both();
    await eventually(async () => (await stateOf(1)) === 'ended');
    await node.close();
    expect(await written()).toEqual([{ times: 2 }]);
    expect((await test.pool.query('SELECT 1 FROM plan_prices')).rows).toHaveLength(1);
  });
});
