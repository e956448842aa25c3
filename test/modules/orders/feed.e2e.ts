import { jest } from '@jest/globals';
import { EWayBillsService } from '../../../src/modules/invoices/e-way-bills.service.js';
import { orderReturns } from '../../support/order-returns.js';
import {
  correctShipment,
  type ShipmentCorrection,
} from '../../../src/modules/orders/actions/correct-shipment.js';
import { OrderExpiryService } from '../../../src/modules/orders/lifecycle/order-expiry.service.js';
import * as actions from '../../../src/modules/orders/actions/order-actions.js';
import { cancelUnits } from '../../../src/modules/orders/actions/cancel.js';
import type { OrderAction, OrderChange } from '../../../src/modules/orders/actions/order-action.js';
import type { UndoInput } from '../../../src/modules/orders/actions/undo-parcel.js';
import { refundPart } from '../../../src/modules/orders/actions/refund.js';
import { takeBackRefund } from '../../../src/modules/orders/actions/take-back.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import type { RefundRequest } from '../../../src/modules/orders/rules/order-steps.js';
import { Database } from '../../../src/platform/database/database.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { shipping } from '../../support/order-steps.js';
import { setUpTestApp } from '../../support/test-app.js';

const lines = [{ line: 1, quantity: 1 }];

/** Tables that these answers read, with the reason why they change none of them. */
const NOT_STAMPING = {
  domain_order_ids: 'written with the order, for ever',
  store_order_ids: 'written with the order, for ever',
  tax_document_items: 'written with their document, for ever',
};

