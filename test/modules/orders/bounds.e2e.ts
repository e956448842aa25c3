import { TaxDocument } from '../../../src/modules/invoices/entities/tax-document.entity.js';
import { orderReturns } from '../../support/order-returns.js';
import {
  OrderRefund,
  OrderRefundItem,
  OrderReturn,
  OrderReturnItem,
  Parcel,
  ParcelItem,
} from '../../../src/modules/orders/entities/after-sale.entity.js';
import { OrderCorrection } from '../../../src/modules/orders/entities/order.entity.js';
import { changeDelivery } from '../../../src/modules/orders/actions/change-delivery.js';
import type { OrderChange } from '../../../src/modules/orders/actions/order-action.js';
import { refundPart } from '../../../src/modules/orders/actions/refund.js';
import type { RefundRequest } from '../../../src/modules/orders/rules/order-steps.js';
import { OrderLifecycleService } from '../../../src/modules/orders/lifecycle/order-lifecycle.service.js';
import { rowBoundOf } from '../../../src/platform/database/row-bound.js';
import { withoutTriggers } from '../../support/direct-changes.js';
import { placeAndMove, shipping } from '../../support/order-steps.js';
import { readable } from '../../support/page-text.js';
import { signInAtDesk } from '../../support/sign-in.js';
import { makeBeforeAll } from '../../support/suite-hooks.js';
import { setUpTestApp } from '../../support/test-app.js';

const lines = [{ line: 1, quantity: 1 }];

