import { CatalogFiles } from '../../src/modules/catalog/catalog-files.service.js';
import type { ImportOptions } from '../../src/shared/imports/import-kind.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { OperatorServices } from '../support/operator-services.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpTestApp } from '../support/test-app.js';

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
