import { orderBody } from '../support/order-body.js';
import { moveOrder } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { setUpTestApp } from '../support/test-app.js';

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
