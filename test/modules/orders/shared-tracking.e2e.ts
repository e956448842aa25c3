import { ParcelFilesService } from '../../../src/modules/fulfilment/parcels/parcel-files.service.js';
import {
  MAX_TRACKING_LOCKS,
  requireUniqueTracking,
} from '../../../src/modules/orders/lifecycle/shared-tracking.repository.js';
import { type OrderDesk, orderDesk } from '../../support/order-desk.js';
import { Database } from '../../../src/platform/database/database.js';
import type { ImportOptions } from '../../../src/shared/imports/import-kind.js';
import { OperatorServices } from '../../support/operator-services.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const OWN_LOCKS = {
  text: `
    SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
};

const BOX = { courier: 'Delhivery', trackingUrl: null, shippedAt: null };

describe('one tracking number on parcels of two orders', () => {
  const service = setUpTestApp();
  const operator = makeBeforeAll(() => OperatorServices.open(service.database.serviceUrl));
  const store = makeBeforeAll(() => service.fixtures.store());
  let desk: OrderDesk;
  let files: ParcelFilesService;

  beforeAll(async () => {
    desk = orderDesk(operator.app);
    files = operator.app.get(ParcelFilesService);
    await service.fixtures.product({ sku: 'BOX', stock: 10_000 });
  });

  const paid = async (): Promise<string> => {
    const number = await service.place(store, [{ sku: 'BOX', quantity: 2 }]);
    await desk.pay(number, 'test', {});
    return number;
  };
  const ship = (number: string, trackingNumber: string, sharedWithOrders?: 'any' | string[]) =>
    desk.ship(number, 'test', { ...BOX, trackingNumber, sharedWithOrders });
  const shipFile = (rows: [number: string, tracking: string][], options: Partial<ImportOptions> = {}) =>
    operator.import(
      files.shipments,
      ['order_number,courier,tracking_number', ...rows.map(([number, awb]) => `${number},X,${awb}`)].join(
        '\n',
      ),
      options,
    );
  const refusal = (other: string) => ({
    code: 'conflict',
    message: expect.stringContaining(`is on a parcel of ${other} too.`) as string,
  });

  it('is refused in any spelling, until a person accepts that order', async () => {
    const [first, second, third] = [await paid(), await paid(), await paid()];
    await ship(first, 'SH 100');
    await expect(ship(second, 'sh100')).rejects.toMatchObject(refusal(first));
    await expect(ship(second, 'SH100', [third])).rejects.toMatchObject(refusal(first));
    expect((await desk.show(second)).status).toBe('pending');
    expect((await ship(second, 'sh100', [first])).status).toBe('shipped');
    // A further order with the number was not accepted yet.
    await expect(ship(third, 'SH100', [first])).rejects.toMatchObject(refusal(second));
    expect((await ship(third, 'SH100', 'any')).status).toBe('shipped');
  });

  it('is refused for a correction', async () => {
    const [first, second] = [await paid(), await paid()];
    await ship(first, 'CO1');
    await ship(second, 'CO2');
    const correct = (options = {}) => desk.correct(second, 'test', { trackingNumber: 'CO1', ...options });
    await expect(correct()).rejects.toMatchObject(refusal(first));
    const file = `order_number,courier,tracking_number\n${second},Delhivery,CO1\n`;
    expect(await operator.import(files.corrections, file, { dryRun: true })).toMatchObject({
      updated: 0,
      failed: [
        {
          line: 2,
          column: 'tracking_number',
          message: expect.stringContaining(
            `is on order ${first} too: if one parcel holds both, add --force`,
          ) as string,
        },
      ],
    });
    expect(await operator.import(files.corrections, file, { force: true })).toMatchObject({ updated: 1 });
    expect((await desk.show(second)).parcels).toMatchObject([{ tracking_number: 'CO1' }]);
    // It is corrected otherwise without a question.
    await desk.correct(second, 'test', { courier: 'DTDC' });
  });

  it('is refused in both rows of a file, in the check as in the import', async () => {
    const [first, second, third, sent] = [await paid(), await paid(), await paid(), await paid()];
    await ship(sent, 'FI1');
    const rows: [string, string][] = [
      [first, 'FI2'],
      [second, 'fi 2'],
      [third, 'FI1'],
    ];
    const failed = [
      [2, second],
      [3, first],
      [4, sent],
    ].map(([line, other]) => ({
      line,
      column: 'tracking_number',
      message: expect.stringContaining(`is on order ${other} too: if one parcel holds both`) as string,
    }));
    for (const dryRun of [true, false])
      expect(await shipFile(rows, { dryRun })).toMatchObject({ updated: 0, failed });
    expect(await shipFile(rows, { dryRun: true, force: true })).toMatchObject({ updated: 3, failed: [] });
    expect(await shipFile(rows, { force: true })).toMatchObject({ updated: 3, failed: [] });
    expect(await shipFile(rows)).toMatchObject({ updated: 0, unchanged: 3, failed: [] });
  });

  it('is refused for one of two people who use it in the same moment', async () => {
    for (let round = 1; round <= 5; round++) {
      const orders = [await paid(), await paid()];
      const results = await Promise.allSettled(orders.map((number) => ship(number, `RACE${round}`)));
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const lost = results.find((result) => result.status === 'rejected');
      expect(lost!.reason).toMatchObject({ code: 'conflict' });
    }
  });

  it('is looked for with few locks, whatever the number of parcels in a transaction', async () => {
    const parcels = Array.from({ length: 20_000 }, (_, at) => {
      return { clientId: store.clientId, orderNumber: `MANY${at}`, trackingNumber: `MANY${at}` };
    });
    const locks = await operator.app.get(Database, { strict: false }).transaction(async (transaction) => {
      await requireUniqueTracking(transaction, parcels);
      return transaction.query<{ locks: number }>(OWN_LOCKS, []);
    });
    expect(locks).toEqual([{ locks: MAX_TRACKING_LOCKS }]);
  });
});
