import { orderReturns } from '../../support/order-returns.js';
import { ParcelFilesService } from '../../../src/modules/fulfilment/parcels/parcel-files.service.js';
import type { ImportOptions } from '../../../src/shared/imports/import-kind.js';
import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import { DAY_MS, dayAt } from '../../../src/platform/time/time.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { all, OperatorServices, sourceOf } from '../../support/operator-services.js';
import { setUpTestApp } from '../../support/test-app.js';

const ZONE = 'Asia/Kolkata';

describe('what a courier reports of parcels', () => {
  const service = setUpTestApp();
  beforeAll(() => service.fixtures.neighbours());
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.serviceUrl));
  const store = makeBeforeAll(() => service.fixtures.store());
  let desk: OrderDesk;
  let files: ParcelFilesService;
  let awb = 0;

  beforeAll(async () => {
    desk = orderDesk(operator.app);
    files = operator.app.get(ParcelFilesService);
    await service.fixtures.product({ sku: 'BOX', stock: 10_000 });
  });

  const paid = async (): Promise<string> => {
    const number = await service.place(store, [{ sku: 'BOX', quantity: 10 }]);
    await desk.pay(number, 'test', {});
    return number;
  };
  const ship = async (number: string, trackingNumber = `AWB${++awb}`, options = {}) => {
    const box = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };
    await desk.ship(number, 'test', { ...box, trackingNumber, ...options });
    return trackingNumber;
  };
  const shipped = async (): Promise<{ number: string; tracking: string }> => {
    const number = await paid();
    return { number, tracking: await ship(number) };
  };
  const report = async (lines: string[], options: Partial<ImportOptions> = {}) => {
    const made = await files.deliveries.import(sourceOf(lines.join('\n')), { actor: 'test', ...options });
    const result = {
      updated: made.updated,
      unchanged: made.unchanged,
      failed: await all(made.failed()),
      warnings: await all(made.warnings()),
      more: made.more,
      changes: options.dryRun ? await all(made.changes()) : [],
    };
    await made.close();
    return result;
  };
  const statusOf = async (number: string) => (await desk.show(number)).status;
  const HEADING = 'Reference No,AWB,Current Status,Delivered On';

  it('records deliveries alone as delivered, and lists RTO and lost parcels for a person', async () => {
    const [arrived, onItsWay, returning, lost] = [
      await shipped(),
      await shipped(),
      await shipped(),
      await shipped(),
    ];
    const row = ({ number, tracking }: typeof arrived, status: string) => `${number},${tracking},${status},`;
    const lines = [
      HEADING,
      row(arrived, 'Delivered'),
      row(onItsWay, 'In Transit'),
      row(returning, 'RTO Initiated'),
      row(lost, 'LOST'),
    ];
    const warnings = [
      {
        line: 4,
        column: 'status',
        message: `needs a person: parcel 1 of ${returning.number}, Delhivery ${returning.tracking}, comes back (RTO)`,
      },
      {
        line: 5,
        column: 'status',
        message: `needs a person: parcel 1 of ${lost.number}, Delhivery ${lost.tracking}, is lost`,
      },
    ];
    const more = {
      json: { delivered: 1, on_the_way: 1, rto: 1, lost: 1 },
      text: 'The courier reports: 1 delivered, 1 on the way (skipped), 1 RTO, 1 lost, which need a person.\n',
    };
    const check = await report(lines, { dryRun: true });
    expect(check).toMatchObject({ updated: 3, unchanged: 1, failed: [], warnings, more });
    expect(check.changes.map(({ fields }) => fields)).toEqual([
      [
        ['parcel', null, `1 Delhivery ${arrived.tracking}`],
        ['status', null, 'Delivered'],
      ],
      [
        ['parcel', null, `1 Delhivery ${returning.tracking}`],
        ['status', null, 'RTO Initiated'],
      ],
      [
        ['parcel', null, `1 Delhivery ${lost.tracking}`],
        ['status', null, 'LOST'],
      ],
    ]);
    expect(await report(lines)).toMatchObject({ updated: 3, unchanged: 1, failed: [], warnings, more });
    expect(await statusOf(arrived.number)).toBe('delivered');
    for (const one of [onItsWay, returning, lost]) expect(await statusOf(one.number)).toBe('shipped');
    expect((await desk.show(returning.number)).parcels).toMatchObject([{ exception: 'returning' }]);
    // The same file again changes nothing, and still names what needs a person.
    expect(await report(lines)).toMatchObject({ updated: 0, unchanged: 4, failed: [], warnings, more });

    const listed = async () => (await desk.parcelExceptions(100)).map(({ orderNumber }) => orderNumber);
    expect(await listed()).toEqual([returning.number, lost.number]);
    // A parcel may arrive after all; a lost one leaves the list with its refund.
    expect(await report(['AWB,Status', `${returning.tracking},Delivered`])).toMatchObject({ updated: 1 });
    await desk.refund(lost.number, 'test', { lines: ['1=10'], reason: 'lost' });
    expect(await listed()).toEqual([]);
    expect(await statusOf(returning.number)).toBe('delivered');
  });

  it('opens one return when an RTO has arrived, which a person receives', async () => {
    const { number, tracking } = await shipped();
    const lines = ['Waybill;Shipment Status', `${tracking};RTO - Delivered`];
    expect(await report(lines, { dryRun: true })).toMatchObject({
      updated: 1,
      warnings: [{ message: expect.stringContaining('came back (RTO), and waits in a return') as string }],
    });
    expect((await desk.show(number)).returns).toEqual([]);
    expect(await report(lines)).toMatchObject({ updated: 1, failed: [] });
    expect(await report(lines)).toMatchObject({ updated: 0, unchanged: 1, failed: [], warnings: [] });
    const { returns, parcels, status } = await desk.show(number);
    expect(returns).toMatchObject([
      {
        state: 'requested',
        reason: 'RTO: the courier brought parcel 1 back',
        lines: [{ line: 1, quantity: 10 }],
      },
    ]);
    expect(parcels).toMatchObject([{ exception: 'returned', delivered_at: null }]);
    expect(status).toBe('shipped');
    expect(await report(['AWB,Status', `${tracking},Delivered`])).toMatchObject({
      updated: 0,
      failed: [{ line: 2, message: expect.stringContaining('came back by RTO') as string }],
    });
    expect(await report(['AWB,Status', `${tracking},RTO Initiated`])).toMatchObject({
      updated: 0,
      unchanged: 1,
    });
    await orderReturns(operator.app).receive(
      returns[0]!.number,
      { restock: [{ line: 1, quantity: 10 }], refund: true },
      'test',
    );
    expect(await desk.show(number)).toMatchObject({ returns: [{ state: 'received' }] });
  });

  it('opens no second return for goods that a person expects already', async () => {
    const { number, tracking } = await shipped();
    const units = [{ line: 1, quantity: 4 }];
    await orderReturns(operator.app).add(number, { lines: units, reason: 'refused' }, 'test');
    expect(await report(['AWB,Status', `${tracking},RTO Delivered`])).toMatchObject({ updated: 1 });
    expect((await desk.show(number)).returns.map(({ lines }) => lines)).toMatchObject([
      [{ quantity: 4 }],
      [{ quantity: 6 }],
    ]);
  });

  it('leaves a parcel that came back by RTO undelivered, unless a person names it', async () => {
    const number = await paid();
    const box = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };
    const back = `AWB${++awb}`;
    await desk.ship(number, 'test', { ...box, trackingNumber: back }, ['1=4']);
    await report(['AWB,Status', `${back},RTO Delivered`]);
    await expect(desk.deliver(number, 'test')).rejects.toMatchObject({
      message: expect.stringContaining('came back by RTO') as string,
    });
    await ship(number);
    const deliveriesOf = async () =>
      (await desk.show(number)).parcels.map(({ delivered_at: at, exception = null }) => [
        at !== null,
        exception,
      ]);
    await desk.deliver(number, 'test');
    expect([await statusOf(number), await deliveriesOf()]).toEqual([
      'shipped',
      [
        [false, 'returned'],
        [true, null],
      ],
    ]);
    await desk.deliver(number, 'test', 1);
    expect([await statusOf(number), await deliveriesOf()]).toEqual([
      'delivered',
      [
        [true, null],
        [true, null],
      ],
    ]);
  });

  it('refuses a status that it does not know, and one that contradicts the records', async () => {
    const [unknown, empty, delivered] = [await shipped(), await shipped(), await shipped()];
    await desk.deliver(delivered.number, 'test');
    const lines = [
      'AWB,Status',
      `${unknown.tracking},Mostly fine`,
      `${empty.tracking},`,
      `${delivered.tracking},RTO Initiated`,
      `${delivered.tracking},Delivered`,
    ];
    expect(await report(lines)).toMatchObject({
      updated: 0,
      unchanged: 1,
      failed: [
        {
          line: 2,
          column: 'status',
          message: expect.stringMatching(/is not a known status: .*"Mostly fine"/) as string,
        },
        { line: 3, column: 'status', message: 'must not be empty' },
        {
          line: 4,
          column: 'status',
          message: expect.stringContaining('contradicts the delivery that is recorded') as string,
        },
      ],
    });
    for (const { number } of [unknown, empty]) expect(await statusOf(number)).toBe('shipped');
  });

  it('does not overlook a status under another heading, and needs an order or a number', async () => {
    const { tracking, number } = await shipped();
    await expect(report(['AWB,Scan Status', `${tracking},RTO Initiated`])).rejects.toMatchObject({
      code: 'wrong_columns',
      message: 'There is no column "Scan Status": did you mean status? Rename the column or remove it.',
    });
    const renamed = { 'Scan Status': 'status' };
    expect(await report(['AWB,Scan Status', `${tracking},In Transit`], { renamed })).toMatchObject({
      updated: 0,
      unchanged: 1,
    });
    await expect(report(['Weight,Status', '1,Delivered'])).rejects.toMatchObject({
      message: expect.stringContaining('The heading lacks order_number or tracking_number.') as string,
    });
    expect(await statusOf(number)).toBe('shipped');
  });

  it.each([
    ['Courier State', 'RTO'],
    ['Remarks', 'Lost'],
    ['Remarks', 'In Transit'],
  ])('refuses a row whose status stands in a column that is not read: %s, %s', async (heading, status) => {
    const { tracking, number } = await shipped();
    const other = await shipped();
    const lines = [`AWB,${heading}`, `${tracking},${status}`, `${other.tracking},leave at the door`];
    expect(await report(lines)).toMatchObject({
      updated: 1,
      more: { text: 'No column is read as the status. Rows read as delivered: 1.\n' },
      failed: [{ line: 2, column: heading, message: expect.stringContaining('courier’s status') as string }],
    });
    expect([await statusOf(number), await statusOf(other.number)]).toEqual(['shipped', 'delivered']);
    expect((await report(['AWB,Status', 'NOBODY-HAS-IT,Delivered'])).more).toBeUndefined();
  });

  it('finds a parcel by its tracking number alone, unless two parcels have it', async () => {
    const { number, tracking } = await shipped();
    const [first, second] = [await paid(), await paid()];
    const shared = await ship(first);
    await ship(second, ` ${shared.toLowerCase()}`, { sharedWithOrders: 'any' });
    const [low, high] = [first, second].toSorted();
    const lines = ['AWB No', tracking.toLowerCase(), shared, 'NOBODY-HAS-IT'];
    expect(await report(lines)).toMatchObject({
      updated: 1,
      failed: [
        {
          line: 3,
          column: 'tracking_number',
          message: expect.stringContaining(`is on parcels of ${low} and ${high}: add the column`) as string,
        },
        { line: 4, column: 'tracking_number', message: 'is not the number of a parcel ("NOBODY-HAS-IT")' },
      ],
    });
    expect(await statusOf(number)).toBe('delivered');
    const named = ['Order ID,AWB', `${first},${shared}`, `${second},${shared}`];
    expect(await report(named)).toMatchObject({ updated: 2, failed: [] });
  });

  it('takes two rows of one parcel for a mistake, however they name it', async () => {
    const { number, tracking } = await shipped();
    const lines = ['order_number,AWB,Status', `,${tracking},RTO`, `${number},${tracking},Delivered`];
    expect(await report(lines)).toMatchObject({
      updated: 1,
      failed: [{ line: 3, message: expect.stringContaining('is of the same parcel as row 2') as string }],
    });
    expect(await statusOf(number)).toBe('shipped');
    for (const status of ['RTO', 'Delivered']) {
      const [first, last] = [await shipped(), await shipped()];
      const rows = [`${first.number},,${status}`, `,${first.tracking},${status}`];
      rows.push(`,${last.tracking},${status}`, `${last.number},,${status}`);
      for (const dryRun of [true, false])
        expect(await report(['order_number,AWB,Status', ...rows], { dryRun })).toMatchObject({
          updated: 2,
          failed: [
            { line: 3, message: expect.stringContaining('has its parcel in row 2') as string },
            { line: 5, message: expect.stringContaining('has no other parcels than earlier') as string },
          ],
        });
    }
    const other = await shipped();
    const both = ['order_number,AWB,Status', `${other.number},,Delivered`, `,${other.tracking},RTO`];
    expect(await report(both)).toMatchObject({
      updated: 1,
      failed: [{ line: 2, message: expect.stringContaining('contradicts row 3') as string }],
    });
    expect(await statusOf(other.number)).toBe('shipped');
  });

  it('keeps the day and time of the delivery, if it can be true', async () => {
    const [dated, timed, early, late, odd] = [
      await shipped(),
      await shipped(),
      await shipped(),
      await shipped(),
      await shipped(),
    ];
    const dayFirst = (at: number) => dayAt(at, ZONE).split('-').toReversed().join('/');
    const now = Date.now();
    const time = new Date(now).toISOString();
    const lines = [
      HEADING,
      `,${dated.tracking},Delivered,${dayFirst(now)}`,
      `,${timed.tracking},Delivered,${time}`,
      `,${early.tracking},Delivered,${dayFirst(now - 5 * DAY_MS)}`,
      `,${late.tracking},Delivered,${dayFirst(now + 2 * DAY_MS)}`,
      `,${odd.tracking},Delivered,soon`,
    ];
    expect(await report(lines)).toMatchObject({
      updated: 2,
      failed: [
        {
          line: 4,
          column: 'delivered_at',
          message: expect.stringContaining('is before the parcel was shipped') as string,
        },
        {
          line: 5,
          column: 'delivered_at',
          message: expect.stringContaining('must not be in the future') as string,
        },
        {
          line: 6,
          column: 'delivered_at',
          message: expect.stringContaining('must be a date or time') as string,
        },
      ],
    });
    const deliveredAt = async ({ number }: typeof dated) => (await desk.show(number)).parcels[0]!;
    expect((await deliveredAt(timed)).delivered_at).toBe(time);
    // A bare day begins before the parcel left on it.
    const { delivered_at, shipped_at } = await deliveredAt(dated);
    expect(delivered_at).toBe(shipped_at);
  });
});
