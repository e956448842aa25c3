import { PackingService } from '../../src/modules/fulfilment/packing/packing.service.js';
import { OrderLifecycleService } from '../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { OrderDeskService } from '../../src/modules/orders/records/order-desk.service.js';
import { csvText } from '../../src/shared/imports/csv-format.js';
import { ParcelFilesService } from '../../src/modules/fulfilment/parcels/parcel-files.service.js';
import { makeBeforeAll } from '../support/suite-hooks.js';
import { OperatorServices, all } from '../support/operator-services.js';
import { dayAt, startOfDay } from '../../src/platform/time/time.js';
import { orderBody } from '../support/order-body.js';
import { setUpTestApp } from '../support/test-app.js';

const ZONE = 'Asia/Kolkata';

describe('the file of shipments', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.serviceUrl));
  const store = makeBeforeAll(() => service.fixtures.store());
  let desk: OrderDeskService;
  let files: ParcelFilesService;

  beforeAll(async () => {
    desk = operator.app.get(OrderDeskService);
    files = operator.app.get(ParcelFilesService);
    await service.fixtures.product({ sku: 'BOX', stock: 100 });
  });

  const order = async (options: { paid: boolean }): Promise<string> => {
    const number = await service.place(store, [{ sku: 'BOX', quantity: 10 }]);
    if (options.paid) await desk.pay(number, 'test', {});
    return number;
  };
  const ship = (lines: string[], options = {}) =>
    operator.import(
      files.shipments,
      ['order_number,courier,tracking_number,tracking_url,shipped_at', ...lines].join('\n'),
      // The numbers of these tests repeat.
      { force: true, ...options },
    );
  const statuses = (numbers: string[]) =>
    Promise.all(numbers.map(async (number) => (await desk.show(number)).status));

  it('reads the report of a courier as it comes: its headings, the store’s ids, the day first', async () => {
    const named = async (id: string, by = store) => {
      const number = await service.place(
        by,
        orderBody([{ sku: 'BOX', quantity: 1 }], { store_order_id: id }),
      );
      await desk.pay(number, 'test', {});
      return number;
    };
    const [first, second] = [await named('WEB 1/A'), await order({ paid: true })];
    // Two clients may have the same id.
    for (const by of [store, await service.fixtures.store()]) await named('WEB-9', by);
    const placed = dayAt((await desk.show(second)).placed_at, ZONE);
    const [year, month, day] = placed.split('-');
    const report = [
      'AWB Number;Reference No;Courier Name;Pickup Date;Weight',
      `A1;WEB 1/A;Delhivery;${Number(day)}/${month}/${year} 23:59;1.2`,
      `A2;${second};Delhivery;${day}.${month}.${year};`,
      'A3;WEB-77;Delhivery;31/02/2026;',
      'A4;WEB-78;Delhivery;;',
      'A5;WEB-9;Delhivery;;',
    ];
    const result = await operator.import(files.shipments, report.join('\n'));
    expect(result).toMatchObject({
      updated: 2,
      failed: [
        { line: 4, column: 'shipped_at', message: expect.stringContaining('31/01/2026 18:00') },
        { line: 5, column: 'order_number', message: 'there is no order WEB-78' },
        {
          line: 6,
          column: 'order_number',
          message: expect.stringContaining('is an order of several clients: use our number'),
        },
      ],
    });
    const repeated = await named('WEB-5');
    const twice = `order_number,courier\n${repeated},Delhivery\nWEB-5,Delhivery\n`;
    expect(await operator.import(files.shipments, twice)).toMatchObject({
      updated: 1,
      failed: [{ line: 3, column: 'order_number', message: expect.stringContaining('is already in row 2') }],
    });
    expect((await desk.show(first)).tracking).toMatchObject({ tracking_number: 'A1' });
    expect((await desk.show(second)).tracking!.shipped_at).toBe(startOfDay(placed, ZONE).toISOString());
  });

  it('ships what is paid, names every other row, and says unchanged the second time', async () => {
    const [paid, unpaid] = [await order({ paid: true }), await order({ paid: false })];
    const today = dayAt((await desk.show(paid)).placed_at, ZONE);
    const lines = [
      `${paid.toLowerCase()},Delhivery,DL1,https://track.example.com/DL1,${today}`,
      `${unpaid},Delhivery,DL2,,`,
      'WO-20260101-AAAAA-AAAAA,Delhivery,,,',
      `hello,,DL3,ftp://x,2026-02-30`,
    ];
    const failed = [
      {
        line: 3,
        column: 'order_number',
        message: `names an order that is awaiting payment and cannot be shipped ("${unpaid}")`,
      },
      { line: 4, column: 'order_number', message: 'there is no order WO-20260101-AAAAA-AAAAA' },
      { line: 5, column: 'courier', message: 'must not be empty' },
      {
        line: 5,
        column: 'tracking_url',
        message: 'must be an address that begins with http:// or https:// ("ftp://x")',
      },
      {
        line: 5,
        column: 'shipped_at',
        message: 'must be a date or time such as 31/01/2026 18:00 or 2026-01-31T18:00+05:30 ("2026-02-30")',
      },
    ];
    expect(await ship(lines, { dryRun: true })).toMatchObject({ updated: 1, failed });
    expect(await ship(lines)).toEqual({ created: 0, updated: 1, unchanged: 0, failed, warnings: [] });
    expect(await ship(lines)).toMatchObject({ updated: 0, unchanged: 1, failed });
    expect((await desk.show(paid)).tracking).toEqual({
      courier: 'Delhivery',
      tracking_number: 'DL1',
      tracking_url: 'https://track.example.com/DL1',
      shipped_at: startOfDay(today, ZONE).toISOString(),
    });
    const tracking = 'DL1,https://track.example.com/DL1';
    for (const other of ['BlueDart,,,', `Delhivery,${tracking},${today}T00:00:01Z`]) {
      const [fault] = (await ship([`${paid},${other}`])).failed;
      expect(fault?.message).toContain('was shipped already, with another courier, tracking or time');
    }
  });

  it('refuses to have shipped what was not ordered yet, but takes a bare date for that day', async () => {
    const number = await order({ paid: true });
    const placed = (await desk.show(number)).placed_at.getTime();
    const before = new Date(placed - 1).toISOString();
    const failed = [
      {
        line: 2,
        column: 'shipped_at',
        message: expect.stringMatching(/^is before the order was placed \(".*\+05:30"\)$/) as string,
      },
    ];
    for (const time of [before, '1990-01-01']) {
      expect(await ship([`${number},Delhivery,,,${time}`], { dryRun: true })).toMatchObject({ failed });
      expect(await ship([`${number},Delhivery,,,${time}`])).toMatchObject({ updated: 0, failed });
    }
    const shipment = { courier: 'Delhivery', trackingNumber: null, trackingUrl: null };
    await expect(
      desk.ship(number, 'test', { ...shipment, shippedAt: new Date(before) }),
    ).rejects.toMatchObject({
      code: 'invalid_value',
      message: expect.stringContaining('before the order was placed') as string,
    });
    const today = startOfDay(dayAt(placed, ZONE), ZONE);
    expect(await desk.ship(number, 'test', { ...shipment, shippedAt: today })).toMatchObject({
      tracking: { shipped_at: today.toISOString() },
    });
  });

  it('accepts today in any time zone, but no later date', async () => {
    const [today, later] = [await order({ paid: true }), await order({ paid: true })];
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const lines = [`${today},Delhivery,,,${inHours(23)}`, `${later},Delhivery,,,${inHours(25)}`];
    expect(await ship(lines)).toMatchObject({
      updated: 1,
      failed: [
        {
          line: 3,
          column: 'shipped_at',
          message: expect.stringMatching(/^must not be in the future \("[^ ]*Z"\)$/) as string,
        },
      ],
    });
  });

  it('tells the same time in the order and in its timeline', async () => {
    const number = await order({ paid: true });
    await desk.ship(number, 'test', {
      courier: 'X',
      trackingNumber: null,
      trackingUrl: null,
      shippedAt: null,
    });
    await desk.deliver(number, 'test');
    const { rows } = await service.pool.query(
      `SELECT paid_at = (SELECT changed_at FROM order_timeline t WHERE t.order_number = o.order_number AND t.status = 'pending') AS paid,
              shipped_at = (SELECT changed_at FROM order_timeline t WHERE t.order_number = o.order_number AND t.status = 'shipped') AS shipped,
              delivered_at = (SELECT changed_at FROM order_timeline t WHERE t.order_number = o.order_number AND t.status = 'delivered') AS delivered
         FROM orders o WHERE order_number = $1`,
      [number],
    );
    expect(rows).toEqual([{ paid: true, shipped: true, delivered: true }]);
  });

  it('tells of each order its own parcel, however many are shipped', async () => {
    await service.fixtures.count('BOX', 1_000);
    const numbers = await Promise.all(Array.from({ length: 30 }, () => order({ paid: true })));
    const lines = numbers.map((number, n) => `${number},Courier ${n},${n % 2 ? `DL${n}` : ''},,`);
    expect(await ship(lines)).toMatchObject({ updated: 30, failed: [] });
    const displayed = await Promise.all(numbers.map((number) => desk.show(number)));
    expect(displayed.map(({ tracking }) => [tracking?.courier, tracking?.tracking_number])).toEqual(
      numbers.map((_, n) => [`Courier ${n}`, n % 2 ? `DL${n}` : null]),
    );
  });

  it('ships all or none, also when only the stock tells in the end that one cannot be shipped', async () => {
    const numbers = [await order({ paid: true }), await order({ paid: true })];
    await service.fixtures.count('BOX', 15);
    const lines = numbers.map((number) => `${number},Delhivery,,,`);
    const short = {
      column: 'order_number',
      message: expect.stringContaining('only 5 are on hand') as string,
    };
    expect(await ship(lines, { allOrNothing: true })).toMatchObject({
      updated: 0,
      failed: [{ line: 3, ...short }],
    });
    expect(await statuses(numbers)).toEqual(['pending', 'pending']);
    expect(await ship(lines)).toMatchObject({ updated: 1, failed: [{ line: 3, ...short }] });
    expect(await statuses(numbers)).toEqual(['shipped', 'pending']);
    await service.fixtures.count('BOX', 50);
    expect(await ship(lines.slice(1), { allOrNothing: true })).toMatchObject({ updated: 1, failed: [] });
  });

  it('refuses what a spreadsheet made of a tracking number, and says what it did', async () => {
    const number = await order({ paid: true });
    const { failed } = await ship([`${number},Delhivery,1.23457E+11,,`]);
    expect(failed).toEqual([
      {
        line: 2,
        column: 'tracking_number',
        message: expect.stringContaining('rounded by a spreadsheet') as string,
      },
    ]);
    expect(await statuses([number])).toEqual(['pending']);
  });

  it('of corrections changes what was shipped, keeps what was before, and leaves what is empty', async () => {
    await service.fixtures.count('BOX', 200);
    const [shipped, pending] = [await order({ paid: true }), await order({ paid: true })];
    await ship([`${shipped},Delhivery,DL1,https://track.example.com/DL1,`]);
    const correct = (lines: string[], options = {}) => {
      return operator.import(
        files.corrections,
        ['order_number,courier,tracking_number,tracking_url,shipped_at', ...lines].join('\n'),
        { force: true, ...options },
      );
    };
    const lines = [
      `${shipped},BlueDart,BD1,,`,
      `${pending},BlueDart,BD2,,`,
      `WO-20260101-AAAAA-AAAAA,BlueDart,BD3,,`,
    ];
    const failed = [
      {
        line: 3,
        column: 'order_number',
        message: `names an order that is pending and was not shipped ("${pending}")`,
      },
      { line: 4, column: 'order_number', message: 'there is no order WO-20260101-AAAAA-AAAAA' },
    ];
    expect(await correct(lines, { dryRun: true })).toMatchObject({ updated: 1, failed });
    expect((await desk.show(shipped)).changes).toEqual([]);
    expect(await correct(lines)).toMatchObject({ updated: 1, failed });
    expect(await correct(lines)).toMatchObject({ updated: 0, unchanged: 1, failed });
    const { tracking, changes } = await desk.show(shipped);
    expect(tracking).toMatchObject({
      courier: 'BlueDart',
      tracking_number: 'BD1',
      tracking_url: 'https://track.example.com/DL1',
    });
    expect(changes).toEqual([
      {
        changed_at: expect.any(String) as string,
        actor: 'test',
        before: { courier: 'Delhivery', tracking_number: 'DL1' },
        after: { courier: 'BlueDart', tracking_number: 'BD1' },
        reason: null,
      },
    ]);
    const known = tracking!.shipped_at;
    expect(await correct([`${shipped},BlueDart,,,${known}`])).toMatchObject({ updated: 0, unchanged: 1 });
    const address = 'https://track.example.com/BD1';
    expect(await correct([`${shipped},BlueDart,,${address},`])).toMatchObject({ updated: 1 });
    expect((await desk.show(shipped)).tracking).toMatchObject({ tracking_url: address, shipped_at: known });
    expect(await correct([`${shipped},BlueDart,,,1990-01-01`])).toMatchObject({
      failed: [
        {
          line: 2,
          column: 'shipped_at',
          message: expect.stringMatching(/^is before the order was placed \(".*"\)$/) as string,
        },
      ],
    });
  });

  it('names its columns as its courier does, if the command maps them', async () => {
    const number = await order({ paid: true });
    const file = `Order No.;AWB No;Shipped At\n${number};BD77;\n`;
    const { shipments } = files;
    const renamed = { 'AWB No': 'tracking_number', 'order no': 'order_number' };
    const constants = { courier: 'BlueDart' };
    expect(await operator.import(shipments, file, { renamed, constants })).toEqual({
      created: 0,
      updated: 1,
      unchanged: 0,
      failed: [],
      warnings: [],
    });
    expect((await desk.show(number)).tracking).toMatchObject({
      courier: 'BlueDart',
      tracking_number: 'BD77',
    });
    await expect(operator.import(shipments, file)).rejects.toMatchObject({
      code: 'wrong_columns',
      message: expect.stringMatching(/^The heading lacks courier\. Required, in any/) as string,
    });
  });

  describe('with several parcels of an order', () => {
    const HEADING = 'order_number,courier,tracking_number,tracking_url,shipped_at,lines';
    const of = async (file: 'shipments' | 'corrections', heading: string, lines: string[], options = {}) =>
      operator.import(files[file], [heading, ...lines].join('\n'), { force: true, ...options });
    const parts = (lines: string[], options = {}) => of('shipments', HEADING, lines, options);
    const twoLines = async (): Promise<string> => {
      const items = [
        { sku: 'BOX', quantity: 3 },
        { sku: 'LID', quantity: 2 },
      ];
      const number = await service.place(store, items);
      await desk.pay(number, 'test', {});
      return number;
    };
    const parcels = async (number: string) =>
      (await desk.show(number)).parcels.map(({ tracking_number: awb, lines }) => [
        awb,
        lines.map(({ line, quantity }) => `${line}=${quantity}`).join(' '),
      ]);
    const unchanged = (rows: number) => ({
      created: 0,
      updated: 0,
      unchanged: rows,
      failed: [],
      warnings: [],
    });

    beforeAll(async () => {
      await service.fixtures.count('BOX', 1_000);
      await service.fixtures.product({ sku: 'LID', stock: 1_000 });
    });

    it('takes everything with the first row; the others are further boxes', async () => {
      const number = await twoLines();
      const rows = ['A', 'B', 'C'].map((awb) => `${number},Delhivery,${awb},,,`);
      expect(await parts(rows.slice(0, 2))).toMatchObject({ updated: 2, failed: [] });
      expect(await parcels(number)).toEqual([
        ['A', '1=3 2=2'],
        ['B', ''],
      ]);
      expect(await parts(rows.slice(0, 2))).toEqual(unchanged(2));
      expect(await parts(rows)).toMatchObject({ updated: 1, unchanged: 2, failed: [] });
      expect(await parcels(number)).toHaveLength(3);
      expect((await desk.show(number)).tracking).toMatchObject({ tracking_number: 'C' });
      const [fault] = (await parts([`${number},Delhivery,D,,,`])).failed;
      expect(fault?.message).toContain('correct its shipment instead');
      await desk.deliver(number, 'test');
      expect((await parts([...rows, `${number},Delhivery,D,,,`])).failed).toMatchObject([{ line: 5 }]);
    });

    it('takes the lines of each row, and the rest with a row that names none', async () => {
      const number = await twoLines();
      const rows = [
        `${number},Delhivery,A,,,1=1`,
        `${number},Delhivery,B,,,"2=1, 1=1"`,
        `${number},Delhivery,C,,,`,
        `${number},Delhivery,D,,,`,
      ];
      expect(await parts(rows.slice(0, 2))).toMatchObject({ updated: 2, failed: [] });
      expect(await statuses([number])).toEqual(['pending']);
      expect(await parts(rows)).toMatchObject({ updated: 2, unchanged: 2, failed: [] });
      expect(await parcels(number)).toEqual([
        ['A', '1=1'],
        ['B', '1=1 2=1'],
        ['C', '1=1 2=1'],
        ['D', ''],
      ]);
      expect(await parts(rows)).toEqual(unchanged(4));
      expect(await statuses([number])).toEqual(['shipped']);
    });

    it('tells parcels without a tracking number apart by their lines', async () => {
      const number = await twoLines();
      const rows = [`${number},Delhivery,,,,1=3`, `${number},Delhivery,,,,`];
      expect(await parts(rows)).toMatchObject({ updated: 2, failed: [] });
      expect(await parcels(number)).toEqual([
        [null, '1=3'],
        [null, '2=2'],
      ]);
      expect(await parts(rows)).toEqual(unchanged(2));
      const other = await twoLines();
      const both = [`${other},Delhivery,,,,1=1`, `${other},Delhivery,,,,"1=1"`, `${other},Delhivery,,,,`];
      expect(await parts(both)).toMatchObject({
        updated: 2,
        failed: [{ line: 3, column: 'order_number', message: `is already in row 2 ("${other}")` }],
      });
    });

    it('refuses a tracking number that the order has in another row, or in another parcel', async () => {
      const number = await twoLines();
      expect(await parts([`${number},Delhivery,A,,,1=1`, `${number},Delhivery,A,,,1=2`])).toMatchObject({
        updated: 1,
        failed: [{ line: 3, message: `is already in row 2 ("${number}")` }],
      });
      expect((await parts([`${number},Delhivery,A,,,1=2`])).failed).toEqual([
        {
          line: 2,
          column: 'order_number',
          message: `The order has a parcel with this tracking number already. ("${number}")`,
        },
      ]);
    });

    it('names the lines that an order does not have, and rows that wait for a refused one', async () => {
      const [number, waits] = [await twoLines(), await twoLines()];
      const rows = [
        `${number},Delhivery,A,,,1`,
        `${number},Delhivery,B,,,3=1`,
        `${number},Delhivery,C,,,1=4`,
        `${number},Delhivery,D,,,1=1 1=1`,
        `${waits},,E,,,`,
        `${waits},Delhivery,F,,,`,
      ];
      const { updated, failed } = await parts(rows);
      expect(updated).toBe(0);
      expect(failed.map(({ line, column, message }) => [line, column, message])).toEqual([
        [2, 'lines', '"1" is not a quantity of a line. Write 1=2 for 2 units of line 1.'],
        [3, 'order_number', `The order has no line 3. Its last line is 2. ("${number}")`],
        [4, 'order_number', `Only 3 units of line 1 can be shipped: 3 ordered. ("${number}")`],
        [5, 'lines', 'Line 1 is named twice. ("1=1 1=1")'],
        [6, 'courier', 'must not be empty'],
        [7, 'order_number', `waits for row 6 of the same order, which is refused ("${waits}")`],
      ]);
      const mended = [`${waits},Delhivery,E,,,`, `${waits},Delhivery,F,,,`];
      expect(await parts(mended)).toMatchObject({ updated: 2, failed: [] });
      expect(await parcels(waits)).toEqual([
        ['E', '1=3 2=2'],
        ['F', ''],
      ]);
    });

    it('keeps the rows of an order in their order in batches, and ships all or none', async () => {
      const numbers = [await twoLines(), await twoLines()];
      const boxes = Array.from({ length: 30 }, (_, n) => `Delhivery,B${n},,,`);
      const rows = boxes.flatMap((box) => numbers.map((number) => `${number},${box}`));
      const bad = [...rows, `${numbers[0]},Delhivery,X,,,9=1`];
      expect(await parts(bad, { allOrNothing: true })).toMatchObject({ updated: 0, failed: [{ line: 62 }] });
      expect(await statuses(numbers)).toEqual(['pending', 'pending']);
      expect(await parts(rows, { dryRun: true })).toMatchObject({ updated: 60, failed: [] });
      expect(await parts(rows)).toMatchObject({ updated: 60, failed: [] });
      for (const number of numbers)
        expect(await parcels(number)).toEqual(boxes.map((_, n) => [`B${n}`, n === 0 ? '1=3 2=2' : '']));
      expect(await parts(rows)).toEqual(unchanged(60));
    });

    it('corrects the parcel with the number, or with the tracking number, or the newest', async () => {
      const number = await twoLines();
      await parts([`${number},Delhivery,A,,,1=1`, `${number},Delhivery,B,,,1=1`]);
      const heading = 'order_number,courier,tracking_number,parcel';
      const correct = (...lines: string[]) => of('corrections', heading, lines);
      expect(await correct(`${number},BlueDart,A,`)).toMatchObject({ updated: 1, failed: [] });
      expect(await correct(`${number},DTDC,,`, `${number},BlueDart,A2,1`)).toMatchObject({ updated: 2 });
      expect(await correct(`${number},DTDC,,`, `${number},BlueDart,A2,1`)).toEqual(unchanged(2));
      expect(
        (await desk.show(number)).parcels.map(({ courier, tracking_number: awb }) => [courier, awb]),
      ).toEqual([
        ['BlueDart', 'A2'],
        ['DTDC', 'B'],
      ]);
      const { failed } = await correct(
        `${number},DTDC,,3`,
        `${number},DTDC,,x`,
        `${number},DTDC,B,1`,
        `${number},DTDC,C,1`,
      );
      expect(failed.map(({ line, column, message }) => [line, column, message])).toEqual([
        [2, 'parcel', 'is not a parcel of the order ("3")'],
        [3, 'parcel', 'must be the number of a parcel in its order, such as 2 ("x")'],
        [4, 'order_number', `The order has a parcel with this tracking number already. ("${number}")`],
        [5, 'order_number', `is already in row 4 ("${number}")`],
      ]);
    });
  });

  describe('of deliveries', () => {
    beforeAll(() => service.fixtures.count('BOX', 1_000));

    const shipped = async (): Promise<string> => {
      const number = await order({ paid: true });
      const parcel = { courier: 'Delhivery', trackingNumber: null, trackingUrl: null, shippedAt: null };
      await desk.ship(number, 'test', parcel);
      return number;
    };
    const deliver = (lines: string[], options = {}) =>
      operator.import(files.deliveries, ['order_number', ...lines].join('\n'), options);

    it('records many deliveries, names all other rows, and changes nothing the second time', async () => {
      const arrived = await Promise.all(Array.from({ length: 30 }, shipped));
      const pending = await order({ paid: true });
      const lines = [...arrived, pending, 'WO-20260101-AAAAA-AAAAA', 'hello'];
      const failed = [
        {
          line: 32,
          column: 'order_number',
          message: `names an order that is pending and was not shipped ("${pending}")`,
        },
        { line: 33, column: 'order_number', message: 'there is no order WO-20260101-AAAAA-AAAAA' },
        { line: 34, column: 'order_number', message: 'there is no order hello' },
      ];
      expect(await deliver(lines, { dryRun: true })).toMatchObject({ updated: 30, failed });
      expect((await desk.show(arrived[0]!)).status).toBe('shipped');
      expect(await deliver(lines)).toEqual({ created: 0, updated: 30, unchanged: 0, failed, warnings: [] });
      expect(await deliver(lines)).toMatchObject({ updated: 0, unchanged: 30, failed });
      const { rows } = await service.pool.query(
        `SELECT count(*)::int AS orders, bool_and(o.delivered_at = t.changed_at AND t.actor = 'test') AS told
           FROM orders o JOIN order_timeline t USING (client_id, order_number)
          WHERE o.status = 'delivered' AND t.status = 'delivered' AND order_number = ANY ($1)`,
        [arrived],
      );
      expect(rows).toEqual([{ orders: 30, told: true }]);
      expect((await desk.show(pending)).status).toBe('pending');
    });

    it('takes any spelling of a number, and a repeated one for a mistake', async () => {
      const number = await shipped();
      expect(await deliver([number, number.toLowerCase()], { allOrNothing: true })).toMatchObject({
        updated: 0,
        failed: [{ column: 'order_number' }],
      });
      expect(await deliver([` ${number.toLowerCase()} `])).toMatchObject({ updated: 1, failed: [] });
    });

    it('takes single parcels, by their number or tracking number', async () => {
      const parcels = (lines: string[]) =>
        operator.import(files.deliveries, ['order_number,parcel,tracking_number', ...lines].join('\n'));
      const number = await order({ paid: true });
      const box = {
        courier: 'Delhivery',
        trackingUrl: null,
        shippedAt: null,
        sharedWithOrders: 'any',
      } as const;
      await desk.ship(number, 'test', { ...box, trackingNumber: 'A' });
      const { clientId } = store;
      for (const trackingNumber of ['B', 'C'])
        await operator.app
          .get(OrderLifecycleService)
          .applyChange(
            { clientId, orderNumber: number },
            { action: 'ship', ...box, trackingNumber, lines: [] },
            'test',
          );
      const failed = [
        { line: 4, column: 'parcel', message: 'is not a parcel of the order ("4")' },
        { line: 5, column: 'tracking_number', message: 'is not a parcel of the order ("D")' },
        {
          line: 6,
          column: 'parcel',
          message: 'must be the number of a parcel in its order, such as 2 ("0")',
        },
      ];
      const rows = [`${number},1,`, `${number},,B`, `${number},4,`, `${number},,D`, `${number},0,`];
      expect(await parcels(rows)).toMatchObject({ updated: 2, unchanged: 0, failed });
      expect(await parcels(rows)).toMatchObject({ updated: 0, unchanged: 2, failed });
      expect((await desk.show(number)).status).toBe('shipped');
      expect(await parcels([`${number},3,C`])).toMatchObject({ updated: 1, failed: [] });
      expect((await desk.show(number)).status).toBe('delivered');
    });

    it('leaves an order pending when a part of it has arrived, and says unchanged the second time', async () => {
      const number = await order({ paid: true });
      const part = { courier: 'Delhivery', trackingNumber: null, trackingUrl: null, shippedAt: null };
      await desk.ship(number, 'test', part, ['1=1']);
      expect(await deliver([number])).toMatchObject({ updated: 1, failed: [] });
      expect(await deliver([number])).toMatchObject({ updated: 0, unchanged: 1, failed: [] });
      expect((await desk.show(number)).status).toBe('pending');
      await desk.ship(number, 'test', part);
      expect(await deliver([number])).toMatchObject({ updated: 1 });
      expect((await desk.show(number)).status).toBe('delivered');
    });
  });

  it('is made from a packing list in which no customer can hide a formula', async () => {
    await service
      .post(
        store,
        '/api/orders',
        orderBody([{ sku: 'BOX', quantity: 1, variation: 'As a gift' }], {
          notes: '@SUM(A1)',
          store_order_id: 'P1',
        }),
      )
      .expect(201);
    const { rows } = await operator.app
      .get(PackingService, { strict: false })
      .exportOrders({ status: 'awaiting_payment' });
    const columns = ['notes', 'customer_phone', 'sku', 'variation', 'quantity'] as const;
    const written = (await all(csvText(columns, rows))).join('').split('\r\n');
    expect(written.at(-2)).toBe("'@SUM(A1),+91 98765 43210,BOX,As a gift,1");
  });
});
