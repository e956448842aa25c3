import { CatalogFiles } from '../../src/modules/catalog/catalog-files.service.js';
import type { ImportOptions } from '../../src/shared/imports/import-kind.js';
import { PriceFiles } from '../../src/modules/plans/price-files.service.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { OperatorServices } from '../support/operator-services.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpTestApp } from '../support/test-app.js';

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
});
