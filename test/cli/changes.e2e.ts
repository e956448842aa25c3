import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CatalogFiles } from '../../src/modules/catalog/catalog-files.service.js';
import type { LoggedChange } from '../../src/modules/plans/change-log.repository.js';
import { PriceFiles } from '../../src/modules/plans/price-files.service.js';
import type { ImportOptions } from '../../src/shared/imports/import-kind.js';
import type { Store } from '../support/fixtures.js';
import { OperatorServices } from '../support/operator-services.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { endEverything } from '../support/suite-end.js';
import { makeBeforeAll, setUpDirectory } from '../support/suite-hooks.js';
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

  afterAll(endEverything);
});

describe('one product or count, changed by a command', () => {
  const service = setUpTestApp();
  let store: Store;
  beforeEach(async () => {
    await service.fixtures.clear();
    store = await service.fixtures.store();
    const variations = [{ name: 'Size', values: ['S', 'M'] }];
    await service.fixtures.products([
      { sku: 'MUG', stock: 5 },
      { sku: 'SHIRT', stock: 5, variations },
    ]);
  });

  const run = (...args: string[]) => runCommand(service.database.url, ...args);
  const answer = <Value = object>(...args: string[]) => answerOf<Value>(service.database.url, ...args);
  const refusal = async (...args: string[]) => {
    const { exitCode, stderr } = await run(...args, '--json');
    return [exitCode, JSON.parse(stderr)] as [number, { code: string; message: string }];
  };
  const place = (sku: string, quantity: number) => service.place(store, [{ sku, quantity }]);

  it('changes what is given of a product, and leaves the rest', async () => {
    const changes = ['--name', '=Best mug', '--base-price', '120.5', '--category', ''];
    expect(await answer('product', 'set', 'MUG', ...changes)).toEqual({
      product: {
        sku: 'MUG',
        name: '=Best mug',
        description: 'A product for a test.',
        category: '',
        images: '',
        low_stock: '',
        shelf: '',
        hsn: '',
        gst_rate: '',
        gst_treatment: '',
        unit: '',
        barcode: '',
        weight_grams: '',
        mrp: '',
        country_of_origin: '',
        manufacturer: '',
        net_quantity: '',
        details_url: '',
        base_price: '120.50',
        delivery_charge: '0.00',
        active: true,
        variations: '',
      },
      changed: [
        { column: 'name', from: 'Product MUG', to: '=Best mug' },
        { column: 'category', from: 'Tests', to: '' },
        { column: 'base_price', from: '100.00', to: '120.50' },
      ],
      warnings: [],
    });
    await service.fixtures.observed();
    const displayed = await service.get(store, '/api/products/MUG');
    expect(displayed.body).toMatchObject({
      data: { name: '=Best mug', pricing: { wholesale_price: 120.5 } },
    });
    expect((await run('product', 'set', 'MUG', '--base-price', '120.50')).stdout).toBe(
      'MUG has these values already.\n',
    );
    expect((await run('product', 'set', 'MUG', '--delivery-charge', '3')).stdout).toBe(
      'MUG delivery_charge: 0.00 → 3.00\n',
    );
  });

  it('holds back what an import would hold back, and refuses what it would refuse', async () => {
    expect(await refusal('product', 'set', 'MUG', '--base-price', '1000')).toMatchObject([
      1,
      { code: 'invalid_value', message: expect.stringContaining('--force') as string },
    ]);
    expect(
      await answer('product', 'set', 'MUG', '--base-price', '1000', '--max-change', '900'),
    ).toBeDefined();
    expect(await answer('product', 'set', 'MUG', '--base-price', '0', '--force')).toBeDefined();
    expect(await refusal('product', 'set', 'MUG', '--name', ' ', '--active', 'perhaps')).toMatchObject([
      1,
      { message: 'name must not be empty. active must be yes or no ("perhaps").' },
    ]);
    expect(await refusal('product', 'set', 'JUG', '--name', 'Jug')).toMatchObject([
      1,
      { code: 'product_not_found' },
    ]);
    expect(await refusal('product', 'set', 'MUG')).toMatchObject([2, { code: 'usage' }]);
  });

  it('takes a product off sale, and tells the open orders that want it', async () => {
    const [waiting, paid, shipped] = [await place('MUG', 1), await place('MUG', 2), await place('MUG', 1)];
    await moveOrder(service, store, paid, 'pay');
    await moveOrder(service, store, shipped, 'pay', 'ship');
    const open = [
      { order_number: waiting, status: 'awaiting_payment', quantity: 1 },
      { order_number: paid, status: 'pending', quantity: 2 },
    ];
    expect(await answer('product', 'deactivate', 'MUG')).toMatchObject({
      product: { active: false },
      changed: [{ column: 'active', from: true, to: false }],
      open_orders: open,
    });
    await service.fixtures.observed();
    expect((await service.get(store, '/api/products/MUG')).status).toBe(404);
    const repeated = await run('product', 'deactivate', 'MUG');
    expect(repeated.stdout).toContain('MUG has these values already.');
    for (const { order_number } of open) expect(repeated.stdout).toContain(order_number);
    expect((await run('product', 'deactivate', 'SHIRT')).stdout).toContain('No open order needs it.');
  });

  it('says how many of one thing are on the shelf, and records the difference once', async () => {
    await place('MUG', 2);
    const counted = { sku: 'MUG', variation: '', on_hand: 9, held: 2, for_sale: 7 };
    expect(await answer('stock', 'count', 'MUG', '9', '--by', 'asha')).toEqual(counted);
    expect(await answer('stock', 'count', 'MUG', '9', '--by', 'asha')).toEqual(counted);
    expect(await answer('stock', 'count', 'SHIRT', 'm', '0')).toMatchObject({
      variation: 'Size:M',
      on_hand: 0,
    });
    const { rows } = await service.pool.query(
      'SELECT delta, reason, actor FROM stock_movements ORDER BY id LIMIT 2',
    );
    expect(rows).toMatchObject([
      { delta: 4, reason: 'count', actor: 'asha' },
      { delta: -5, reason: 'count' },
    ]);
    expect(await refusal('stock', 'count', 'SHIRT', '3')).toMatchObject([1, { code: 'invalid_value' }]);
    expect(await refusal('stock', 'count', 'MUG', '-3')).toMatchObject([2, { code: 'usage' }]);
    expect(await refusal('stock', 'count', 'MUG')).toMatchObject([2, { code: 'usage' }]);
  });

  afterAll(endEverything);
});

