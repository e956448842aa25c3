import { PriceFiles } from '../../src/modules/plans/price-files.service.js';
import { StockAdministration } from '../../src/modules/stock/stock-administration.service.js';
import { StockFiles } from '../../src/modules/stock/stock-files.service.js';
import { all, OperatorServices } from '../support/operator-services.js';
import { orderBody } from '../support/order-body.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf, runCommand, runCommandOn } from '../support/run-command.js';
import { endEverything } from '../support/suite-end.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

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

  it('reads variations as stores write them in any number of rows', async () => {
    const values = Array.from({ length: 1_001 }, (_, n) => String(n));
    await service.fixtures.product({ sku: 'S5', variations: [{ name: 'Size', values }], stock: 1 });
    const lines = values.map((value) => `S5,${value},7`);
    expect(await counts(...lines)).toMatchObject({ updated: values.length, failed: [] });
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

  it('sets prices in one plan for a file without this column', async () => {
    await service.fixtures.plan({ code: 'tin', name: 'Small shops' });
    const command = ['price', 'import', '-', '--json', '--force', '--set'];
    const load = (content: string, plan: string) =>
      runCommandOn(content, service.database.serviceUrl, ...command, `plan=${plan}`);
    const rows = 'sku,wholesale_price\nS1,80';
    expect(JSON.parse((await load(rows, 'tin')).stdout)).toMatchObject({ created: 1, failed: [] });
    expect(JSON.parse((await load(rows, 'TIN')).stdout)).toMatchObject({ unchanged: 1, failed: [] });
    const prices = await all(operator.app.get(PriceFiles).export());
    expect(prices).toContainEqual(
      expect.objectContaining({ plan: 'tin', sku: 'S1', wholesale_price: '80.00' }),
    );
    expect(JSON.parse((await load(rows, 'none')).stdout)).toMatchObject({ failed: [{ column: 'plan' }] });
    expect(await load('plan,sku,wholesale_price\ntin,S1,80', 'tin')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('The file has the column plan itself.') as string,
    });
  });

  afterAll(endEverything);
});

interface Event {
  moved_at: string;
  variation: string;
  on_hand_change: number;
  held_change: number;
  on_hand: number;
  held: number;
  reason: string;
  actor: string;
}

