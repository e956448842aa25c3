import type { Store } from '../support/fixtures.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpTestApp } from '../support/test-app.js';

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
        unit: '',
        barcode: '',
        weight_grams: '',
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
});
