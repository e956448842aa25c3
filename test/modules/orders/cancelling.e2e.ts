import { Order } from '../../../src/modules/orders/entities/order.entity.js';
import {
  DELIVERY_NAMES,
  EXTRA_NAMES,
  type OrderFieldName,
} from '../../../src/modules/orders/rules/order-fields.js';
import { StockFiles } from '../../../src/modules/stock/stock-files.service.js';
import { columnOf } from '../../../src/platform/database/columns-of.js';
import { eventually } from '../../support/eventually.js';
import { OperatorServices } from '../../support/operator-services.js';
import { orderBody } from '../../support/order-body.js';
import { moveOrder } from '../../support/order-steps.js';
import { endEverything } from '../../support/suite-end.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';
import { lockWaits, whileLocked } from '../../support/while-locked.js';

describe('POST /api/orders/:order_number/cancel', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());

  const place = async (sku: string, quantity = 1, as = store): Promise<string> => {
    const { body } = await test.post(as, '/api/orders', orderBody([{ sku, quantity }])).expect(201);
    return body.order_number;
  };

  const cancel = (number: string, as = store) => test.post(as, `/api/orders/${number}/cancel`);

  const sellable = async (sku: string) =>
    (await test.get(store, `/api/products/${sku}/stock`)).body.stock_qty;

  it('cancels an unpaid order and releases its stock at once', async () => {
    const { sku } = await test.fixtures.product({ stock: 3 });
    const number = await place(sku, 3);
    expect(await sellable(sku)).toBe(0);
    const { body } = await cancel(number).expect(200);
    expect(body).toMatchObject({
      success: true,
      order_number: number,
      status: 'cancelled',
      payment_status: 'unpaid',
      cancel_reason: 'cancelled by the store',
      timeline: [{ status: 'awaiting_payment' }, { status: 'cancelled' }],
    });
    expect(await sellable(sku)).toBe(3);
    await place(sku, 3);
  });

  it('is harmless when repeated', async () => {
    const { sku } = await test.fixtures.product({ stock: 3 });
    const number = await place(sku);
    const { body: first } = await cancel(number).expect(200);
    const { body: repeated } = await cancel(number).expect(200);
    expect(repeated).toEqual(first);
    expect(await sellable(sku)).toBe(3);
  });

  it('accepts the store_order_id too, and needs no body', async () => {
    const { sku } = await test.fixtures.product();
    await test
      .post(store, '/api/orders', orderBody([{ sku, quantity: 1 }], { store_order_id: 'A/1 #ü' }))
      .expect(201);
    const { body } = await cancel(encodeURIComponent('A/1 #ü')).expect(200);
    expect(body).toMatchObject({ store_order_id: 'A/1 #ü', status: 'cancelled' });
  });

  it('answers 409 not_cancellable to an order that is paid, shipped or delivered', async () => {
    const { sku } = await test.fixtures.product();
    const number = await place(sku);
    const steps = [
      ['pay', 'pending'],
      ['ship', 'shipped'],
      ['deliver', 'delivered'],
    ] as const;
    for (const [action, status] of steps) {
      await moveOrder(test, store, number, action);
      const { body } = await cancel(number).expect(409);
      expect(body).toMatchObject({ code: 'not_cancellable', status });
    }
    expect((await test.get(store, `/api/orders/${number}/status`)).body.status).toBe('delivered');
  });

  it('answers 200 to an order that the wholesaler has cancelled, and changes nothing', async () => {
    const { sku } = await test.fixtures.product();
    const number = await place(sku);
    await moveOrder(test, store, number, 'pay', 'cancel');
    const { body } = await cancel(number).expect(200);
    expect(body).toMatchObject({ payment_status: 'refunded', cancel_reason: 'out of stock' });
  });

  it('answers 404 to an unknown number and to an order of another client', async () => {
    const { sku } = await test.fixtures.product();
    const number = await place(sku);
    const other = await test.fixtures.store();
    expect((await cancel(number, other).expect(404)).body.code).toBe('order_not_found');
    expect((await cancel('NO-SUCH').expect(404)).body.code).toBe('order_not_found');
    expect((await cancel('%00').expect(404)).body.code).toBe('order_not_found');
    expect((await test.get(store, `/api/orders/${number}/status`)).body.status).toBe('awaiting_payment');
  });

  it('wins or loses against a simultaneous payment, never both', async () => {
    const { sku } = await test.fixtures.product({ stock: 40 });
    // Four requests of a store run at once. More would wait, on a busy machine for too long.
    const stores = await Promise.all(Array.from({ length: 5 }, () => test.fixtures.store()));
    const orders = await Promise.all(
      [...stores, ...stores, ...stores, ...stores].map(async (as) => ({
        as,
        number: await place(sku, 1, as),
      })),
    );
    await Promise.all(
      orders.map(async ({ as, number }) => {
        const [answer, payment] = await Promise.all([
          cancel(number, as),
          moveOrder(test, as, number, 'pay').then(
            () => 'paid',
            (error: { code: string }) => error.code,
          ),
        ]);
        expect([
          [200, 'illegal_transition'],
          [409, 'paid'],
        ]).toContainEqual([answer.status, payment]);
      }),
    );
    const { rowCount: paid } = await test.pool.query(
      `SELECT FROM orders WHERE status = 'pending' AND order_number = ANY ($1)`,
      [orders.map(({ number }) => number)],
    );
    expect(await test.fixtures.stockOf(sku)).toEqual({ on_hand: 40, held: paid });
  });

  afterAll(endEverything);
});

