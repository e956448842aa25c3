import { CatalogFiles } from '../../../src/modules/catalog/catalog-files.service.js';
import { PriceFiles } from '../../../src/modules/plans/price-files.service.js';
import type { ImportOptions } from '../../../src/shared/imports/import-kind.js';
import { OperatorServices } from '../../support/operator-services.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

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

  afterAll(endEverything);
});

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

  const file = (...skus: string[]) => [CATALOG, ...skus.map((sku) => `${sku},Name,,,,1,0,true,`)].join('\n');
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
    const exported = `${CATALOG},was\nELSE,Name,,,,1,0,true,,bcdfghjklm\n`;
    expect(await operator.import(operator.app.get(CatalogFiles), exported)).toMatchObject({
      created: 0,
      failed: [{ column: 'sku', message: expect.stringContaining('was exported') as string }],
    });
  });
});