describe('The list of changed orders', () => {
  const test = setUpTestApp({ unpaidValueLimit: 0 });
  beforeAll(() => test.fixtures.neighbours());
  beforeAll(() => test.fixtures.seller());
  const store = makeBeforeAll(() => test.fixtures.store({ name: 'Asha', state: '29' }));
  let orderNumber: string;
  const key = () => ({ clientId: store.clientId, orderNumber });
  const act = (change: OrderChange) => test.app.get(OrderLifecycleService).applyChange(key(), change, 'test');
  const refund = (request: object) =>
    act(refundPart({ reason: 'x', key: JSON.stringify(request), ...request } as RefundRequest));
  const returns = () => orderReturns(test.app);
  const ship = (trackingNumber: string, some?: typeof lines) =>
    act(shipping({ trackingNumber, lines: some }));
  const undo = (action: OrderAction<UndoInput>) => act(action.change({ reason: 'x' }));
  const rename = () =>
    test.fixtures.sql("UPDATE clients SET name = name || ' & Sons' WHERE id = $1", [store.clientId]);
  const bill = async (change: object) => {
    const { documents } = await details();
    const { number } = documents.findLast(({ kind }) => kind === 'invoice')!;
    await test.app.get(EWayBillsService).record(number, change, 'test');
  };
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
    ['an order that is paid', async () => (await placed(), await act(actions.pay.change({})))],
    ['a payment that is undone', () => act(actions.unpay.change({ reason: 'x' }))],
    ['another payment', () => act(actions.pay.change({}))],
    ['a parcel with some units', () => ship('P1', lines)],
    ['some cancelled units', () => act(cancelUnits('x', { lines }))],
    ['a second parcel', () => ship('P2', [{ line: 1, quantity: 2 }])],
    ['one of several parcels delivered', () => act(actions.deliver.change({ parcel: 1 }))],
    ['a corrected tracking number', () => correct({ trackingNumber: 'P3' })],
    ['a corrected tracking number of the older parcel', () => correct({ trackingNumber: 'P4' }, 1)],
    ['the last parcel', () => ship('P5')],
    ['a further box', () => ship('P6', [])],
    ['a withdrawn box', () => undo(actions.withdraw)],
    ['a withdrawn parcel', () => undo(actions.withdraw)],
    ['an invoice before its parcel', () => act(actions.invoiceFirst.change({}))],
    ['the last parcel again', () => ship('P5')],
    ['an e-way bill', () => bill({ e_way_bill: '341008123456', generated_at: '2026-11-28 10:00' })],
    ['a longer validity of the e-way bill', () => bill({ valid_until: '2027-11-30 23:59' })],
    ['a cancelled e-way bill', () => bill({ cancelled_at: '2026-11-29 10:00' })],
    ['an invoice with a new number', async () => (await rename(), await undo(actions.reissue))],
    ['the delivery', () => act(actions.deliver.change({}))],
    ['a delivery that is taken back', () => act(actions.undeliver.change({ parcel: 1, reason: 'x' }))],
    ['the delivery again', () => act(actions.deliver.change({}))],
    ['a requested return', () => request('too large')],
    ['a refused return', () => returns().refuse(returned, 'The seal is broken.', 'test')],
    ['a second requested return', () => request('too small')],
    ['a return received without refund', () => receive(false)],
    ['a return requested by the store', requestByApi],
    ['a return received with refund', () => receive(true)],
    ['a refund of a line', () => refund({ kind: 'lines', lines })],
    ['a refund of the delivery', () => refund({ kind: 'delivery' })],
    ['a refund of an amount', () => refund({ kind: 'amount', amount: 100 })],
    [
      'a refund that is taken back',
      () => act(takeBackRefund({ kind: 'taken_back', takesBack: 5, reason: 'x', key: 'back' })),
    ],
  ];

  /** Changes that the store does not see. */
  const SILENT: typeof CHANGES = [
    ['the transport of an e-way bill', () => bill({ vehicle_number: 'KA01AB1234', mode: 'road' })],
    ['an invoice that needs no e-way bill', () => bill({ cancelled_at: '2026-11-29 10:00', remark: 'x' })],
    ['a corrected name of the client', rename],
  ];

  async function placed(): Promise<void> {
    const goods = { stock: 10, basePrice: '20000.00', deliveryCharge: '40.00', hsn: '6912', gstRate: '18' };
    const { sku } = await test.fixtures.product(goods);
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
    test.app
      .get(OrderLifecycleService)
      .applyChange(key(), correctShipment.change({ ...shipment, parcel }), 'test');

  const receive = (withRefund: boolean) =>
    returns().receive(returned, { restock: [], refund: withRefund }, 'test');

  const details = async () =>
    (await test.get(store, `/api/orders/${orderNumber}`).expect(200)).body as {
      returns: { refusal_reason?: string }[];
      documents: { number: string; kind: string }[];
    };

  /** Whether the store sees the change in the whole order, and whether the list has the order. */
  async function effectsOf(change: () => Promise<unknown>): Promise<[inOrder: boolean, inList: boolean]> {
    const { body: before } = await test.get(store, '/api/orders?limit=1').expect(200);
    const orderBefore = orderNumber && (await details());
    await change();
    const isChanged = JSON.stringify(await details()) !== JSON.stringify(orderBefore);
    const { body } = await test.get(store, `/api/orders?since=${before.sync_token}`).expect(200);
    const numbers = (body.data as { order_number: string }[]).map((order) => order.order_number);
    return [isChanged, numbers.join() === orderNumber];
  }

  it('has an order after each change that its store sees, and after no other', async () => {
    const missed: string[] = [];
    for (const [name, change] of CHANGES) if ((await effectsOf(change)).includes(false)) missed.push(name);
    for (const [name, change] of SILENT) if ((await effectsOf(change)).includes(true)) missed.push(name);
    expect(missed).toEqual([]);
    expect((await details()).returns.map((one) => one.refusal_reason)).toEqual([
      'The seal is broken.',
      undefined,
      undefined,
    ]);
  });

  it('is kept by a trigger of each table that answers about an order read', async () => {
    const queries = jest.spyOn(test.app.get(Database), 'query');
    for (const path of ['', '/status', '/documents'])
      await test.get(store, `/api/orders/${orderNumber}${path}`).expect(200);
    await test.get(store, '/api/documents').expect(200);
    // Jobs run at the same time.
    const statements = queries.mock.calls
      .filter(([, values]) => values[0] === store.clientId || String(values[0]).includes(orderNumber))
      .map(([{ text }]) => text);
    queries.mockRestore();
    const { rows } = await test.pool.query<{ table: string; stamps: boolean }>(
      `SELECT relname AS table, EXISTS (
                SELECT FROM pg_trigger
                 WHERE tgrelid = c.oid AND tgname LIKE 'stamp%' AND tgenabled = 'A') AS stamps
         FROM pg_class c WHERE relkind = 'r' AND relname = ANY ($1)`,
      [statements.flatMap((text) => [...text.matchAll(/(?:FROM|JOIN) (\w+)/g)].map(([, name]) => name))],
    );
    const tables = (stamps: boolean) => rows.filter((row) => row.stamps === stamps).map(({ table }) => table);
    expect(tables(true)).toEqual(
      expect.arrayContaining(['orders', 'order_returns', 'tax_documents', 'e_way_bills']),
    );
    expect(tables(false).toSorted()).toEqual(Object.keys(NOT_STAMPING));
  });
});
