import { CATALOG_EXPORT_COLUMNS } from '../../src/modules/catalog/catalog-columns.js';
import { CatalogFiles } from '../../src/modules/catalog/catalog-files.service.js';
import { type CsvRows, csvText } from '../../src/shared/imports/csv-format.js';
import type { ImportOptions } from '../../src/shared/imports/import-kind.js';
import { PRICE_EXPORT_COLUMNS } from '../../src/modules/plans/price-import.js';
import { PriceFiles } from '../../src/modules/plans/price-files.service.js';
import { STOCK_EXPORT_COLUMNS } from '../../src/modules/stock/stock-import.js';
import { StockFiles } from '../../src/modules/stock/stock-files.service.js';
import { StockAdministration } from '../../src/modules/stock/stock-administration.service.js';
import { eventually } from '../support/eventually.js';
import type { Store } from '../support/fixtures.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { OperatorServices, all } from '../support/operator-services.js';
import { moveOrder } from '../support/order-steps.js';
import { runCommand } from '../support/run-command.js';
import { setUpTestApp } from '../support/test-app.js';

const NOTHING = { created: 0, updated: 0, failed: [], warnings: [] };

/** An export of the morning, its edit at noon, and the changes of the day. */
describe('a file that was exported, edited and imported', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.url));
  let store: Store;
  beforeEach(async () => {
    await service.fixtures.clear();
    const plan = await service.fixtures.plan({ code: 'gold' });
    store = await service.fixtures.store({ planId: plan.id });
    await service.fixtures.products([
      { sku: 'MUG', stock: 5, basePrice: '100' },
      { sku: 'BOWL', stock: 7, basePrice: '200' },
    ]);
    await service.fixtures.fixedPrice(plan.id, 'MUG', '90');
    await service.fixtures.fixedPrice(plan.id, 'BOWL', '180');
  });

  const columns = {
    catalog: CATALOG_EXPORT_COLUMNS,
    stock: STOCK_EXPORT_COLUMNS,
    prices: PRICE_EXPORT_COLUMNS,
  };
  const files = {
    catalog: () => operator.app.get(CatalogFiles),
    stock: () => operator.app.get(StockFiles),
    prices: () => operator.app.get(PriceFiles),
  };
  type Kind = keyof typeof files;
  const exported = async (kind: Kind) =>
    (await all(csvText<string>(columns[kind], files[kind]().export() as CsvRows<string>))).join('');
  const imported = (kind: Kind, content: string, options: Partial<ImportOptions> = {}) =>
    operator.import(files[kind](), content, options);
  const receive = (sku: string, quantity: number) =>
    operator.app.get(StockAdministration).receive({ sku, quantity, actor: 'test' });
  const onHand = async (sku: string) => (await service.fixtures.stockOf(sku)).on_hand;
  const place = (sku: string, quantity: number) => service.place(store, [{ sku, quantity }]);
  const ship = async (sku: string, quantity: number) =>
    moveOrder(service, store, await place(sku, quantity), 'pay', 'ship');
  /** By the database's clock, after all that was done before. */
  const now = async () =>
    (await service.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows[0]!.now;

  /** For each kind of file: an edit of the row of MUG, and what it makes of the stored value. */
  const edits = {
    catalog: {
      edit: (csv: string) => csv.replace('100.00', '110.00'),
      change: () => service.fixtures.changeProduct('MUG', { name: 'Renamed' }),
      lock: `UPDATE products SET name = 'Renamed' WHERE sku = 'MUG'`,
      stored: `SELECT name || ' ' || base_price AS value FROM products WHERE sku = 'MUG'`,
      values: ['Product MUG 100.00', 'Renamed 100.00', 'Product MUG 110.00'],
    },
    stock: {
      edit: (csv: string) => csv.replace('MUG,,5,5', 'MUG,,4,5'),
      change: () => receive('MUG', 100),
      lock: `UPDATE stock_items SET on_hand = 105 WHERE product_id = (SELECT id FROM products WHERE sku = 'MUG')`,
      stored: `SELECT on_hand AS value FROM stock_items i JOIN products p ON p.id = i.product_id WHERE sku = 'MUG'`,
      values: [5, 105, 4],
    },
    prices: {
      edit: (csv: string) => csv.replace('90.00', '95.00'),
      change: () => service.fixtures.fixedPrice(store.planId, 'MUG', '80'),
      lock: `UPDATE plan_prices SET price = 80 WHERE product_id = (SELECT id FROM products WHERE sku = 'MUG')`,
      stored: `SELECT price AS value FROM plan_prices f JOIN products p ON p.id = f.product_id WHERE sku = 'MUG'`,
      values: ['90.00', '80.00', '95.00'],
    },
  } as const;
  const kinds = Object.keys(edits) as Kind[];
  const stored = async (kind: Kind) =>
    (await service.pool.query<{ value: unknown }>(edits[kind].stored)).rows[0]!.value;

  it.each(kinds)('keeps changes of rows that were not edited: %s', async (kind) => {
    const morning = await exported(kind);
    await edits[kind].change();
    expect(await imported(kind, morning)).toEqual({ ...NOTHING, unchanged: 2 });
    expect(await stored(kind)).toBe(edits[kind].values[1]);
  });

  it.each(kinds)('names a row that was edited here and changed there, or overwrites it: %s', async (kind) => {
    const noon = edits[kind].edit(await exported(kind));
    await edits[kind].change();
    const report = await imported(kind, noon);
    expect(report).toMatchObject({ updated: 0, unchanged: 1 });
    expect(report.failed).toEqual([
      { line: 2, column: expect.any(String), message: expect.stringContaining('--overwrite') },
    ]);
    expect(await stored(kind)).toBe(edits[kind].values[1]);
    expect(await imported(kind, noon, { overwrite: true })).toMatchObject({ updated: 1, failed: [] });
    expect(await stored(kind)).toBe(edits[kind].values[2]);
  });

  it.each(kinds)(
    'is written where nothing else changed, and changes nothing the second time: %s',
    async (kind) => {
      const noon = edits[kind].edit(await exported(kind));
      expect(await imported(kind, noon)).toMatchObject({ updated: 1, unchanged: 1, failed: [] });
      expect(await stored(kind)).toBe(edits[kind].values[2]);
      expect(await imported(kind, noon)).toEqual({ ...NOTHING, unchanged: 2 });
    },
  );

  it.each(kinds)('names a row that changed during the import: %s', async (kind) => {
    const noon = edits[kind].edit(await exported(kind));
    const hand = await service.pool.connect();
    await hand.query(`BEGIN; ${edits[kind].lock}`);
    const importing = imported(kind, noon);
    await eventually(async () => (await service.pool.query(WAITING)).rowCount);
    await hand.query('COMMIT');
    hand.release();
    const report = await importing;
    expect(report).toMatchObject({ updated: 0, failed: [{ line: 2 }] });
    expect(await stored(kind)).toBe(edits[kind].values[1]);
  });

  it.each(kinds)('says what it saw in a form that spreadsheets leave alone: %s', async (kind) => {
    const rows = (await all(files[kind]().export() as AsyncIterable<{ was: unknown }>)).map(({ was }) => was);
    for (const was of rows)
      expect(String(was)).toMatch(kind === 'stock' ? /^\d{1,2}$/ : /^[b-df-hj-np-t]{10}$/);
  });

  it('counts as what it says without the column', async () => {
    const morning = 'sku,variation,quantity\nMUG,,5\n';
    await receive('MUG', 100);
    expect(await imported('stock', morning)).toMatchObject({ updated: 1 });
    expect(await onHand('MUG')).toBe(5);
  });

  it('may say when it was counted: what came and left since is added and taken off, once', async () => {
    const countedAt = await now();
    await receive('MUG', 100);
    await ship('MUG', 2);
    const counted = 'sku,variation,quantity\nMUG,,4\nBOWL,,7\n';
    expect(await imported('stock', counted, { countedAt, dryRun: true })).toMatchObject({ updated: 1 });
    expect(await imported('stock', counted, { countedAt })).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await onHand('MUG')).toBe(102);
    await ship('MUG', 1);
    expect(await imported('stock', counted, { countedAt })).toEqual({ ...NOTHING, unchanged: 2 });
    expect(await onHand('MUG')).toBe(101);
  });

  it('has what left since it was counted taken off, though it was paid before', async () => {
    const number = await place('MUG', 2);
    await moveOrder(service, store, number, 'pay');
    const countedAt = await now();
    await moveOrder(service, store, number, 'ship');
    const counted = 'sku,variation,quantity\nMUG,,4\n';
    expect(await imported('stock', counted, { countedAt })).toMatchObject({ updated: 1 });
    expect(await onHand('MUG')).toBe(2);
  });

  it('takes an option to overwrite or a time of the count, but not both', async () => {
    const run = (...args: string[]) => runCommand(service.database.url, 'stock', 'import', ...args, '--json');
    const before = await now();
    const noon = await operator.file(edits.stock.edit(await exported('stock')));
    await receive('MUG', 100);
    expect((await run(noon)).exitCode).toBe(1);
    expect((await run(noon, '--counted-at', before.toISOString(), '--overwrite')).exitCode).toBe(2);
    expect((await run(noon, '--counted-at', before.toISOString())).exitCode).toBe(0);
    expect(await onHand('MUG')).toBe(104);
    expect((await run(noon, '--overwrite')).exitCode).toBe(0);
    expect(await onHand('MUG')).toBe(4);
  });

  it('names what was counted again after that time, and what cannot have been', async () => {
    const countedAt = await now();
    await receive('BOWL', -6);
    await imported('stock', 'sku,variation,quantity\nMUG,,9\n');
    const counted = 'sku,variation,quantity\nMUG,,4\nBOWL,,5\n';
    const { failed, warnings } = await imported('stock', counted, { countedAt });
    expect(warnings).toEqual([]);
    expect(failed).toEqual([
      {
        line: 2,
        column: 'quantity',
        message: 'was counted again after that time: the later count stays ("4")',
      },
      { line: 3, column: 'quantity', message: 'would give -1 with the changes since then ("5")' },
    ]);
    expect([await onHand('MUG'), await onHand('BOWL')]).toEqual([9, 1]);
    const tomorrow = new Date(Date.now() + 86_400_000);
    await expect(
      imported('stock', 'sku,variation,quantity\n', { countedAt: tomorrow }),
    ).rejects.toMatchObject({
      code: 'invalid_value',
    });
  });

  it('takes a variation for uncounted since then though another one of the product was counted', async () => {
    const variations = [{ name: 'Size', values: ['S', 'M'] }];
    await service.fixtures.product({ sku: 'SHIRT', variations, stock: 5 });
    const countedAt = await now();
    await imported('stock', 'sku,variation,quantity\nSHIRT,S,9\n');
    const later = 'sku,variation,quantity\nSHIRT,M,4\n';
    expect(await imported('stock', later, { countedAt })).toMatchObject({ updated: 1, failed: [] });
    const { rows } = await service.pool.query(
      `SELECT variation_key AS key, on_hand FROM stock_items JOIN products p ON p.id = product_id
        WHERE sku = 'SHIRT' ORDER BY key`,
    );
    expect(rows).toEqual([
      { key: 'Size:M', on_hand: 4 },
      { key: 'Size:S', on_hand: 9 },
    ]);
  });
});

const WAITING = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