describe('questions about the stock', () => {
  const service = setUpTestApp();
  beforeAll(() => service.fixtures.neighbours());
  const store = makeBeforeAll(() => service.fixtures.store());
  let numbers: string[];

  beforeAll(async () => {
    const variations = [{ name: 'Size', values: ['S', 'M'] }];
    await service.fixtures.products([
      { sku: 'SHIRT', variations, stock: { 'Size:S': 10, 'Size:M': 3 } },
      { sku: 'MUG', stock: 100 },
      { sku: 'OLD', stock: 0, active: false },
      { sku: 'EMPTY', stock: 0 },
      { sku: 'NEVER', stock: 0 },
      { sku: 'SOCKS', variations, stock: { 'Size:S': 0, 'Size:M': 0 } },
    ]);
    numbers = [await place('S', 3, 1), await place('S', 1), await place('M', 2)];
    await moveOrder(service, store, numbers[0]!, 'pay', 'ship');
    await moveOrder(service, store, numbers[1]!, 'cancel');
    await run('stock', 'receive', 'SHIRT', 'S', '+5', '--by', 'asha', '--reason', 'Delivery 7');
    await run('stock', 'count', 'SHIRT', 'S', '12', '--by', 'ravi');
    await run('stock', 'receive', 'EMPTY', '+2');
    await run('stock', 'receive', 'EMPTY', '-2');
    // Its other variation never came in.
    await run('stock', 'receive', 'SOCKS', 'S', '+100');
  });

  const run = (...args: string[]) => runCommand(service.database.url, ...args);
  const answer = <Value = object>(...args: string[]) => answerOf<Value>(service.database.url, ...args);
  const place = async (variation: string, ...quantities: number[]) => {
    const body = orderBody(quantities.map((quantity) => ({ sku: 'SHIRT', quantity, variation })));
    return service.place(store, body);
  };

  it('are answered of one product: what there is, and what orders hold', async () => {
    expect(await answer('stock', 'show', 'SHIRT')).toEqual({
      sku: 'SHIRT',
      name: 'Product SHIRT',
      shelf: '',
      active: true,
      on_hand: 15,
      held: 2,
      for_sale: 13,
      variations: [
        { variation: 'Size:S', on_hand: 12, held: 0, for_sale: 12 },
        { variation: 'Size:M', on_hand: 3, held: 2, for_sale: 1 },
      ],
    });
    const { stdout } = await run('stock', 'show', 'OLD');
    expect(stdout).toMatch(/^OLD, Product OLD \(not active\)\nVARIATION +ON HAND +HELD +FOR SALE\n/);
    expect(await run('stock', 'show', 'NONE')).toMatchObject({
      exitCode: 1,
      stderr: 'There is no product "NONE".\n',
    });
  });

  it('are answered of what is running out, the least first, also if it never came in, but not of what is not sold', async () => {
    const shirt = { sku: 'SHIRT', name: 'Product SHIRT' };
    const empty = { sku: 'EMPTY', name: 'Product EMPTY', variation: '', on_hand: 0, held: 0, for_sale: 0 };
    const never = { ...empty, sku: 'NEVER', name: 'Product NEVER' };
    const socks = { ...empty, sku: 'SOCKS', name: 'Product SOCKS', variation: 'Size:M' };
    const gone = [empty, never, socks];
    const [medium, small] = [
      { ...shirt, variation: 'Size:M', on_hand: 3, held: 2, for_sale: 1 },
      { ...shirt, variation: 'Size:S', on_hand: 12, held: 0, for_sale: 12 },
    ];
    const low = (...args: string[]) => answer('stock', 'low', ...args);
    expect(await low('--below', '13')).toEqual(
      [...gone, medium, small].map((item) => ({ ...item, below: 13 })),
    );
    expect(await answer<object[]>('stock', 'low', '--below', '12')).toHaveLength(4);
    expect(await low()).toEqual([...gone, medium].map((item) => ({ ...item, below: 5 })));

    // The threshold of the product counts, with and without the one of the command.
    await answer('product', 'set', 'SHIRT', '--low-stock', '2');
    expect(await low()).toEqual([...gone.map((item) => ({ ...item, below: 5 })), { ...medium, below: 2 }]);
    expect(await low('--below', '13')).toEqual([
      ...gone.map((item) => ({ ...item, below: 13 })),
      { ...medium, below: 2 },
    ]);
    await answer('product', 'set', 'SHIRT', '--low-stock', '0');
    for (const { sku } of gone) await service.fixtures.changeProduct(sku, { active: false });
    expect((await run('stock', 'low', '--below', '1')).stdout).toBe('No product is running out.\n');
    expect((await run('product', 'set', 'SHIRT', '--low-stock', '-1')).stderr).toBe(
      'low_stock must be empty or a whole number from 0 to 1000000000 ("-1").\n',
    );
  });

  it('show each change: when, why, by whom, and the counts after it', async () => {
    const events = await answer<Event[]>('stock', 'history', 'SHIRT', 's');
    const message = events.map((event) => [
      event.on_hand_change,
      event.held_change,
      event.on_hand,
      event.held,
      event.reason,
    ]);
    expect(message).toEqual([
      [1, 0, 12, 0, 'count'],
      [5, 0, 11, 0, 'Delivery 7'],
      [0, -1, 6, 0, `cancelled ${numbers[1]}: out of stock`],
      [-4, -4, 6, 1, `shipped ${numbers[0]}`],
      [0, 1, 10, 5, `ordered ${numbers[1]}`],
      [0, 4, 10, 4, `ordered ${numbers[0]}`],
    ]);
    expect(events.slice(0, 3).map(({ actor }) => actor)).toEqual(['ravi', 'asha', 'test']);
    expect(new Set(events.map(({ variation }) => variation))).toEqual(new Set(['Size:S']));
  });

  it('may be about all variations, or a time', async () => {
    expect(await answer<Event[]>('stock', 'history', 'SHIRT')).toHaveLength(7);
    const [newest] = await answer<Event[]>('stock', 'history', 'SHIRT');
    const since = await answer<Event[]>('stock', 'history', 'SHIRT', '--since', newest!.moved_at);
    expect(since).toEqual([newest]);
    expect((await run('stock', 'history', 'MUG')).stdout).toBe('No changes.\n');
    expect((await run('stock', 'history', 'SHIRT', 'XL')).exitCode).toBe(1);
  });
});
