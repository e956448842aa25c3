import { OrderReturnsService } from '../../../src/modules/fulfilment/returns/order-returns.service.js';
import {
  type ShipmentCorrection,
  OrderCorrectionsService,
} from '../../../src/modules/orders/lifecycle/order-corrections.service.js';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import type { OrderChange } from '../../../src/modules/orders/lifecycle/lifecycle.repository.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { STORE_ORDER } from '../../../src/modules/orders/records/order-view.js';
import type { RefundRequest } from '../../../src/modules/orders/rules/order-steps.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { changeOf } from '../../support/order-steps.js';
import { setUpTestApp } from '../../support/test-app.js';

const lines = [{ line: 1, quantity: 1 }];

describe('The list of changed orders', () => {
  const test = setUpTestApp();
  beforeAll(() => test.fixtures.neighbours());
  const store = makeBeforeAll(() => test.fixtures.store());
  let orderNumber: string;
  const key = () => ({ clientId: store.clientId, orderNumber });
  const act = (change: OrderChange) => test.app.get(OrderLifecycleService).applyChange(key(), change, 'test');
  const refund = (request: object) =>
    act({
      action: 'refund',
      request: { reason: 'x', key: JSON.stringify(request), ...request } as RefundRequest,
    });
  const returns = () => test.app.get(OrderReturnsService);
  const ship = (trackingNumber: string, some?: typeof lines) =>
    act({ ...changeOf('ship'), trackingNumber, lines: some } as OrderChange);
  let returned: string;
  const request = async (reason: string) => {
    returned = await returns().request(key(), { lines, reason }, 'test');
  };

  /** One order after the other goes through all changes that a request can make. */
  const CHANGES: [name: string, change: () => Promise<unknown>][] = [
    ['a new order', placed],
    [
      'its cancellation by the store',
      () => test.post(store, `/api/orders/${orderNumber}/cancel`).expect(200),
    ],
    ['another order', placed],
    ['its expiry', expired],
    ['an order that is paid', async () => (await placed(), await act({ action: 'pay', from: 'elsewhere' }))],
    ['a parcel with some units', () => ship('P1', lines)],
    ['some cancelled units', () => act({ action: 'cancel', cancelReason: 'x', lines })],
    ['a second parcel', () => ship('P2', [{ line: 1, quantity: 2 }])],
    ['one of several parcels delivered', () => act({ action: 'deliver', parcel: 1 })],
    ['a corrected tracking number', () => correct({ trackingNumber: 'P3' })],
    ['a corrected tracking number of the older parcel', () => correct({ trackingNumber: 'P4' }, 1)],
    ['the last parcel', () => ship('P5')],
    ['a further box', () => ship('P6', [])],
    ['a withdrawn box', () => act({ action: 'withdraw', reason: 'x' })],
    ['a withdrawn parcel', () => act({ action: 'withdraw', reason: 'x' })],
    ['the last parcel again', () => ship('P5')],
    ['the delivery', () => act({ action: 'deliver' })],
    ['a delivery that is taken back', () => act({ action: 'undeliver', parcel: 1, reason: 'x' })],
    ['the delivery again', () => act({ action: 'deliver' })],
    ['a requested return', () => request('too large')],
    ['a refused return', () => returns().refuse(returned, 'The seal is broken.', 'test')],
    ['a second requested return', () => request('too small')],
    ['a return received without refund', () => receive(false)],
    ['a return requested by the store', requestByApi],
    ['a return received with refund', () => receive(true)],
    ['a refund of a line', () => refund({ kind: 'lines', lines })],
    ['a refund of the delivery', () => refund({ kind: 'delivery' })],
    ['a refund of an amount', () => refund({ kind: 'amount', amount: 100 })],
    ['a refund that is taken back', () => refund({ kind: 'taken_back', takesBack: 5 })],
  ];

  async function placed(): Promise<void> {
    const { sku } = await test.fixtures.product({ stock: 10, basePrice: '100.00', deliveryCharge: '40.00' });
    orderNumber = await test.place(store, [{ sku, quantity: 9 }]);
  }

  async function requestByApi(): Promise<void> {
    const requested = { store_return_id: 'R1', lines, reason: 'torn' };
    const { body } = await test.post(store, `/api/orders/${orderNumber}/returns`, requested).expect(201);
    returned = body.data.number;
  }

  async function expired(): Promise<void> {
    await test.fixtures.age(72, orderNumber);
    await test.app.get(OrderExpiryService).run();
  }

  const correct = (shipment: ShipmentCorrection, parcel?: number) =>
    test.app.get(OrderCorrectionsService).correctShipment(key(), shipment, 'test', { parcel });

  const receive = (withRefund: boolean) =>
    returns().receive(returned, { restock: [], refund: withRefund }, 'test');

  const status = async () =>
    (await test.get(store, `/api/orders/${orderNumber}/status`).expect(200)).body as {
      returns: { refusal_reason?: string }[];
    };

  it('has an order after each change of its status form', async () => {
    const missed: string[] = [];
    for (const [name, change] of CHANGES) {
      const { body: before } = await test.get(store, '/api/orders?limit=1').expect(200);
      const formBefore = orderNumber && (await status());
      await change();
      expect([name, await status()]).not.toEqual([name, formBefore]);
      const { body } = await test.get(store, `/api/orders?since=${before.sync_token}`).expect(200);
      const numbers = (body.data as { order_number: string }[]).map((order) => order.order_number);
      if (numbers.join() !== orderNumber) missed.push(name);
    }
    expect(missed).toEqual([]);
    expect((await status()).returns.map((one) => one.refusal_reason)).toEqual([
      'The seal is broken.',
      undefined,
      undefined,
    ]);
  });

  it('is kept by a trigger of each table that the status form reads', async () => {
    const read = [...STORE_ORDER.columns.matchAll(/FROM (\w+) [at] WHERE/g)].map(([, table]) => table);
    const { rows } = await test.pool.query<{ table: string }>(
      `SELECT tgrelid::regclass::text AS table FROM pg_trigger
        WHERE tgfoid = 'stamp_order'::regproc AND tgenabled = 'A'`,
    );
    expect(rows.map(({ table }) => table).toSorted()).toEqual([...new Set(read)].toSorted());
  });
});
