import { ParcelFilesService } from '../../src/fulfilment/parcels/parcel-files.service.js';
import { OrderLifecycleService } from '../../src/orders/lifecycle/order-lifecycle.service.js';
import { OrderDeskService } from '../../src/orders/records/order-desk.service.js';
import { given } from '../support/given.js';
import { OperatorServices } from '../support/operator-services.js';
import { givenTestApp } from '../support/test-app.js';

describe('the file of deliveries', () => {
  const service = givenTestApp();
  const operator = given(() => OperatorServices.open(service.database.serviceUrl));
  const store = given(() => service.fixtures.store());
  let desk: OrderDeskService;

  beforeAll(async () => {
    desk = operator.app.get(OrderDeskService);
    await service.fixtures.product({ sku: 'BOX', stock: 1_000 });
  });

  const paid = async (): Promise<string> => {
    const number = await service.place(store, [{ sku: 'BOX', quantity: 1 }]);
    await desk.pay(number, 'test', {});
    return number;
  };
  const shipped = async (): Promise<string> => {
    const number = await paid();
    const parcel = { courier: 'Delhivery', trackingNumber: null, trackingUrl: null, shippedAt: null };
    await desk.ship(number, 'test', parcel);
    return number;
  };
  const deliver = (lines: string[], options = {}) =>
    operator.import(
      operator.app.get(ParcelFilesService).deliveries,
      ['order_number', ...lines].join('\n'),
      options,
    );

  it('records many deliveries, names all other rows, and changes nothing the second time', async () => {
    const arrived = await Promise.all(Array.from({ length: 30 }, shipped));
    const pending = await paid();
    const lines = [...arrived, pending, 'WO-20260101-AAAAA-AAAAA', 'hello'];
    const failed = [
      { line: 32, column: 'order_number', message: `is pending and was not shipped ("${pending}")` },
      { line: 33, column: 'order_number', message: 'there is no order WO-20260101-AAAAA-AAAAA' },
      { line: 34, column: 'order_number', message: 'must look like WO-20260131-7K3QZ-9M2XA ("hello")' },
    ];
    expect(await deliver(lines, { dryRun: true })).toMatchObject({ updated: 30, failed });
    expect((await desk.show(arrived[0]!)).status).toBe('shipped');
    expect(await deliver(lines)).toEqual({ created: 0, updated: 30, unchanged: 0, failed, warnings: [] });
    expect(await deliver(lines)).toMatchObject({ updated: 0, unchanged: 30, failed });
    const { rows } = await service.pool.query(
      `SELECT count(*)::int AS orders, bool_and(o.delivered_at = t.changed_at AND t.actor = 'test') AS told
         FROM orders o JOIN order_timeline t USING (client_id, order_number)
        WHERE o.status = 'delivered' AND t.status = 'delivered'`,
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
      operator.import(
        operator.app.get(ParcelFilesService).deliveries,
        ['order_number,parcel,tracking_number', ...lines].join('\n'),
      );
    const number = await paid();
    const box = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };
    await desk.ship(number, 'test', { ...box, trackingNumber: 'A' });
    const { clientId } = store;
    for (const trackingNumber of ['B', 'C'])
      await operator.app
        .get(OrderLifecycleService)
        .act(
          { clientId, orderNumber: number },
          { action: 'ship', ...box, trackingNumber, lines: [] },
          'test',
        );
    const failed = [
      { line: 4, column: 'parcel', message: 'is no parcel of the order ("4")' },
      { line: 5, column: 'tracking_number', message: 'is no parcel of the order ("D")' },
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
    const number = await service.place(store, [{ sku: 'BOX', quantity: 2 }]);
    await desk.pay(number, 'test', {});
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
