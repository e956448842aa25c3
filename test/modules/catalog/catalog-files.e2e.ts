import { readFile } from 'node:fs/promises';
import { CATALOG_COLUMNS, CATALOG_EXPORT_COLUMNS } from '../../../src/modules/catalog/catalog-columns.js';
import { CatalogFiles } from '../../../src/modules/catalog/catalog-files.service.js';
import { PriceFiles } from '../../../src/modules/plans/price-files.service.js';
import { PRICE_EXPORT_COLUMNS } from '../../../src/modules/plans/price-import.js';
import { StockAdministration } from '../../../src/modules/stock/stock-administration.service.js';
import { StockFiles } from '../../../src/modules/stock/stock-files.service.js';
import { STOCK_EXPORT_COLUMNS } from '../../../src/modules/stock/stock-import.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { type CsvRows, csvText } from '../../../src/shared/imports/csv-format.js';
import type { ImportOptions } from '../../../src/shared/imports/import-kind.js';
import { eventually } from '../../support/eventually.js';
import type { Store } from '../../support/fixtures.js';
import { all, OperatorServices, sourceOf } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const HEADING = 'sku,name,description,category,images,base_price,delivery_charge,active,variations\n';
const UNTOUCHED = { created: 0, updated: 0, failed: [], warnings: [] };

