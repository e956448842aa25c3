import { PriceFiles } from '../../../src/modules/plans/price-files.service.js';
import { StockAdministration } from '../../../src/modules/stock/stock-administration.service.js';
import { StockFiles } from '../../../src/modules/stock/stock-files.service.js';
import { all, OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

describe('counts, goods received and prices', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.serviceUrl));
  let stock: StockFiles;

  beforeAll(async () => {
    stock = operator.app.get(StockFiles);
  });

  const counts = (...lines: string[]) =>
    operator.import(stock, ['sku,variation,quantity', ...lines].join('\n'));
  const movements = async (sku: string) =>
    (
      await service.pool.query(
        `SELECT delta, reason, actor FROM stock_movements m JOIN products p ON p.id = m.product_id
          WHERE sku = $1 ORDER BY m.id`,
        [sku],
      )
    ).rows as object[];

  it('takes over what was counted, records the difference, and says unchanged the second time', async () => {
    await service.fixtures.product({ sku: 'S1', stock: 3 });
    await service.fixtures.product({
      sku: 'S2',
      stock: 3,
      variations: [{ name: 'Size', values: ['S', 'M'] }],
    });
    const lines = ['S1,,10', 'S2,Size:S,0', 'S2,Size:M,3'];
    expect(await counts(...lines)).toEqual({
      created: 0,
      updated: 2,
      unchanged: 1,
      failed: [],
      warnings: [],
    });
    expect(await counts(...lines)).toMatchObject({ updated: 0, unchanged: 3 });
    expect(await movements('S1')).toEqual([{ delta: 7, reason: 'count', actor: 'test' }]);
    const exported = await all(stock.export());
    expect(exported).toEqual([
      { sku: 'S1', variation: '', quantity: 10, was: 10 },
      { sku: 'S2', variation: 'Size:S', quantity: 0, was: 0 },
      { sku: 'S2', variation: 'Size:M', quantity: 3, was: 3 },
    ]);
  });

  it('names what it does not know, and counts that are none', async () => {
    const { failed, updated } = await counts(
      'NONE,,1',
      'S1,Size:S,1',
      'S2,,1',
      'S2,Size:S,1.5',
      'S1,,-1',
      'S1,,1',
      'S2,Size:M,4',
    );
    expect(updated).toBe(1);
    expect(failed).toEqual([
      { line: 2, column: 'sku', message: 'there is no product NONE' },
      { line: 3, column: 'variation', message: 'must be empty: S1 has no variations ("Size:S")' },
      { line: 4, column: 'variation', message: 'must be one of: Size:S, Size:M' },
      { line: 5, column: 'quantity', message: 'must be a whole number from 0 to 1000000000 ("1.5")' },
      { line: 6, column: 'quantity', message: 'must be a whole number from 0 to 1000000000 ("-1")' },
      { line: 7, column: 'sku', message: 'is already in row 6 ("S1")' },
    ]);
  });

  it('ignores a column whose name PostgreSQL cannot store', async () => {
    expect(await operator.import(stock, 'sku,quantity,od\0d\nS1,1,x\n')).toMatchObject({
      failed: [],
      warnings: [{ line: 1, column: 'odd', message: expect.stringContaining('is not a column') as string }],
    });
  });

  it('needs no column of variations for products that have none', async () => {
    await service.fixtures.product({ sku: 'S6', stock: 3 });
    const load = () => operator.import(stock, 'sku,quantity\nS6,4\nS2,1\nS2,2\n');
    const failed = [
      { line: 3, column: 'variation', message: 'must be one of: Size:S, Size:M' },
      { line: 4, column: 'sku', message: 'is already in row 3 ("S2")' },
    ];
    expect(await load()).toMatchObject({ updated: 1, failed });
    expect(await load()).toMatchObject({ updated: 0, unchanged: 1, failed });
    // A heading that may be the variation is not ignored.
    for (const heading of ['Size', 'Variation of the mug', 'variaton'])
      await expect(operator.import(stock, `sku,${heading},quantity\nS6,,4\n`)).rejects.toThrow(
        `There is no column "${heading}": did you mean variation?`,
      );
  });

  it('accepts a variation in any spelling, and names one that appears twice', async () => {
    const variations = [
      { name: 'Color', values: ['Red', 'Blue'] },
      { name: 'Size', values: ['S', 'M'] },
    ];
    await service.fixtures.product({ sku: 'S4', variations, stock: 1 });
    const { updated, failed } = await counts(
      'S4,red / m,7',
      'S4,"Size: S, Color: Blue",8',
      'S4,Color:Red|Size:S,9',
      'S4,M / Red,5',
      'S4,Red,5',
      'S4,,5',
    );
    const unknown =
      'must be one of: Color:Red|Size:S, Color:Red|Size:M, Color:Blue|Size:S, Color:Blue|Size:M';
    expect(updated).toBe(3);
    expect(failed).toEqual([
      { line: 5, column: 'variation', message: 'is Color:Red|Size:M, which is already in row 2 ("M / Red")' },
      { line: 6, column: 'variation', message: unknown },
      { line: 7, column: 'variation', message: unknown },
    ]);
    const { rows } = await service.pool.query(
      `SELECT variation_key, on_hand FROM stock_items i JOIN products p ON p.id = i.product_id
        WHERE sku = 'S4' ORDER BY i.id`,
    );
    expect(rows).toMatchObject([{ on_hand: 9 }, { on_hand: 7 }, { on_hand: 8 }, { on_hand: 1 }]);
  });

  it('keeps held goods: a lower count is accepted with a warning and shows 0 for sale', async () => {
    const store = await service.fixtures.store();
    await service.fixtures.product({ sku: 'S3', stock: 5 });
    await service.post(store, '/api/orders', orderBody([{ sku: 'S3', quantity: 4 }])).expect(201);
    const expected = {
      line: 2,
      column: 'quantity',
      message: 'is less than the 4 that orders hold: none is for sale',
    };
    expect(await operator.import(stock, 'sku,variation,quantity\nS3,,1', { dryRun: true })).toMatchObject({
      warnings: [expected],
    });
    expect(await counts('S3,,1')).toMatchObject({ updated: 1, failed: [], warnings: [expected] });
    await service.fixtures.observed();
    const displayed = await service.get(store, '/api/products/S3/stock');
    expect(displayed.body).toMatchObject({ stock_qty: 0, in_stock: false });
    expect(await service.fixtures.stockOf('S3')).toEqual({ on_hand: 1, held: 4 });
  });

  it('adds received goods and removes broken ones with a reason, never more than are on hand', async () => {
    const receipts = operator.app.get(StockAdministration);
    const receive = (quantity: number, reason?: string) =>
      receipts.receive({ sku: 'S2', variation: 'm', quantity, reason, actor: 'operator:asha' });
    expect(await receive(12)).toEqual({ sku: 'S2', variation: 'Size:M', on_hand: 16, held: 0, for_sale: 16 });
    expect(await receive(-3, 'broken')).toMatchObject({ on_hand: 13 });
    await expect(receive(-14)).rejects.toMatchObject({ code: 'conflict', message: 'Only 13 are on hand.' });
    await expect(receipts.receive({ sku: 'S2', quantity: 1, actor: 'x' })).rejects.toThrow(
      'Name one of: Size:S, Size:M.',
    );
    expect((await movements('S2')).slice(-2)).toEqual([
      { delta: 12, reason: 'goods in', actor: 'operator:asha' },
      { delta: -3, reason: 'broken', actor: 'operator:asha' },
    ]);
  });

  it('fixes and unfixes prices, and says unchanged the second time', async () => {
    const prices = operator.app.get(PriceFiles);
    const plan = await service.fixtures.plan({ code: 'gold', discount: '10' });
    const store = await service.fixtures.store({ planId: plan.id });
    const price = async () => {
      await service.fixtures.observed();
      const { body } = await service.get(store, '/api/products/S1');
      return (body as { data: { pricing: { wholesale_price: number } } }).data.pricing.wholesale_price;
    };
    const file = (...lines: string[]) =>
      operator.import(prices, ['plan,sku,wholesale_price', ...lines].join('\n'));
    expect(
      await file('gold,S1,77.70', 'gold,S2,60', 'silver,S1,1', 'gold,NONE,1', 'gold,S3,1.999'),
    ).toMatchObject({
      created: 2,
      failed: [
        { line: 4, column: 'plan', message: 'there is no plan silver' },
        { line: 5, column: 'sku', message: 'there is no product NONE' },
        { line: 6, column: 'wholesale_price', message: 'must have at most 2 decimals ("1.999")' },
      ],
    });
    expect(await price()).toBe(77.7);
    expect(await file('gold,S1,77.7', 'gold,S2,62')).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    const { id: bronze } = await service.fixtures.plan({ code: 'bronze' });
    await service.fixtures.fixedPrice(bronze, 'S2', '70');
    expect(await all(prices.export())).toMatchObject([
      { plan: 'bronze', sku: 'S2', wholesale_price: '70.00' },
      { plan: 'gold', sku: 'S1', wholesale_price: '77.70' },
      { plan: 'gold', sku: 'S2', wholesale_price: '62.00' },
    ]);
    expect(await file('gold,S1,', 'gold,S3,')).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await price()).toBe(90);
  });
});