/** Columns that change during the life of an order, and those that the database stamps. */
const LIVES = [
  'status',
  'payment_status',
  'paid_at',
  'payment_method',
  'payment_reference',
  'payments_undone',
  'courier',
  'tracking_number',
  'tracking_numbers',
  'refunded_amount',
  'tracking_url',
  'shipped_at',
  'delivered_at',
  'cancelled_at',
  'cancel_reason',
  'packing_list',
  'printed_slips',
  'goods_state',
  'changed',
];

const columns = (names: readonly OrderFieldName[]) => names.map((name) => columnOf(Order, name));

const DESTINATION = columns(DELIVERY_NAMES);

const AGREED = [
  'client_id',
  'content_hash',
  'currency',
  'delivery',
  'domain',
  'items_count',
  'metadata',
  'order_number',
  'origin',
  'payment_due_at',
  'placed_at',
  'plan_code',
  'store_order_id',
  'subtotal',
  'total',
  ...columns(EXTRA_NAMES),
].toSorted();

/** An expression for another value, by type. */
const ANOTHER: Record<string, (column: string) => string> = {
  text: (column) => `coalesce(${column}, '') || 'X'`,
  integer: (column) => `${column} + 1`,
  numeric: (column) => `${column} + 1`,
  jsonb: (column) => `coalesce(${column}, '{}') || '{"another": "value"}'`,
  bytea: (column) => `${column} || '\\x00'`,
  'timestamp with time zone': (column) => `${column} + interval '1 second'`,
};