describe('the catalog file', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.serviceUrl));
  let catalog: CatalogFiles;

  beforeAll(async () => {
    catalog = operator.app.get(CatalogFiles);
  });

  const rows = (...lines: string[]) => operator.import(catalog, HEADING + lines.join('\n'));
  const product = async (sku: string) =>
    (await service.pool.query('SELECT * FROM products WHERE sku = $1', [sku])).rows[0];
  const stock = async (sku: string) =>
    (
      await service.pool.query(
        `SELECT variation_key, on_hand FROM stock_items i JOIN products p ON p.id = i.product_id
          WHERE sku = $1 ORDER BY i.id`,
        [sku],
      )
    ).rows as { variation_key: string; on_hand: number }[];

  it('creates products with a stock record for each variation, and changes them', async () => {
    expect(
      await rows(
        'C1,Shirt,Soft,Apparel,https://i.example.com/1.jpg ' +
          'https://i.example.com/2.jpg,100.5,20,true,Color=Red|Blue; Size=S',
      ),
    ).toEqual({ ...UNTOUCHED, created: 1, unchanged: 0 });
    expect(await product('C1')).toMatchObject({
      name: 'Shirt',
      images: ['https://i.example.com/1.jpg', 'https://i.example.com/2.jpg'],
      base_price: '100.50',
      active: true,
      variations: [
        { name: 'Color', values: ['Red', 'Blue'] },
        { name: 'Size', values: ['S'] },
      ],
    });
    expect((await stock('C1')).map(({ variation_key }) => variation_key)).toEqual([
      'Color:Red|Size:S',
      'Color:Blue|Size:S',
    ]);
    expect(await rows('C1,Shirt,Soft,Apparel,,100.50,20.00,no,Color=Red|Blue; Size=S')).toMatchObject({
      updated: 1,
      failed: [],
    });
    expect(await product('C1')).toMatchObject({ active: false, images: [] });
  });

  it('leaves statistics behind, as does a migration, and a file that changes little makes none', async () => {
    const { pool, database } = service;
    const analysed = async () =>
      (
        await pool.query<{ relname: string }>(
          `SELECT relname FROM pg_class WHERE relname IN ('products', 'clients') AND reltuples > 0 ORDER BY 1`,
        )
      ).rows.map(({ relname }) => relname);
    await rows(...Array.from({ length: 20 }, (_, n) => `FEW-${n},Few,,Tests,,10,2,true,`));
    expect(await analysed()).toEqual([]);
    await rows(...Array.from({ length: 60 }, (_, n) => `MANY-${n},Many,,Tests,,10,2,true,`));
    expect(await analysed()).toEqual(['products']);
    await pool.query(`INSERT INTO clients (name, email) SELECT n, n || '@example.com' FROM generate_series(1, 60) AS n;
      SELECT pg_stat_force_next_flush()`);
    // The job may analyse tables of one row: this one has more pages.
    await pool.query('SELECT analyse_grown(1)');
    expect(await analysed()).toEqual(['products']);
    await migrate(database.url);
    expect(await analysed()).toEqual(['clients', 'products']);
  });

  it('may have only the columns that change: the others stay, of products and of their stock', async () => {
    await rows('H1,Half,Known,Tests,https://i.example.com/1.jpg,10,2,false,Size=S|M');
    expect(await operator.import(catalog, 'base_price,sku\n11,H1\n')).toMatchObject({
      updated: 1,
      failed: [],
    });
    expect(await product('H1')).toMatchObject({
      name: 'Half',
      description: 'Known',
      category: 'Tests',
      images: ['https://i.example.com/1.jpg'],
      base_price: '11.00',
      delivery_charge: '2.00',
      active: false,
      variations: [{ name: 'Size', values: ['S', 'M'] }],
    });
    expect(await operator.import(catalog, 'sku,description\nH1,\n')).toMatchObject({ updated: 1 });
    expect(await product('H1')).toMatchObject({ description: '', name: 'Half' });
    expect(await stock('H1')).toHaveLength(2);
    expect(await operator.import(catalog, 'sku\nH1\n')).toMatchObject({ unchanged: 1, failed: [] });
  });

  it('needs name and amounts of a new product, and takes the rest for granted', async () => {
    const { created, failed } = await operator.import(
      catalog,
      'sku,name,base_price,delivery_charge\nH2,Whole,10,2\n',
    );
    expect([created, failed]).toEqual([1, []]);
    expect(await product('H2')).toMatchObject({ description: '', images: [], active: true, variations: [] });
    expect(await stock('H2')).toEqual([{ variation_key: '', on_hand: 0 }]);
    expect((await operator.import(catalog, 'sku,name\nH3,Half\n')).failed).toEqual([
      { line: 2, column: 'base_price', message: 'is required: there is no product H3 yet' },
      {
        line: 2,
        column: 'delivery_charge',
        message: 'is required: there is no product H3 yet; for all such rows add --new-delivery-charge',
      },
    ]);
  });

  it('names an edited row of some columns that has changed since it was exported', async () => {
    await rows('H4,Half,,,,10,2,true,');
    const exported = await all(csvText(['sku', 'base_price', 'was'], catalog.export()));
    const lines = exported.join('').split('\r\n');
    const edited = lines.find((row) => row.startsWith('H4'))!.replace('10.00', '12');
    const file = `sku,base_price,was\n${edited}`;
    expect(await operator.import(catalog, file, { dryRun: true })).toMatchObject({ updated: 1, failed: [] });
    await service.fixtures.changeProduct('H4', { name: 'Changed' });
    expect(await operator.import(catalog, file)).toMatchObject({ updated: 0, failed: [{ line: 2 }] });
  });

  it('keeps changes of other columns that were made during the import', async () => {
    await rows('H5,Half,,,,10,2,true,');
    const hand = await service.pool.connect();
    await hand.query(`BEGIN; UPDATE products SET name = 'Whole' WHERE sku = 'H5'`);
    const importing = operator.import(catalog, 'sku,base_price\nH5,11\n');
    await eventually(async () => (await service.pool.query(WAITING)).rowCount);
    await hand.query('COMMIT');
    hand.release();
    expect(await importing).toMatchObject({ updated: 1 });
    expect(await product('H5')).toMatchObject({ name: 'Whole', base_price: '11.00' });
  });

  it('names each bad row with line, column and reason, and applies the good rows', async () => {
    const { failed, ...rest } = await rows(
      'B1,"Two\nlines in a name",,,,1.005,0,true,',
      'B2,Good,,,,1,0,true,',
      'B1,,,,,x,0,true,',
      '',
      ',No SKU,,,,-1,0,perhaps,Color=',
      'B3,"Bad "quote",,,,1,0,true,',
      'B4,Good too,,,,1,0,true,',
    );
    expect(rest).toEqual({ created: 2, updated: 0, unchanged: 0, warnings: [] });
    expect(failed).toEqual([
      { line: 2, column: 'name', message: expect.stringContaining('must be one line') as string },
      { line: 2, column: 'base_price', message: 'must have at most 2 decimals ("1.005")' },
      { line: 4, column: 'sku', message: 'is already in row 2 ("B1")' },
      { line: 6, column: 'sku', message: 'must not be empty' },
      { line: 6, column: 'base_price', message: 'must not be negative ("-1")' },
      { line: 6, column: 'active', message: 'must be yes or no ("perhaps")' },
      { line: 6, column: 'variations', message: 'A value of "Color" is empty.' },
      { line: 7, column: '', message: expect.stringContaining('quote') as string },
    ]);
  });

  it('checks what a shop must show with packaged goods, and takes it away by empty cells', async () => {
    const head =
      'sku,name,base_price,delivery_charge,mrp,country_of_origin,manufacturer,net_quantity,details_url';
    const importRows = (...lines: string[]) => operator.import(catalog, [head, ...lines].join('\n'));
    const { failed } = await importRows(
      'P1,Pack,1,0,99.5,in,"Knits, Tiruppur",1 N,https://knits.example/p1',
      `P2,Pack,1,0,-1,Narnia,${'x'.repeat(501)},${'x'.repeat(61)},javascript:alert(1)`,
    );
    const fault = (text: string) => expect.stringContaining(text) as string;
    expect(failed).toEqual([
      { line: 3, column: 'mrp', message: 'must not be negative ("-1")' },
      { line: 3, column: 'country_of_origin', message: fault('two-letter code of a country') },
      { line: 3, column: 'manufacturer', message: fault('must have at most 500 characters') },
      { line: 3, column: 'net_quantity', message: fault('must have at most 60 characters') },
      { line: 3, column: 'details_url', message: fault('must be empty or an http or https address') },
    ]);
    const known = { mrp: '99.50', country_of_origin: 'India', details_url: 'https://knits.example/p1' };
    expect(await product('P1')).toMatchObject(known);
    await importRows('P1,Pack,1,0,,,,,');
    expect(await product('P1')).toMatchObject({ mrp: '0.00', country_of_origin: '', details_url: '' });
  });

  it('takes another GST treatment only at the rate 0', async () => {
    const importRows = (...lines: string[]) =>
      operator.import(
        catalog,
        ['sku,name,base_price,delivery_charge,gst_rate,gst_treatment', ...lines].join('\n'),
      );
    const { failed } = await importRows('T1,Rice,1,0,0,Exempt', 'T2,Mug,1,0,5,non-gst', 'T3,Mug,1,0,,free');
    const message = (text: string) => expect.stringContaining(text) as string;
    expect(failed).toEqual([
      { line: 3, column: 'gst_treatment', message: 'non_gst needs the GST rate 0, not 5' },
      { line: 4, column: 'gst_treatment', message: message('one of taxable, nil_rated, exempt, non_gst') },
    ]);
    expect(await product('T1')).toMatchObject({ gst_rate: '0.00', gst_treatment: 'exempt' });
    const rate = await operator.import(catalog, 'sku,gst_rate\nT1,5');
    expect(rate.failed).toMatchObject([
      { column: 'gst_treatment', message: 'exempt needs the GST rate 0, not 5' },
    ]);
    await operator.import(catalog, 'sku,gst_rate,gst_treatment\nT1,5,');
    expect(await product('T1')).toMatchObject({ gst_rate: '5.00', gst_treatment: 'taxable' });
    // Other products are warned of a missing rate as long as one product has a rate.
    await operator.import(catalog, 'sku,gst_rate\nT1,');
  });

  it('writes refused rows with their reasons, in a form that can be imported again', async () => {
    const source = sourceOf(`${HEADING.trim()},reason\nK1,,,,,1,0,true,,old reason\nK2,Good,,,,1,0,true,,\n`);
    const report = await catalog.import(source, { actor: 'test', keepRows: true });
    expect(await all(report.refusedRows())).toEqual([
      {
        cells: ['K1', '', '', '', '', '1', '0', 'true', '', 'old reason'],
        unread: null,
        reason: 'name must not be empty',
      },
    ]);
    expect(report.warningCount).toBe(0);
    report.close();
  });

  it('removes no variation that orders hold, and warns of goods on hand', async () => {
    const store = await service.fixtures.store();
    await rows('V1,Varied,,,,10,0,true,Size=S|M|L');
    await operator.import(operator.app.get(StockFiles), 'sku,variation,quantity\nV1,Size:S,5\nV1,Size:M,7\n');
    await service.fixtures.observed();
    const order = await service.post(
      store,
      '/api/orders',
      orderBody([{ sku: 'V1', quantity: 2, variation: 'S' }]),
    );
    expect(order.status).toBe(201);

    const { failed } = await rows('V1,Varied,,,,10,0,true,Size=M|L');
    expect(failed).toEqual([
      { line: 2, column: 'variations', message: 'would remove Size:S, of which orders hold 2' },
    ]);
    expect(await rows('V1,Varied,,,,10,0,true,Size=S|XL')).toMatchObject({
      updated: 1,
      warnings: [{ line: 2, column: 'variations', message: 'removes Size:M, of which 7 are on hand' }],
    });
    expect(await stock('V1')).toEqual([
      { variation_key: 'Size:S', on_hand: 5 },
      { variation_key: 'Size:XL', on_hand: 0 },
    ]);
  });

  it('can be exported and imported as it is, which changes nothing', async () => {
    const file = await readFile(new URL('../../../src/demo/files/catalog.csv', import.meta.url));
    const { created, failed } = await operator.import(catalog, file);
    expect(created).toBeGreaterThan(50);
    expect(failed).toEqual([]);
    const stored = await service.pool.query<{ sku: string }>('SELECT sku FROM products');
    const products = await all(catalog.export());
    expect(products.map(({ sku }) => sku).toSorted()).toEqual(stored.rows.map(({ sku }) => sku).toSorted());
    const exported = (await all(csvText(CATALOG_COLUMNS, catalog.export()))).join('');
    expect(await operator.import(catalog, exported)).toEqual({ ...UNTOUCHED, unchanged: products.length });
  });

  afterAll(endEverything);
});

const WAITING = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

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
    expect(await imported(kind, morning)).toEqual({ ...UNTOUCHED, unchanged: 2 });
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
      expect(await imported(kind, noon)).toEqual({ ...UNTOUCHED, unchanged: 2 });
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
    expect(await imported('stock', counted, { countedAt })).toEqual({ ...UNTOUCHED, unchanged: 2 });
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