describe('A list inside an order', () => {
  const test = setUpTestApp();
  const store = makeBeforeAll(() => test.fixtures.store({ state: '29' }));
  let order: string;
  const key = () => ({ clientId: store.clientId, orderNumber: order });

  beforeAll(async () => {
    await test.fixtures.seller();
    await test.fixtures.product({ sku: 'MUG', stock: 10_000, hsn: '691200', gstRate: '18', unit: 'PCS' });
  });

  /** Columns and values of rows that changes could have written. Lines of others are of others. */
  const ROWS: Record<string, [columns: string, values: string]> = {
    order_changes: ['actor, before, after', `'store', '{"city":"Pune"}', '{"city":"Goa"}'`],
    order_returns: [
      'return_number, reason, key, actor, state, decided_at',
      `'RT-' || n || '-' || $2, 'x', 'k' || n, 'store', 'refused', now()`,
    ],
    order_return_items: ['return_number, line, quantity', `'RT-' || n || '-' || $2, 1, 1`],
    parcels: ['parcel, courier, shipped_at, recorded_at, actor', `n, 'x', now(), now(), 'x'`],
    parcel_items: ['parcel, line, quantity', 'n + 10000, 1, 1'],
    order_refunds: [
      'refund, kind, amount, reason, key, actor, refunded_at',
      `n, 'amount', 0, 'x', 'k' || n, 'x', now()`,
    ],
    order_refund_items: ['refund, line, refunded, amount', 'n + 10000, 1, 0, 0'],
    tax_documents: [
      'number, kind, issued_at, issued_on, place_of_supply, gross, taxable, cgst, sgst, igst, facts, payment_key',
      `'RV' || n || right($2, 5), 'receipt_voucher', now(), now(), '29', 0, 0, 0, 0, 0, '{}', n || $2`,
    ],
  };

  type Entity = Parameters<typeof rowBoundOf>[0];

  /** Fills the list of the order up to this number of rows. */
  async function fill(entity: Entity, rows: number) {
    const [columns, values] = ROWS[rowBoundOf(entity).table]!;
    const insert = `
      INSERT INTO ${rowBoundOf(entity).table} (client_id, order_number, ${columns})
      SELECT ${store.clientId}, '${order}', ${values.replaceAll('$2', `'${order}'`)}
        FROM generate_series(1, ${rows}) AS n`;
    await test.fixtures.sql(withoutTriggers(insert));
  }

  const count = async (entity: Entity) =>
    (await test.pool.query(`SELECT FROM ${rowBoundOf(entity).table} WHERE order_number = $1`, [order]))
      .rowCount;

  const put = (city: string) =>
    test.put(store, `/api/orders/${order}/delivery`, {
      customer: { name: 'Asha Rao', phone: '+91 98765 43211' },
      shipping: { address: '5 Park Street', city, state: 'West Bengal', pincode: '700016' },
    });

  it('of corrections is half for the store, then the wholesaler’s, and never longer', async () => {
    order = await placeAndMove(test, store, [{ sku: 'MUG', quantity: 2 }], 'pay');
    const { max } = rowBoundOf(OrderCorrection);
    await fill(OrderCorrection, max / 2 - 1);
    await put('Kolkata').expect(200);
    await put('Kolkata').expect(200);
    const { body } = await put('Howrah').expect(409);
    expect(body).toMatchObject({
      code: 'not_changeable',
      message: `The order ${order} has ${max / 2} corrections, which is the maximum for its client. Ask the wholesaler.`,
    });
    const correct = (city: string) => change(changeDelivery.change({ city }));
    await correct('Howrah');
    await fill(OrderCorrection, max / 2 - 1);
    await expect(correct('Salt Lake')).rejects.toMatchObject({
      code: 'conflict',
      message: `The order ${order} has ${max} corrections, which is the maximum.`,
    });
    const { body: read } = await test.get(store, `/api/orders/${order}`).expect(200);
    expect(read).toMatchObject({ shipping: { city: 'Howrah' } });
  });

  it('of corrections is read up to its bound, and the page says how many there are besides', async () => {
    order = await placeAndMove(test, store, [{ sku: 'MUG', quantity: 2 }], 'pay');
    await fill(OrderCorrection, rowBoundOf(OrderCorrection).max + 6_788);
    const desk = await signInAtDesk(test, 'staff');
    const { text } = await desk.get(`/desk/orders/${order}`).expect(200);
    expect(text.match(/Corrected/g)).toHaveLength(rowBoundOf(OrderCorrection).max);
    expect(readable(text)).toContain('And 6,788 earlier corrections and returns.');
    await put('Kolkata').expect(409);
  });

  it('of returns ends, however often a request is withdrawn', async () => {
    order = await placeAndMove(test, store, [{ sku: 'MUG', quantity: 2 }], 'pay', 'ship');
    const { max } = rowBoundOf(OrderReturn);
    await fill(OrderReturn, max / 2 - 1);
    const ask = (id: string) =>
      test.post(store, `/api/orders/${order}/returns`, { store_return_id: id, lines, reason: 'Broken' });
    await ask('R1').expect(201);
    await ask('R1').expect(201);
    const { body } = await ask('R2').expect(409);
    expect(body).toMatchObject({ code: 'not_returnable' });
    expect(body.message).toContain(`has ${max / 2} returns`);
    await orderReturns(test.app).add(order, { lines, reason: 'x' }, 'asha');
    const { body: status } = await test.get(store, `/api/orders/${order}/status`).expect(200);
    expect(status.returns).toHaveLength(max / 2 + 1);
    expect(rowBoundOf(OrderReturnItem).max).toBeGreaterThan(max);
  });

  const change = (next: OrderChange) => test.app.get(OrderLifecycleService).applyChange(key(), next, 'asha');
  const ship = (n: number) => change(shipping({ trackingNumber: `D${n}`, lines }));
  const refund = (request: object, n: number) =>
    change(refundPart({ reason: 'x', key: `asha ${n}`, ...request } as RefundRequest));
  const giveBack = (n: number) =>
    orderReturns(test.app).add(order, { lines, reason: 'x', key: `asha ${n}` }, 'asha');
  const correct = (n: number) => change(changeDelivery.change({ city: `City ${n}` }));

  it.each<[string, Entity, (n: number) => Promise<unknown>]>([
    ['corrections', OrderCorrection, correct],
    ['returns', OrderReturn, giveBack],
    ['lines in returns', OrderReturnItem, giveBack],
    ['parcels', Parcel, ship],
    ['lines in parcels', ParcelItem, ship],
    ['refunds', OrderRefund, (n) => refund({ kind: 'amount', amount: 100 }, n)],
    ['lines in refunds', OrderRefundItem, (n) => refund({ kind: 'lines', lines }, n)],
    ['invoices and notes', TaxDocument, ship],
  ])('of %s takes the last row, and no further one', async (rows, entity, act) => {
    const { max } = rowBoundOf(entity);
    const isReturn = entity === OrderReturn || entity === OrderReturnItem;
    const steps = isReturn ? (['pay', 'ship'] as const) : (['pay'] as const);
    order = await placeAndMove(test, store, [{ sku: 'MUG', quantity: 5 }], ...steps);
    await fill(entity, max - 1 - (await count(entity))!);
    await act(1);
    expect(await count(entity)).toBe(max);
    await expect(act(2)).rejects.toMatchObject({
      code: 'conflict',
      message: `The order ${order} has ${max} ${rows}, which is the maximum.`,
    });
    expect(await count(entity)).toBe(max);
  });
});