describe('The agreed values of an order', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store());
  let sku: string;

  beforeAll(async () => ({ sku } = await test.fixtures.product({ stock: 100 })));

  async function place(...steps: ('pay' | 'ship' | 'deliver' | 'cancel')[]): Promise<string> {
    const body = { ...orderBody([{ sku, quantity: 1 }]), store_order_id: `S-${Math.random()}` };
    const { body: placed } = await test.post(store, '/api/orders', body).expect(201);
    const { order_number: number } = placed as { order_number: string };
    for (const step of steps) await moveOrder(test, store, number, step);
    return number;
  }

  /** Runs as a superuser, so that a missing right cannot be the reason. */
  const change = (number: string, assignment: string) =>
    test.pool.query(`UPDATE orders SET ${assignment} WHERE order_number = $1`, [number]);
  const refused = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: '42501' });

  it('cannot change in any column outside the life of an order', async () => {
    const number = await place();
    const { rows } = await test.pool.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type
       FROM information_schema.columns WHERE table_name = 'orders'`,
    );
    const agreed = rows.filter(({ name }) => !LIVES.includes(name) && !DESTINATION.includes(name));
    // Put each new column into LIVES (it changes during the life of an order), DESTINATION (it changes until
    // shipment) or AGREED. A column in AGREED also needs a trigger like `agreed`.
    expect(agreed.map(({ name }) => name).toSorted()).toEqual(AGREED);
    for (const { name, type } of agreed) await refused(change(number, `${name} = ${ANOTHER[type]!(name)}`));
  });

  it('include the destination, which may change until shipment or cancellation', async () => {
    const mended = DESTINATION.map((column) => `${column} = '560001'`).join(', ');
    await change(await place(), mended);
    await change(await place('pay'), mended);
    for (const number of [await place('pay', 'ship'), await place('cancel')]) {
      for (const column of DESTINATION) await refused(change(number, `${column} = '560002'`));
    }
  });

  it('include past times and reasons, but not the tracking data', async () => {
    const number = await place('pay', 'ship', 'deliver');
    await change(number, `courier = 'Another', tracking_number = '2', tracking_url = NULL`);
    for (const fact of ['paid_at', 'delivered_at']) {
      await refused(change(number, `${fact} = ${fact} + interval '1 second'`));
      await refused(change(number, `${fact} = NULL`));
    }
    const cancelled = await place('cancel');
    await refused(change(cancelled, `cancel_reason = 'another'`));
    await refused(change(cancelled, 'cancelled_at = now()'));
  });

  it('cannot be deleted', async () => {
    await place();
    await refused(test.pool.query('DELETE FROM orders'));
    await refused(test.pool.query('TRUNCATE orders CASCADE'));
  });

  it.each([
    ['store_order_ids', 'order_number'],
    ['domain_order_ids', 'order_number'],
    ['order_timeline', 'actor'],
    ['order_refunds', 'reason'],
    ['stock_movements', 'reason'],
    ['wallet_entries', 'actor'],
    ['tax_documents', 'reason'],
    ['tax_document_items', 'description'],
  ])('are written once in %s', async (table, column) => {
    await refused(test.pool.query(`UPDATE ${table} SET ${column} = 'x'`));
    await refused(test.pool.query(`DELETE FROM ${table}`));
    await refused(test.pool.query(`TRUNCATE ${table} CASCADE`));
  });

  it('prevent deleting a product with stock movements or orders, but not an unused product', async () => {
    const operator = await OperatorServices.open(test.database.serviceUrl);
    const moved = await test.fixtures.product();
    await operator.import(
      operator.app.get(StockFiles, { strict: false }),
      `sku,variation,quantity\n${moved.sku},,7\n`,
    );
    await operator.close();
    await place();
    for (const kept of [moved.sku, sku])
      await expect(test.fixtures.removeProducts(kept)).rejects.toMatchObject({ code: '23503' });
    const mistaken = await test.fixtures.product();
    await test.fixtures.fixedPrice(store.planId, mistaken.sku, '1');
    await test.fixtures.removeProducts(mistaken.sku);
  });

  it('prevent deleting the product of an order that is being placed meanwhile', async () => {
    const product = await test.fixtures.product({ stock: 1 });
    const body = orderBody([{ sku: product.sku, quantity: 1 }]);
    const totals = 'SELECT FROM unpaid_totals WHERE client_id = $1 FOR UPDATE';
    const [placed, deleted] = await whileLocked<unknown>(
      test.pool,
      totals,
      [store.clientId],
      [
        async () => test.post(store, '/api/orders', body).expect(201),
        async () => {
          await eventually(async () => (await lockWaits(test.pool)) > 0);
          return test.pool.query('DELETE FROM products WHERE id = $1', [product.id]);
        },
      ],
    );
    expect(placed!.status).toBe('fulfilled');
    expect(deleted).toMatchObject({ status: 'rejected', reason: { code: '23503' } });
  });

  it('include no line without a product', async () => {
    const line = test.pool.query(
      `INSERT INTO order_items
         (client_id, order_number, line, product_id, sku, name, quantity, unit_price, line_total)
       SELECT client_id, order_number, 2, 0, sku, name, quantity, unit_price, line_total
         FROM order_items WHERE order_number = $1`,
      [await place()],
    );
    await expect(line).rejects.toMatchObject({ code: '23503' });
  });
});
