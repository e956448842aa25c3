import type { OrderOutput } from '../../../src/modules/orders/records/order-for-file.js';
import { dayAt, startOfDay } from '../../../src/platform/time/time.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { answerOf, runCommandOn } from '../../support/run-command.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const ZONE = 'Asia/Kolkata';
const FACTS = 'order_number,courier,tracking_number,tracking_url,shipped_at';
const UNKNOWN = 'WO-20260101-AAAAA-AAAAA';

interface Report {
  created: number;
  updated: number;
  unchanged: number;
  failed: { line: number; column: string; message: string }[];
}

describe('A file of parcels', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  beforeAll(() =>
    test.fixtures.products([
      { sku: 'BOX', stock: 10_000 },
      { sku: 'LID', stock: 10_000 },
    ]),
  );

  /** Gives the file to the command on standard input. The tracking numbers of these tests repeat. */
  const load = async (action: 'import' | 'correct' | 'deliver', file: string, ...options: string[]) => {
    const accepted = action === 'deliver' ? [] : ['--force'];
    const args = ['shipment', action, '-', '--json', ...accepted, ...options];
    const { stdout, stderr, exitCode } = await runCommandOn(file, test.database.serviceUrl, ...args);
    if (stdout === '') throw new Error(stderr);
    const report = JSON.parse(stdout) as Report;
    expect(exitCode).toBe(report.failed.length > 0 ? 1 : 0);
    return report;
  };
  const rowsOf = (heading: string, rows: string[]) => [heading, ...rows].join('\n');
  const ship = (rows: string[], ...options: string[]) => load('import', rowsOf(FACTS, rows), ...options);
  const shipLines = (rows: string[], ...options: string[]) =>
    load('import', rowsOf(`${FACTS},lines`, rows), ...options);
  const faults = ({ failed }: Report) => failed.map(({ line, column, message }) => [line, column, message]);
  const show = (number: string) => answerOf<OrderOutput>(test.database.serviceUrl, 'order', 'show', number);
  const statuses = (numbers: string[]) =>
    Promise.all(numbers.map(async (number) => (await show(number)).status));
  /** The tracking number and the units of each parcel. */
  const parcels = async (number: string) =>
    (await show(number)).parcels.map(({ tracking_number: awb, lines }) => [
      awb,
      lines.map(({ line, quantity }) => `${line}=${quantity}`).join(' '),
    ]);

  /** An order of three boxes and two lids. */
  const unpaid = (storeOrderId?: string, by = store) =>
    test.place(
      by,
      orderBody(
        [
          { sku: 'BOX', quantity: 3 },
          { sku: 'LID', quantity: 2 },
        ],
        { store_order_id: storeOrderId },
      ),
    );
  const paid = async (storeOrderId?: string, by = store) => {
    const number = await unpaid(storeOrderId, by);
    await moveOrder(test, by, number, 'pay');
    return number;
  };

  it('ships what is paid, names every other row, and says unchanged the second time', async () => {
    const [first, second, waits] = [await paid(), await paid(), await unpaid()];
    const today = dayAt(Date.now(), ZONE);
    const rows = [
      `${first.toLowerCase()},Delhivery,DL1,https://track.example.com/DL1,${today}`,
      `${second},BlueDart,,,`,
      `${waits},Delhivery,DL2,,`,
      `${UNKNOWN},Delhivery,,,`,
      `hello,,DL3,ftp://x,2026-02-30`,
    ];
    const failed = [
      [4, 'order_number', `names an order that is awaiting payment and cannot be shipped ("${waits}")`],
      [5, 'order_number', `there is no order ${UNKNOWN}`],
      [6, 'courier', 'must not be empty'],
      [6, 'tracking_url', 'must be an address that begins with http:// or https:// ("ftp://x")'],
      [
        6,
        'shipped_at',
        'must be a date or time such as 31/01/2026 18:00 or 2026-01-31T18:00+05:30 ("2026-02-30")',
      ],
    ];
    const check = await ship(rows, '--dry-run');
    expect([check.updated, faults(check), await statuses([first])]).toEqual([2, failed, ['pending']]);
    const report = await ship(rows);
    expect([report.updated, faults(report)]).toEqual([2, failed]);
    expect(await ship(rows)).toMatchObject({ updated: 0, unchanged: 2 });
    expect((await show(first)).tracking).toEqual({
      courier: 'Delhivery',
      tracking_number: 'DL1',
      tracking_url: 'https://track.example.com/DL1',
      shipped_at: startOfDay(today, ZONE).toISOString(),
    });
    const none = { courier: 'BlueDart', tracking_number: null, tracking_url: null };
    expect((await show(second)).tracking).toMatchObject(none);
    for (const other of ['BlueDart,,,', `Delhivery,DL1,https://track.example.com/DL1,${today}T00:00:01Z`])
      expect((await ship([`${first},${other}`])).failed[0]!.message).toContain(
        'was shipped already, with another courier, tracking or time',
      );
  });

  it('is read as a courier writes it: its headings, the store’s ids, the day first', async () => {
    const [first, second, third] = [await paid('WEB 1/A'), await paid(), await paid('WEB-5')];
    // Two clients may have the same id.
    for (const by of [store, await test.fixtures.store()]) await paid('WEB-9', by);
    const today = dayAt(Date.now(), ZONE);
    const [year, month, day] = today.split('-');
    const report = await load(
      'import',
      rowsOf('AWB Number;Reference No;Courier Name;Pickup Date;Weight', [
        `A1;WEB 1/A;Delhivery;${Number(day)}/${month}/${year};1.2`,
        `A2;${second};Delhivery;${day}.${month}.${year};`,
        'A3;WEB-77;Delhivery;31/02/2026;',
        'A4;WEB-78;Delhivery;;',
        'A5;WEB-9;Delhivery;;',
        `A6;${third};Delhivery;;`,
        'A6;WEB-5;Delhivery;;',
      ]),
    );
    expect(report).toMatchObject({ updated: 3 });
    expect(faults(report)).toEqual([
      [4, 'shipped_at', expect.stringContaining('31/01/2026 18:00')],
      [5, 'order_number', 'there is no order WEB-78'],
      [6, 'order_number', expect.stringContaining('fits several orders (WO-')],
      [8, 'order_number', expect.stringContaining('is already in row 7')],
    ]);
    const shippedAt = startOfDay(today, ZONE).toISOString();
    expect((await show(first)).tracking).toMatchObject({ tracking_number: 'A1', shipped_at: shippedAt });
    expect((await show(second)).tracking).toMatchObject({ tracking_number: 'A2', shipped_at: shippedAt });
  });

  it('has no time before the order or after today in any zone, and no rounded tracking number', async () => {
    const numbers = [await paid(), await paid(), await paid(), await paid()];
    const placedAt = new Date((await show(numbers[0]!)).placed_at).getTime();
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const report = await ship([
      `${numbers[0]},Delhivery,,,${new Date(placedAt - 1).toISOString()}`,
      `${numbers[1]},Delhivery,,,${inHours(25)}`,
      `${numbers[2]},Delhivery,1.23457E+11,,`,
      `${numbers[3]},Delhivery,,,${inHours(23)}`,
    ]);
    expect(faults(report)).toEqual([
      [2, 'shipped_at', expect.stringMatching(/^is before the order was placed \(".*\+05:30"\)$/)],
      [3, 'shipped_at', expect.stringMatching(/^must not be in the future \("[^ ]*Z"\)$/)],
      [4, 'tracking_number', expect.stringContaining('rounded by a spreadsheet')],
    ]);
    expect(await statuses(numbers)).toEqual(['pending', 'pending', 'pending', 'shipped']);
  });

  it('ships all or none, also when only the stock tells in the end that one cannot be shipped', async () => {
    const { sku } = await test.fixtures.product({ stock: 20 });
    const numbers = [
      await test.place(store, [{ sku, quantity: 10 }]),
      await test.place(store, [{ sku, quantity: 10 }]),
    ];
    for (const number of numbers) await moveOrder(test, store, number, 'pay');
    await test.fixtures.count(sku, 15);
    const rows = numbers.map((number) => `${number},Delhivery,,,`);
    const short = [[3, 'order_number', expect.stringContaining('only 5 are on hand')]];
    await expect(ship(rows, '--all-or-nothing')).rejects.toThrow('only 5 are on hand');
    expect(await statuses(numbers)).toEqual(['pending', 'pending']);
    expect(faults(await ship(rows))).toEqual(short);
    expect(await statuses(numbers)).toEqual(['shipped', 'pending']);
  });

  describe('with several parcels of an order', () => {
    const unchanged = (rows: number) => ({ updated: 0, unchanged: rows, failed: [] });

    it('takes everything with the first row; the others are further boxes', async () => {
      const number = await paid();
      const rows = ['A', 'B', 'C'].map((awb) => `${number},Delhivery,${awb},,,`);
      expect(await shipLines(rows.slice(0, 2))).toMatchObject({ updated: 2, failed: [] });
      expect(await shipLines(rows)).toMatchObject({ updated: 1, unchanged: 2, failed: [] });
      expect(await parcels(number)).toEqual([
        ['A', '1=3 2=2'],
        ['B', ''],
        ['C', ''],
      ]);
      const [fault] = (await shipLines([`${number},Delhivery,D,,,`])).failed;
      expect(fault?.message).toContain('correct its shipment instead');
      await moveOrder(test, store, number, 'deliver');
      expect((await shipLines([...rows, `${number},Delhivery,D,,,`])).failed).toMatchObject([{ line: 5 }]);
    });

    it('says in the check that a further box has the number of another parcel', async () => {
      const number = await paid();
      await shipLines([`${number},Delhivery,A,,,1=1`]);
      const rows = [`${number},Delhivery,B,,`, `${number},BlueDart,A,,`];
      for (const options of [['--dry-run'], []]) {
        const report = await ship(rows, ...options);
        expect([report.updated, faults(report)]).toEqual([
          1,
          [[3, 'tracking_number', 'is on parcel 1 of the order too ("A")']],
        ]);
      }
    });

    it('takes the lines of each row, and the rest with a row that names none', async () => {
      const number = await paid();
      const rows = [
        `${number},Delhivery,A,,,1=1`,
        `${number},Delhivery,,,,"2=1, 1=1"`,
        `${number},Delhivery,,,,`,
        `${number},Delhivery,D,,,`,
      ];
      expect(await shipLines(rows.slice(0, 2))).toMatchObject({ updated: 2, failed: [] });
      expect(await statuses([number])).toEqual(['pending']);
      expect(await shipLines(rows)).toMatchObject({ updated: 2, unchanged: 2, failed: [] });
      expect(await parcels(number)).toEqual([
        ['A', '1=1'],
        [null, '1=1 2=1'],
        [null, '1=1 2=1'],
        ['D', ''],
      ]);
      expect(await shipLines(rows)).toMatchObject(unchanged(4));
      expect(await statuses([number])).toEqual(['shipped']);
    });

    it('names units that an order does not have, and rows that wait for a refused one', async () => {
      const [number, waits] = [await paid(), await paid()];
      await shipLines([`${number},Delhivery,A,,,1=1`]);
      const report = await shipLines([
        `${number},Delhivery,A,,,1=2`,
        `${number},Delhivery,B,,,1`,
        `${number},Delhivery,C,,,3=1`,
        `${number},Delhivery,D,,,1=4`,
        `${number},Delhivery,E,,,1=1 1=1`,
        `${waits},,F,,,`,
        `${waits},Delhivery,G,,,`,
      ]);
      expect(report.updated).toBe(0);
      expect(faults(report)).toEqual([
        [2, 'order_number', `The order has a parcel with this tracking number already. ("${number}")`],
        [3, 'lines', '"1" is not a quantity of a line. Write 1=2 for 2 units of line 1.'],
        [4, 'order_number', `The order has no line 3. Its last line is 2. ("${number}")`],
        [5, 'order_number', `Only 2 units of line 1 can be shipped: 3 ordered, 1 shipped. ("${number}")`],
        [6, 'lines', 'Line 1 is named twice. ("1=1 1=1")'],
        [7, 'courier', 'must not be empty'],
        [8, 'order_number', `waits for row 7 of the same order, which is refused ("${waits}")`],
      ]);
      // In UTC the time is in the year 10000. The reason quotes the cell, and PostgreSQL stores no NUL.
      expect(faults(await shipLines([`${number},Delhivery,E,,9999-12-31T23:59-05:00,1=\0`]))).toEqual([
        [2, 'shipped_at', expect.stringContaining('must be a date or time')],
        [2, 'lines', '"1=" is not a quantity of a line. Write 1=2 for 2 units of line 1.'],
      ]);
      const twice = [`${number},Delhivery,B,,,2=1`, `${number},Delhivery,B,,,1=1`];
      expect(faults(await shipLines(twice))).toEqual([
        [3, 'order_number', `is already in row 2 ("${number}")`],
      ]);
    });

    it('keeps the rows of an order in their order in batches, and ships all or none', async () => {
      const numbers = [await paid(), await paid()];
      const boxes = Array.from({ length: 30 }, (_, n) => `Delhivery,B${n},,,`);
      const rows = boxes.flatMap((box) => numbers.map((number) => `${number},${box}`));
      const bad = [...rows, `${numbers[0]},Delhivery,X,,,9=1`];
      await expect(shipLines(bad, '--all-or-nothing')).rejects.toThrow('Row 62: ');
      expect(await statuses(numbers)).toEqual(['pending', 'pending']);
      expect(await shipLines(rows)).toMatchObject({ updated: 60, failed: [] });
      for (const number of numbers)
        expect(await parcels(number)).toEqual(boxes.map((_, n) => [`B${n}`, n === 0 ? '1=3 2=2' : '']));
      expect(await shipLines(rows)).toMatchObject(unchanged(60));
    });
  });

  describe('of corrections', () => {
    const correct = (rows: string[], ...options: string[]) =>
      load('correct', rowsOf(`${FACTS},parcel`, rows), ...options);

    it('changes the newest parcel, keeps what was before, and leaves what is empty', async () => {
      const [shipped, pending] = [await paid(), await paid()];
      await ship([`${shipped},Delhivery,DL1,https://track.example.com/DL1,`]);
      const rows = [`${shipped},BlueDart,BD1,,,`, `${pending},BlueDart,,,,`, `${UNKNOWN},BlueDart,,,,`];
      expect((await correct(rows, '--dry-run')).updated).toBe(1);
      expect((await show(shipped)).changes).toEqual([]);
      const report = await correct(rows);
      expect(faults(report)).toEqual([
        [3, 'order_number', `names an order that is pending and was not shipped ("${pending}")`],
        [4, 'order_number', `there is no order ${UNKNOWN}`],
      ]);
      const { tracking, changes } = await show(shipped);
      expect(tracking).toMatchObject({
        courier: 'BlueDart',
        tracking_number: 'BD1',
        tracking_url: 'https://track.example.com/DL1',
      });
      expect(changes).toMatchObject([
        {
          before: { courier: 'Delhivery', tracking_number: 'DL1' },
          after: { courier: 'BlueDart', tracking_number: 'BD1' },
          reason: null,
        },
      ]);
      const same = [`${shipped},BlueDart,,,${String(tracking!.shipped_at)},`];
      expect(await correct(same)).toMatchObject({ updated: 0, unchanged: 1 });
      expect(faults(await correct([`${shipped},BlueDart,,,1990-01-01,`]))).toEqual([
        [2, 'shipped_at', expect.stringMatching(/^is before the order was placed \(".*"\)$/)],
      ]);
    });

    it('finds the parcel by its number, or by the tracking number', async () => {
      const number = await paid();
      await shipLines([`${number},Delhivery,A,,,1=1`, `${number},Delhivery,B,,,1=1`]);
      expect(await correct([`${number},BlueDart,A,,,`])).toMatchObject({ updated: 1, failed: [] });
      const both = [`${number},DTDC,,,,`, `${number},BlueDart,A2,,,1`];
      expect(await correct(both)).toMatchObject({ updated: 2 });
      expect(await correct(both)).toMatchObject({ updated: 0, unchanged: 2, failed: [] });
      const { parcels: corrected } = await show(number);
      expect(corrected.map(({ courier, tracking_number: awb }) => [courier, awb])).toEqual([
        ['BlueDart', 'A2'],
        ['DTDC', 'B'],
      ]);
      const refused = ['DTDC,,,,3', 'DTDC,,,,x', 'DTDC,B,,,1', 'DTDC,C,,,1'].map((row) => `${number},${row}`);
      const check = await correct(refused, '--dry-run');
      expect(faults(await correct(refused))).toEqual(faults(check));
      expect(faults(check)).toEqual([
        [2, 'parcel', 'is not a parcel of the order ("3")'],
        [3, 'parcel', 'must be the number of a parcel in its order, such as 2 ("x")'],
        [4, 'order_number', `The order has a parcel with this tracking number already. ("${number}")`],
        [5, 'order_number', `is already in row 4 ("${number}")`],
      ]);
    });
  });

  describe('of deliveries', () => {
    it('records them at the time of the timeline, names all other rows, and changes nothing the second time', async () => {
      const [first, second, pending] = [await paid(), await paid(), await paid()];
      for (const number of [first, second]) await moveOrder(test, store, number, 'ship');
      const rows = [` ${first.toLowerCase()} `, second, pending, UNKNOWN];
      const failed = [
        [4, 'order_number', `names an order that is pending and was not shipped ("${pending}")`],
        [5, 'order_number', `there is no order ${UNKNOWN}`],
      ];
      const deliver = (...options: string[]) => load('deliver', rowsOf('order_number', rows), ...options);
      expect(await deliver('--dry-run')).toMatchObject({ updated: 2 });
      expect(await statuses([first])).toEqual(['shipped']);
      const report = await deliver();
      expect([report.updated, faults(report)]).toEqual([2, failed]);
      expect(await deliver()).toMatchObject({ updated: 0, unchanged: 2 });
      const { rows: times } = await test.pool.query(
        `SELECT t.status, count(*)::int AS orders, bool_and(t.changed_at = CASE t.status
                  WHEN 'pending' THEN paid_at WHEN 'shipped' THEN shipped_at ELSE delivered_at END) AS same
           FROM orders o JOIN order_timeline t USING (client_id, order_number)
          WHERE order_number = ANY ($1) AND t.status <> 'awaiting_payment' GROUP BY t.status ORDER BY min(t.entry)`,
        [[first, second]],
      );
      expect(times).toEqual(
        ['pending', 'shipped', 'delivered'].map((status) => ({ status, orders: 2, same: true })),
      );
    });

    it('takes single parcels by their number or tracking number, and then the rest of the order', async () => {
      const number = await paid();
      await shipLines(['A,,,1=1', 'B,,,1=1', 'C,,,1=1'].map((row) => `${number},Delhivery,${row}`));
      const heading = 'order_number,parcel,tracking_number';
      const rows = ['1,', ',B', '4,', ',D', '0,'].map((row) => `${number},${row}`);
      const report = await load('deliver', rowsOf(heading, rows));
      expect([report.updated, faults(report)]).toEqual([
        2,
        [
          [4, 'parcel', 'is not a parcel of the order ("4")'],
          [5, 'tracking_number', 'is not a parcel of the order ("D")'],
          [6, 'parcel', 'must be the number of a parcel in its order, such as 2 ("0")'],
        ],
      ]);
      expect(await load('deliver', rowsOf(heading, rows))).toMatchObject({ updated: 0, unchanged: 2 });
      const deliverAll = () => load('deliver', rowsOf('order_number', [number]));
      expect(await deliverAll()).toMatchObject({ updated: 1, failed: [] });
      expect(await deliverAll()).toMatchObject({ updated: 0, unchanged: 1 });
      expect(await statuses([number])).toEqual(['pending']);
      await shipLines([`${number},Delhivery,D,,,`]);
      expect(await deliverAll()).toMatchObject({ updated: 1 });
      expect(await statuses([number])).toEqual(['delivered']);
    });
  });
});
