import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { AuditRow } from '../../src/modules/audit/audit-list.repository.js';
import type { ReturnRecord } from '../../src/modules/fulfilment/returns/returns.repository.js';
import type { OrderOutput } from '../../src/modules/orders/records/order-for-file.js';
import type { ProductStock } from '../../src/modules/stock/stock-administration.service.js';
import type { Store } from '../support/fixtures.js';
import { setUpDirectory } from '../support/suite-hooks.js';
import { moveOrder, placeAndMove } from '../support/order-steps.js';
import { answerOf, runCommand } from '../support/run-command.js';
import { setUpTestApp } from '../support/test-app.js';

type Added = ReturnRecord & { is_new: boolean };

const MISSING = 'RT-20260101-AAAAA-AAAAA';

describe('A return', () => {
  const test = setUpTestApp();
  const directory = setUpDirectory();
  let store: Store;

  beforeAll(async () => {
    store = await test.fixtures.store();
    await test.fixtures.products([
      { sku: 'MUG', name: 'Mug', stock: 1_000, basePrice: '10', deliveryCharge: '4' },
      { sku: 'BOX', name: 'Box', stock: 1_000, basePrice: '3', deliveryCharge: '0' },
    ]);
  });
  afterAll(async () => {
    expect((await answer<{ contradictions: object[] }>('wallet', 'check')).contradictions).toEqual([]);
  });

  const run = (...args: string[]) => runCommand(test.database.serviceUrl, ...args);
  const answer = <Value>(...args: string[]) => answerOf<Value>(test.database.serviceUrl, ...args);
  /** A command that is refused, with its message. */
  const refused = async (...args: string[]) => {
    const { exitCode, stderr } = await run(...args, '--json');
    const { code, message } = JSON.parse(stderr) as { code: string; message: string };
    return [exitCode, code, message];
  };
  const placed = async (by = store, sku = 'MUG'): Promise<string> => {
    const items = [
      { sku, quantity: 3 },
      { sku: 'BOX', quantity: 2 },
    ];
    return test.place(by, items);
  };
  const shipped = async (by = store): Promise<string> => {
    const number = await placed(by);
    await moveOrder(test, by, number, 'pay', 'ship');
    return number;
  };
  const add = (order: string, line: string, ...more: string[]) =>
    answer<Added>('return', 'add', order, '--line', line, '--reason', 'damaged', ...more);
  const show = (order: string) => answer<OrderOutput>('order', 'show', order);
  const onHand = async (sku: string) => (await answer<ProductStock>('stock', 'show', sku)).on_hand;
  const history = async (sku: string, number: string) =>
    (await answer<{ on_hand_change: number; reason: string; actor: string }[]>('stock', 'history', sku))
      .filter(({ reason }) => reason.includes(number))
      .map(({ on_hand_change, reason, actor }) => [on_hand_change, reason, actor]);
  const balance = async () =>
    (await answer<{ balance: number }>('wallet', 'show', String(store.clientId))).balance;
  const priceOf = async (order: string, line: number) => (await show(order)).items[line - 1]!.unit_price;
  const status = async (order: string) =>
    (await test.get(store, `/api/orders/${order}/status`).expect(200)).body as Record<string, unknown>;

  it('is requested, received, partly restocked and refunded', async () => {
    const order = await shipped();
    const price = await priceOf(order, 1);
    const [stock, money] = [await onHand('MUG'), await balance()];
    const added = await add(order, '1=2', '--by', 'asha', '--note', 'Two mugs\nare broken');
    expect(added).toMatchObject({
      number: expect.stringMatching(/^RT-\d{8}-[0-9A-Z]{5}-[0-9A-Z]{5}$/),
      order_number: order,
      state: 'requested',
      requested_by: 'asha',
      note: 'Two mugs\nare broken',
      is_new: true,
      lines: [{ line: 1, sku: 'MUG', name: 'Mug', quantity: 2, received: null, restocked: 0 }],
    });
    const { number } = added;
    expect((await show(order)).items[0]).toMatchObject({ shipped: 3, returned: 2 });
    const lines = [{ line: 1, quantity: 2 }];
    expect((await status(order)).returns).toMatchObject([{ number, state: 'requested', refunded: 0, lines }]);
    expect([await onHand('MUG'), await balance()]).toEqual([stock, money]);

    const spelled = number.toLowerCase().replaceAll('-', '');
    const partly = ['--restock', '1=1', '--refund', '--note', 'thank you', '--by', 'ravi'];
    const received = await answer<ReturnRecord>('return', 'receive', spelled, ...partly);
    expect(received).toMatchObject({
      state: 'received',
      decided_by: 'ravi',
      decision: 'thank you',
      refunded: 2 * price,
      lines: [{ line: 1, quantity: 2, received: 2, restocked: 1 }],
    });
    expect([await onHand('MUG'), await balance()]).toEqual([stock + 1, money + 2 * price]);
    expect(await history('MUG', number)).toEqual([
      [-1, `written off, return ${number}`, 'ravi'],
      [2, `return ${number}`, 'ravi'],
    ]);
    const table = /LINE +SKU .*RECEIVED +RESTOCKED +WRITTEN OFF\n +1 .* 2 +1 +1\n/;
    expect((await run('return', 'show', number)).stdout).toMatch(table);
    expect(await show(order)).toMatchObject({
      payment_status: 'paid',
      refunded_amount: 2 * price,
      items: [{ shipped: 3, returned: 2, refunded: 2 }, {}],
      returns: [{ number, state: 'received', refunded: 2 * price }],
      refunds: [
        { kind: 'returned', amount: 2 * price, reason: 'damaged', return_number: number, by: 'ravi' },
      ],
    });
    expect(await status(order)).toMatchObject({
      refunded_amount: 2 * price,
      returns: [{ number, state: 'received', refunded: 2 * price }],
    });
    const log = await answer<AuditRow[]>('audit', 'list', '--client', String(store.clientId));
    expect(log.filter(({ subject }) => subject === `return ${number}`)).toMatchObject([
      {
        action: 'return.received',
        actor: 'ravi',
        details: { order, received: '1=2', restocked: '1=1', refund: true },
      },
      { action: 'return.requested', actor: 'asha', details: { order, lines: '1=2', reason: 'damaged' } },
    ]);
  });

  it('is refused with a reason, after which its goods can be returned again', async () => {
    const order = await shipped();
    const { number } = await add(order, '1=3');
    const worn = ['--reason', 'worn', '--by', 'ravi'];
    const answered = await answer<ReturnRecord>('return', 'refuse', number, ...worn);
    expect(answered).toMatchObject({ state: 'refused', decision: 'worn', decided_by: 'ravi' });
    expect((await show(order)).items[0]!.returned).toBe(0);
    expect((await status(order)).returns).toMatchObject([{ number, state: 'refused', refunded: 0 }]);
    expect((await run('return', 'show', number)).stdout).toContain('Refused because: worn\n');
    const log = await answer<AuditRow[]>('audit', 'list', '--client', String(store.clientId));
    expect(log[0]).toMatchObject({
      action: 'return.refused',
      subject: `return ${number}`,
      details: { order, reason: 'worn' },
    });

    // The same words are the same request. A new key makes another one.
    expect(await add(order, '1=3')).toMatchObject({ number, state: 'refused', is_new: false });
    const { stdout } = await run('return', 'add', order, '--line', '1=3', '--reason', 'damaged');
    expect(stdout).toContain('This return was requested before, so nothing was changed.');
    const repeated = await add(order, '1=3', '--key', 'second');
    expect([repeated.is_new, repeated.number === number]).toEqual([true, false]);
    expect(await add(order, '1=1', '--key', 'second')).toMatchObject({
      number: repeated.number,
      is_new: false,
    });
    expect((await show(order)).items[0]!.returned).toBe(3);
  });

  it('is decided once, without a refund unless asked, and is not found by another number', async () => {
    const { number, order_number: order } = await add(await shipped(), '1=2');
    for (const command of [['receive'], ['show'], ['refuse', '--reason', 'r']])
      for (const unknown of [MISSING, 'hello'])
        expect(await refused('return', command[0]!, unknown, ...command.slice(1))).toEqual([
          1,
          'return_not_found',
          `There is no return ${unknown}.`,
        ]);
    const { stdout } = await run('return', 'receive', number);
    expect(stdout).toMatch(/RECEIVED +RESTOCKED +WRITTEN OFF\n +1 .* 2 +0 +2\n/);
    expect((await show(order)).refunds).toEqual([]);
    const already = [1, 'conflict', `The return ${number} was received already.`];
    expect(await refused('return', 'receive', number)).toEqual(already);
    expect(await refused('return', 'refuse', number, '--reason', 'r')).toEqual(already);
  });

  it('adds up two lines of the same goods', async () => {
    const items = [1, 2].map((quantity) => ({ sku: 'MUG', quantity }));
    const order = await placeAndMove(test, store, [...items, { sku: 'BOX', quantity: 1 }], 'pay', 'ship');
    const all = (await show(order)).items.map(({ line, quantity }) => `${line}=${quantity}`).join(' ');
    const [mugs, boxes] = [await onHand('MUG'), await onHand('BOX')];
    const { number } = await add(order, all);
    await answer('return', 'receive', number, '--restock', all, '--refund');
    expect([await onHand('MUG'), await onHand('BOX')]).toEqual([mugs + 3, boxes + 1]);
  });

  it('is listed, the newest first, by client, state and time', async () => {
    const other = await test.fixtures.store();
    const { number: first } = await add(await shipped(other), '1=1 2=2');
    const { number: second } = await add(await shipped(other), '1=2');
    await answer('return', 'refuse', first, '--reason', 'worn');
    const list = async (...args: string[]) =>
      (await answer<ReturnRecord[]>('return', 'list', '--client', String(other.clientId), ...args)).map(
        ({ number }) => number,
      );
    expect(await list()).toEqual([second, first]);
    expect(await list('--state', 'requested')).toEqual([second]);
    expect(await list('--state', 'refused')).toEqual([first]);
    await answer('return', 'receive', second, '--line', '1=1');
    expect(await list('--state', 'partly_received')).toEqual([second]);
    expect(await list('--state', 'received')).toEqual([]);
    expect(await list('--limit', '1')).toEqual([second]);
    expect(await list('--since', '2099-01-01')).toEqual([]);
    const { stdout } = await run('return', 'list', '--client', String(other.clientId), '--all');
    expect(stdout).toMatch(/^NUMBER .*STATE .*LINES .*REASON .*REFUNDED\n/);
    expect(stdout).toContain(' 1=1 2=2 ');
    expect((await run('return', 'list', '--state', 'received', '--since', '2099-01-01')).stdout).toBe(
      'No returns.\n',
    );
  });

  it('comes from a file, whose rows count once', async () => {
    const [first, second, unshipped] = [await shipped(), await shipped(), await placed()];
    const file = path.join(directory, 'returns.csv');
    const rows = [
      `${first.toLowerCase()},1=2 2=1,damaged,Call before`,
      `${first},1=1,too many,`,
      `${second},"1=3, 2=2",damaged,`,
      `${unshipped},1=1,damaged,`,
      `${second},7=1,damaged,`,
      `${second},1=x,damaged,`,
      `${second},,damaged,`,
      `${second},1=1,,`,
      'WO-20260101-AAAAA-AAAAA,1=1,damaged,',
      'hello,1=1,damaged,',
    ];
    await writeFile(file, ['order_number,lines,reason,note', ...rows].join('\n'));
    const load = async (...args: string[]) => {
      const { stdout } = await run('return', 'import', file, '--by', 'asha', '--json', ...args);
      return JSON.parse(stdout) as { created: number; unchanged: number; failed: object[] };
    };
    const failed = [
      { line: 5, column: 'lines', message: 'name 1 of line 1, of which 0 can be returned ("1=1")' },
      { line: 6, column: 'lines', message: 'name line 7, which the order does not have ("7=1")' },
      {
        line: 7,
        column: 'lines',
        message: '"1=x" is not a quantity of a line. Write 1=2 for 2 units of line 1.',
      },
      {
        line: 8,
        column: 'lines',
        message: '"" is not a quantity of a line. Write 1=2 for 2 units of line 1.',
      },
      { line: 9, column: 'reason', message: 'must not be empty' },
      { line: 10, column: 'order_number', message: 'there is no order WO-20260101-AAAAA-AAAAA' },
      { line: 11, column: 'order_number', message: 'there is no order hello' },
    ];
    expect(await load('--dry-run')).toMatchObject({ created: 3, unchanged: 0, failed });
    expect((await show(first)).returns).toEqual([]);
    expect(await load()).toMatchObject({ created: 3, updated: 0, unchanged: 0, failed });
    expect((await show(first)).returns).toMatchObject([
      { reason: 'damaged', note: 'Call before', by: 'asha', lines: [{ line: 1, quantity: 2 }, { line: 2 }] },
      { reason: 'too many', note: null, lines: [{ line: 1, quantity: 1 }] },
    ]);
    expect(await load()).toMatchObject({ created: 0, unchanged: 3 });
    expect((await show(first)).returns).toHaveLength(2);
    // The same words for another order are another return.
    const repeated = rows[0]!.replace(/^[^,]+/, await shipped());
    await writeFile(file, ['order_number,lines,reason,note', repeated].join('\n'));
    expect(await load()).toMatchObject({ created: 1, unchanged: 0, failed: [] });
  });

  it('of a file is refused when two rows together name more than was shipped', async () => {
    const order = await shipped();
    const rows = [`${order},1=2,damaged`, `${order},1=2,too many`, `${order},1=2,damaged`];
    const file = path.join(directory, 'together.csv');
    await writeFile(file, ['order_number,lines,reason', ...rows].join('\n'));
    const { stdout } = await run('return', 'import', file, '--json');
    const few = 'Only 1 unit of line 1 can be returned: 3 ordered, 3 shipped, 2 returned.';
    expect(JSON.parse(stdout)).toMatchObject({
      created: 1,
      failed: [
        { line: 3, column: 'order_number', message: `${few} ("${order}")` },
        { line: 4, column: 'order_number', message: `is already in row 2 ("${order}")` },
      ],
    });
  });
});