const CATALOG = 'sku,name,description,category,images,base_price,delivery_charge,active,variations';

/** A product of 100.00, for which the plan `gold` pays 90.00 and the plan `fixed` 80.00 instead of 95.00. */
describe('prices in a file', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.url));
  beforeEach(async () => {
    await service.fixtures.clear();
    await service.fixtures.products([
      { sku: 'MUG', basePrice: '100' },
      { sku: 'FREE', basePrice: '0' },
    ]);
    await service.fixtures.plan({ code: 'gold', discount: '10' });
    const { id } = await service.fixtures.plan({ code: 'fixed', discount: '5' });
    await service.fixtures.fixedPrice(id, 'MUG', '80');
  });

  const product = (sku: string, price: string) =>
    `${sku},Product ${sku},A product for a test.,Tests,,${price},0,true,`;
  const catalog = (row: string, options: Partial<ImportOptions> = {}) =>
    operator.import(operator.app.get(CatalogFiles), `${CATALOG}\n${row}\n`, options);
  const prices = (row: string, options: Partial<ImportOptions> = {}) =>
    operator.import(operator.app.get(PriceFiles), `plan,sku,wholesale_price\n${row}\n`, options);
  const heldBack = (column: string, message: string) => ({
    created: 0,
    updated: 0,
    failed: [{ line: 2, column, message: expect.stringContaining(message) as string }],
  });

  it.each([
    [
      'fifty times the last one',
      product('MUG', '5000'),
      'from 100.00 to 5000.00 (+4900 %), by more than 50 %',
    ],
    ['far below it', product('MUG', '49.99'), 'from 100.00 to 49.99 (-50.01 %), by more than 50 %'],
    ['0', product('MUG', '0'), 'would be 0, and is 100.00 now'],
    ['0 from the beginning', product('NEW', '0'), 'would be 0: if it is correct'],
  ])('are held back and named where a base price is %s, unless with force', async (_, row, message) => {
    expect(await catalog(row)).toMatchObject(heldBack('base_price', message));
    const { created, updated, failed } = await catalog(row, { force: true });
    expect([created + updated, failed]).toEqual([1, []]);
  });

  it.each([
    ['a fixed price', 'fixed,MUG,160', 'from 80.00 to 160.00 (+100 %)'],
    ['what follows from the discount', 'gold,MUG,1', 'from 90.00 to 1.00 (-98.89 %)'],
    ['a price by 0', 'gold,MUG,0', 'would be 0, and is 90.00 now'],
  ])('are held back and named where they would replace %s, unless with force', async (_, row, message) => {
    expect(await prices(row)).toMatchObject(heldBack('wholesale_price', message));
    const { created, updated } = await prices(row, { force: true });
    expect(created + updated).toBe(1);
  });

  it('may change as far as is asked for', async () => {
    expect(await catalog(product('MUG', '150'))).toMatchObject({ updated: 1, failed: [] });
    expect(await catalog(product('MUG', '450'), { maxChange: 200 })).toMatchObject({
      updated: 1,
      failed: [],
    });
    expect(await catalog(product('MUG', '440'), { maxChange: 2 })).toMatchObject({ failed: [{ line: 2 }] });
    expect(await prices('fixed,MUG,160', { maxChange: 100 })).toMatchObject({ updated: 1, failed: [] });
  });

  it('may stay 0, and may be set where they were 0', async () => {
    expect(await catalog(product('FREE', '0').replace('Tests', 'Gifts'))).toMatchObject({
      updated: 1,
      failed: [],
    });
    expect(await catalog(product('FREE', '300'))).toMatchObject({ updated: 1, failed: [] });
  });

  it('are shown by a dry run, the old and the new one of every change', async () => {
    const { database } = service;
    const file = await operator.file([CATALOG, product('MUG', '120'), product('NEW', '7')].join('\n'));
    const run = await runCommand(database.url, 'catalog', 'import', file, '--dry-run');
    expect(run.stdout).toBe(
      'Row 2: MUG 100.00 → 120.00\nWould be: 1 created, 1 updated, 0 unchanged, 0 refused, 0 warnings.\n',
    );
    const fixed = await operator.file('plan,sku,wholesale_price\ngold,MUG,99.5\nfixed,MUG,\ngold,FREE,0\n');
    const answer = await answerOf<{ price_changes: object[] }>(
      database.url,
      'price',
      'import',
      fixed,
      '--dry-run',
    );
    expect(answer.price_changes).toEqual([
      { line: 2, sku: 'MUG', plan: 'gold', from: 90, to: 99.5 },
      { line: 3, sku: 'MUG', plan: 'fixed', from: 80, to: 95 },
    ]);
  });

  it('take their limit from the command', async () => {
    const { database } = service;
    const file = await operator.file([CATALOG, product('MUG', '160')].join('\n'));
    const command = ['catalog', 'import', file, '--dry-run', '--json'];
    expect((await runCommand(database.url, ...command)).exitCode).toBe(1);
    expect((await runCommand(database.url, ...command, '--max-change', '60%')).exitCode).toBe(0);
    expect((await runCommand(database.url, ...command, '--force')).exitCode).toBe(0);
    expect((await runCommand(database.url, ...command, '--max-change', 'much')).exitCode).toBe(2);
  });

  afterAll(endEverything);
});

const HEADING = 'sku,name,description,category,images,base_price,delivery_charge,active,variations';

describe('new SKUs in a catalog file', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.url));
  beforeEach(async () => {
    await service.fixtures.clear();
    await service.fixtures.products([
      { sku: '00001' },
      { sku: 'SKU-00003', active: false },
      { sku: 'Mug 350' },
    ]);
  });

  const file = (...skus: string[]) => [HEADING, ...skus.map((sku) => `${sku},Name,,,,1,0,true,`)].join('\n');
  const rows = (skus: string[], options: Partial<ImportOptions> = {}) =>
    operator.import(operator.app.get(CatalogFiles), file(...skus), options);
  const skus = async () =>
    (await service.pool.query<{ sku: string }>('SELECT sku FROM products ORDER BY id')).rows.map(
      ({ sku }) => sku,
    );

  it.each([
    ['without its leading zeros', '1', 'differs from 00001 only by'],
    ['with other leading zeros', 'SKU-3', 'differs from SKU-00003 only by'],
    ['in another case', 'sku-00003', 'differs from SKU-00003 only by'],
    ['without its dash', 'SKU00003', 'differs from SKU-00003 only by'],
    ['with another dash', 'SKU–00003', 'differs from SKU-00003 only by'],
    ['without its blank', 'MUG350', 'differs from Mug 350 only by'],
    ['as a shortened number', '8.90123E+12', 'looks like a long number'],
    ['as a shortened number with a comma', '"8,90123E+12"', 'looks like a long number'],
    ['as a broken reference', '#REF!', 'looks like a formula or an error'],
    ['as a broken reference in German', '#BEZUG!', 'looks like a formula or an error'],
    ['as a missing value', '#N/A', 'looks like a formula or an error'],
    ['as a formula', '=A2', 'looks like a formula or an error'],
  ])('are named and not created when a known one comes back %s', async (_, sku, message) => {
    const before = await skus();
    const plain = sku.replaceAll('"', '');
    expect(await rows([sku, 'NEW'])).toMatchObject({
      created: 1,
      failed: [{ line: 2, column: 'sku', message: expect.stringContaining(message) as string }],
    });
    expect(await skus()).toEqual([...before, 'NEW']);
    expect(await rows([sku], { acceptNew: ['other', plain] })).toMatchObject({ created: 1, failed: [] });
    expect(await skus()).toEqual([...before, 'NEW', plain]);
  });

  it.each([['#1001'], ['12E5'], ['A=B'], ['00002']])('may look like %s', async (sku) => {
    expect(await rows([sku])).toMatchObject({ created: 1, failed: [] });
  });

  it('are all created with force, and none with update-only', async () => {
    const odd = ['1', '8.90123E+12', '#REF!'];
    const none = await rows(['00001', 'NEW', ...odd], { updateOnly: true, force: true });
    expect(none).toMatchObject({ created: 0, updated: 1 });
    expect(none.failed.map(({ line, message }) => [line, message])).toEqual(
      ['NEW', ...odd].map((sku, index) => [
        3 + index,
        `is not a product yet, and --update-only creates none ("${sku}")`,
      ]),
    );
    expect(await rows(odd, { force: true })).toMatchObject({ created: 3, failed: [] });
  });

  it('are named when the row was exported under another one', async () => {
    const exported = `${HEADING},was\nELSE,Name,,,,1,0,true,,bcdfghjklm\n`;
    expect(await operator.import(operator.app.get(CatalogFiles), exported)).toMatchObject({
      created: 0,
      failed: [{ column: 'sku', message: expect.stringContaining('was exported') as string }],
    });
  });

  it('are accepted by the command, one by one or all', async () => {
    const odd = await operator.file(file('1', 'mug350', 'SKU3'));
    const refused = await runCommand(service.database.url, 'catalog', 'import', odd, '--json');
    expect([refused.exitCode, JSON.parse(refused.stdout)]).toMatchObject([1, { created: 0 }]);
    const accepting = ['catalog', 'import', odd, '--accept-new', '1, mug350', '--accept-new', 'SKU3'];
    expect(await answerOf(service.database.url, ...accepting, '--dry-run')).toMatchObject({ created: 3 });
    expect(await answerOf(service.database.url, 'catalog', 'import', odd, '--force')).toMatchObject({
      created: 3,
    });
  });
});
