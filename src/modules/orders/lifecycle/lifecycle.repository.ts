import { Injectable } from '@nestjs/common';
import type { OrderToBill } from '../../invoices/issuing/facts.js';
import { noteReasonOf } from '../../invoices/rules/note-reasons.js';
import { columnsOf } from '../../../platform/database/columns-of.js';
import { keepPlans, type Transaction } from '../../../platform/database/database.js';
import { rowBoundOf, tooManyRows } from '../../../platform/database/row-bound.js';
import { DomainError } from '../../../platform/errors/domain-error.js';
import { groupBy } from '../../../platform/lists/group-by.js';
import { minorFromNumeric, numericFromMinor } from '../../../platform/money/money.js';
import {
  OrderRefund,
  OrderRefundItem,
  Parcel,
  ParcelItem,
  PreparedParcel,
} from '../entities/after-sale.entity.js';
import { WalletEntry } from '../../wallet/wallet.entity.js';
import type {
  CorrectedParcel,
  DocumentEvent,
  OrderColumns,
  RecordedPayment,
  SentParcel,
} from '../actions/order-action.js';
import { IS_OVERDUE } from '../actions/expire.js';
import { recordedPayment } from '../actions/pay.js';
import { Order, OrderCorrection, type OrderKey, OrderItem } from '../entities/order.entity.js';
import { noSuchOrder } from '../order-errors.js';
import type { PlannedRefund } from '../rules/order-steps.js';
import type { Demand } from '../rules/order-stock.js';
import type { OrderState } from '../rules/order-transitions.js';
import {
  formatLineQuantities,
  type LineQuantity,
  parseLineQuantities,
  type PricedLine,
} from '../rules/order-units.js';
import type { PreparedUnits } from '../rules/prepared-parcel.js';
import { type RecordedRefund, type RefundPart, refundsToBill } from '../rules/take-back.js';
import { IS_SLIP_OLD } from './printed-slip.js';

const LOCKED_FIELDS = [
  'clientId',
  'orderNumber',
  'status',
  'paymentStatus',
  'placedAt',
  'total',
  'delivery',
  'refundedAmount',
  'paymentsUndone',
] as const;

export type LockedOrder = Pick<Order, (typeof LOCKED_FIELDS)[number]>;

/** SQL, because rows are locked in the order of their keys, so that no two transactions deadlock. */
const LOCK = {
  name: 'order-lock',
  text: `
    SELECT ${columnsOf(Order, 'o', LOCKED_FIELDS)} FROM orders o
     WHERE (o.client_id, o.order_number) IN (SELECT * FROM unnest($1::int[], $2::text[]))
     ORDER BY o.client_id, o.order_number
       FOR UPDATE OF o`,
};

/** SQL, because the database adds up the lines: 100 orders may have 100 lines each. */
const HELD_STOCK = {
  name: 'order-held-by',
  text: `
    SELECT i.product_id AS "productId", i.variation_key AS "variationKey",
           sum(i.quantity - i.shipped - i.cancelled)::int AS quantity
      FROM order_items i
      JOIN unnest($1::int[], $2::text[]) AS wanted (client_id, order_number) USING (client_id, order_number)
     GROUP BY i.product_id, i.variation_key`,
};

/** SQL, because the database compares a slip with its order. */
const WITH_OLD_SLIP = {
  text: `
    SELECT o.order_number AS "orderNumber"
      FROM unnest($1::int[], $2::text[]) AS wanted (client_id, order_number)
      JOIN orders o USING (client_id, order_number)
     WHERE ${IS_SLIP_OLD}`,
};

const LINE_FIELDS = [
  'clientId',
  'orderNumber',
  'line',
  'productId',
  'variationKey',
  'quantity',
  'shipped',
  'cancelled',
  'refunded',
  'returned',
] as const;

export type LockedLine = Pick<OrderItem, (typeof LINE_FIELDS)[number]> & PricedLine;

const LINES = {
  name: 'order-units',
  text: `
    SELECT ${columnsOf(OrderItem, 'i', LINE_FIELDS)}, (i.unit_price * 100)::float8 AS "unitPrice"
      FROM order_items i
      JOIN unnest($1::int[], $2::text[]) AS wanted (client_id, order_number) USING (client_id, order_number)
     ORDER BY i.client_id, i.order_number, i.line`,
};

/** SQL, because one statement numbers and writes the parcels of many orders, with the order's own copy. */
const ADD_PARCELS = {
  name: 'parcels-add',
  text: `
    WITH added AS (
           INSERT INTO parcels (client_id, order_number, parcel, courier, tracking_number, tracking_url,
                                shipped_at, recorded_at, actor, no_invoice, without_irn)
           SELECT o.client_id, o.order_number, coalesce(last.parcel, 0) + 1, o.courier, o.tracking_number,
                  o.tracking_url, o.shipped_at, statement_timestamp(), $3, given.no_invoice, given.without_irn
             FROM unnest($1::int[], $2::text[], $8::text[], $9::text[])
                  AS given (client_id, order_number, no_invoice, without_irn)
             JOIN orders o USING (client_id, order_number),
                  LATERAL (SELECT max(p.parcel) AS parcel FROM parcels p
                            WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number)) AS last
           RETURNING client_id, order_number, parcel),
         units AS (
           INSERT INTO parcel_items (client_id, order_number, parcel, line, quantity)
           SELECT added.client_id, added.order_number, added.parcel, unit.line, unit.quantity
             FROM added
             JOIN unnest($4::int[], $5::text[], $6::int[], $7::int[])
               AS unit (client_id, order_number, line, quantity) USING (client_id, order_number))
    SELECT client_id AS "clientId", order_number AS "orderNumber", parcel FROM added`,
};

/** SQL, because one statement numbers the prepared parcels of many orders. They keep their numbers. */
const PREPARE = {
  text: `
    INSERT INTO prepared_parcels (client_id, order_number, parcel, lines, actor)
    SELECT given.client_id, given.order_number, coalesce(max(p.parcel), 0) + 1, given.lines, $4
      FROM unnest($1::int[], $2::text[], $3::text[]) AS given (client_id, order_number, lines)
      LEFT JOIN parcels p USING (client_id, order_number)
     GROUP BY given.client_id, given.order_number, given.lines
    RETURNING client_id AS "clientId", order_number AS "orderNumber", parcel`,
};

/** SQL, because one statement numbers and writes the refunds of many orders with their lines. */
const ADD_REFUNDS = {
  name: 'order-refunds-add',
  text: `
    WITH given AS (
           SELECT given.client_id, given.order_number, kind, amount, reason, key, return_number, takes_back,
                  reason_code, is_commercial, coalesce(last.refund, 0) + 1 AS refund
             FROM json_populate_recordset(NULL::order_refunds, $1) AS given,
                  LATERAL (SELECT max(r.refund) AS refund FROM order_refunds r
                            WHERE (r.client_id, r.order_number)
                                  = (given.client_id, given.order_number)) AS last),
         added AS (
           INSERT INTO order_refunds (client_id, order_number, refund, kind, amount, reason, key,
                                      return_number, takes_back, reason_code, is_commercial, actor,
                                      refunded_at)
           SELECT client_id, order_number, refund, kind, amount, reason, key, return_number, takes_back,
                  reason_code, is_commercial, $3, statement_timestamp() FROM given),
         lines AS (
           INSERT INTO order_refund_items (client_id, order_number, refund, line, refunded, cancelled,
                                           written_off, amount)
           SELECT given.client_id, given.order_number, given.refund, item.line, item.refunded, item.cancelled,
                  item.written_off, item.amount
             FROM json_populate_recordset(NULL::order_refund_items, $2) AS item
             JOIN given USING (client_id, order_number))
    SELECT client_id AS "clientId", order_number AS "orderNumber", refund FROM given`,
};

/** SQL, because one statement delivers the parcels of many orders. */
const DELIVER = {
  name: 'parcels-deliver',
  text: `
    UPDATE parcels p
       SET exception = NULL,
           -- A courier's bare day begins before a parcel left on it.
           delivered_at = CASE WHEN arrived.at IS NULL THEN statement_timestamp()
                               ELSE greatest(arrived.at, p.shipped_at) END
      FROM unnest($1::int[], $2::text[], $3::int[], $4::timestamptz[])
           AS arrived (client_id, order_number, parcel, at)
     WHERE (p.client_id, p.order_number, p.parcel)
           = (arrived.client_id, arrived.order_number, arrived.parcel)`,
};

/** SQL, because only this function deletes parcels. */
const WITHDRAW = { text: 'SELECT withdraw_parcel($1, $2, $3)' };

const RATES = `
  FROM scheduled_prices s JOIN price_schedules t ON t.id = s.schedule_id
 WHERE s.product_id = p.id AND s.is_rate`;

/** The rate when the goods left: before a later change, or after one that no job has written yet. */
const RATE = `
  coalesce((SELECT s.replaced ${RATES} AND s.state = 'applied' AND t.from_at > moment.at
             ORDER BY t.from_at, t.id LIMIT 1),
           (SELECT s.value ${RATES} AND s.state = 'waiting' AND t.closed_at IS NULL
               AND t.from_at <= moment.at
             ORDER BY t.from_at DESC, t.id DESC LIMIT 1),
           p.gst_rate)`;

/**
 * Fields of an order that invoices and notes copy. SQL, because one statement reads many orders with their
 * lines and refunds, bounded by @MaxRows. A refund without lines is one of the delivery, line 0, or of an
 * amount.
 */
const TO_BILL = {
  name: 'orders-to-bill',
  text: `
    SELECT o.client_id AS "clientId", o.order_number AS "orderNumber", o.store_order_id AS "storeOrderId",
           o.placed_at AS "placedAt", moment.left_at AS "leftAt", (o.delivery * 100)::float8 AS delivery,
           (SELECT coalesce(json_agg(json_build_object(
                     'parcel', i.parcel, 'line', i.line, 'quantity', i.quantity,
                     'noInvoice', (SELECT p.no_invoice FROM parcels p
                                    WHERE (p.client_id, p.order_number, p.parcel)
                                          = (i.client_id, i.order_number, i.parcel)))), '[]')
              FROM parcel_items i
             WHERE (i.client_id, i.order_number) = (o.client_id, o.order_number)) AS "left",
           (SELECT p.parcel FROM prepared_parcels p
             WHERE (p.client_id, p.order_number) = (o.client_id, o.order_number)) AS prepared,
           json_build_object(
             'name', o.customer_name, 'phone', o.customer_phone, 'address', o.shipping_address,
             'city', o.shipping_city, 'state', o.shipping_state, 'pincode', o.shipping_pincode,
             'country', o.shipping_country) AS "deliverTo",
           (SELECT json_agg(json_build_object(
                     'line', i.line, 'sku', i.sku, 'name', i.name,
                     'variation', coalesce(nullif(i.variation_key, ''), i.remark),
                     'unitPrice', (i.unit_price * 100)::bigint, 'quantity', i.quantity,
                     'cancelled', i.cancelled, 'hsn', p.hsn,
                     'rate', (${RATE} * 100)::int,
                     'treatment', p.gst_treatment, 'unit', p.unit) ORDER BY i.line)
              FROM order_items i JOIN products p ON p.id = i.product_id
             WHERE (i.client_id, i.order_number) = (o.client_id, o.order_number)) AS lines,
           (SELECT coalesce(json_agg(json_build_object(
                     'refund', r.refund, 'kind', r.kind, 'takesBack', r.takes_back, 'reason', r.reason,
                     'reasonCode', r.reason_code, 'isCommercial', r.is_commercial, 'line', i.line,
                     'amount', (coalesce(i.amount, r.amount) * 100)::bigint, 'units', i.refunded)
                   ORDER BY r.refund, i.line), '[]')
              FROM order_refunds r LEFT JOIN order_refund_items i USING (client_id, order_number, refund)
             WHERE (r.client_id, r.order_number) = (o.client_id, o.order_number)) AS refunds
      FROM unnest($1::int[], $2::text[], $3::int[]) AS wanted (client_id, order_number, parcel)
      JOIN orders o USING (client_id, order_number)
      LEFT JOIN LATERAL (
           SELECT p.shipped_at FROM parcels p
            WHERE (p.client_id, p.order_number, p.parcel)
                  = (o.client_id, o.order_number, wanted.parcel) LIMIT 1) AS sent ON true,
           LATERAL (SELECT sent.shipped_at AS left_at,
                           least(sent.shipped_at, statement_timestamp()) AS at) AS moment`,
};

/** The columns that an action may set, in the order of the parameters from $7 on. */
const COLUMNS = [
  'paymentMethod',
  'paymentReference',
  'courier',
  'trackingNumber',
  'trackingUrl',
  'shippedAt',
  'cancelReason',
] as const satisfies readonly (keyof OrderColumns)[];

type StatusUpdate = OrderKey &
  OrderState & {
    columns?: OrderColumns;
    /** Whether it has a new status, which needs an entry in the timeline. */
    isNewStatus: boolean;
  };

/** Units that leave with a parcel. */
type NewParcel = OrderKey & Pick<SentParcel, 'units' | 'noInvoice' | 'withoutIrn'>;

type NewRefund = OrderKey & PlannedRefund;

type NewCorrection = Omit<OrderCorrection, 'id' | 'changedAt'>;

export type RecordedParcel = Parcel & { lines: LineQuantity[] };

export type BillingEvent = OrderKey & DocumentEvent;

/** A prepared parcel has not left, but its invoice bills the share of its units in the delivery. */
function preparedUnits({ left }: OrderToBill, { parcel: billed }: BillingEvent): OrderToBill['left'] {
  if (!billed || left.some(({ parcel }) => parcel === billed.parcel)) return [];
  return billed.units.map((unit) => ({ ...unit, parcel: billed.parcel, noInvoice: null }));
}

/**
 * SQL, because one statement moves all orders and their timelines. Both get the same time, never before the
 * last entry, even if the clock went back.
 */
const UPDATE_STATUSES = {
  name: 'order-move-on',
  text: `
    WITH next AS (
           SELECT moved.*, last.entry + 1 AS entry,
                  greatest(statement_timestamp(), last.changed_at) AS changed_at
             FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::boolean[], $7::text[], $8::text[],
                         $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::text[])
                  AS moved (client_id, order_number, status, payment_status, is_next, payment_method,
                            payment_reference, courier, tracking_number, tracking_url, shipped_at,
                            cancel_reason),
                  LATERAL (
                    SELECT max(entry) AS entry, max(changed_at) AS changed_at
                      FROM order_timeline t
                     WHERE (t.client_id, t.order_number) = (moved.client_id, moved.order_number)) AS last),
         told AS (
           INSERT INTO order_timeline (client_id, order_number, entry, status, changed_at, actor, note)
           SELECT client_id, order_number, entry, status, changed_at, $6, cancel_reason
             FROM next WHERE is_next)
    UPDATE orders o
       SET status = next.status, payment_status = next.payment_status,
           paid_at = CASE next.status WHEN 'pending' THEN coalesce(o.paid_at, next.changed_at)
                                      WHEN 'awaiting_payment' THEN NULL ELSE o.paid_at END,
           -- Only an undone payment leads back to this status.
           payment_method = CASE WHEN next.status <> 'awaiting_payment'
                                 THEN coalesce(next.payment_method, o.payment_method) END,
           payment_reference = CASE WHEN next.status <> 'awaiting_payment'
                                    THEN coalesce(next.payment_reference, o.payment_reference) END,
           payments_undone = o.payments_undone + (next.status = 'awaiting_payment')::int,
           courier = coalesce(next.courier, o.courier),
           tracking_number = CASE WHEN next.courier IS NULL THEN o.tracking_number
                                  ELSE next.tracking_number END,
           tracking_url = CASE WHEN next.courier IS NULL THEN o.tracking_url ELSE next.tracking_url END,
           tracking_numbers = nullif(concat_ws(' ', o.tracking_numbers, next.tracking_number), ''),
           shipped_at = CASE WHEN next.courier IS NULL THEN o.shipped_at
                             ELSE coalesce(next.shipped_at, next.changed_at) END,
           -- What is left of the order waits for the next list.
           packing_list = CASE WHEN next.courier IS NOT NULL AND next.status = 'pending' THEN NULL
                               WHEN next.status = 'awaiting_payment' THEN NULL
                               ELSE o.packing_list END,
           printed_slips = CASE WHEN next.courier IS NULL THEN o.printed_slips END,
           delivered_at = CASE WHEN next.status = 'delivered' THEN
                                    CASE WHEN is_next THEN next.changed_at ELSE o.delivered_at END END,
           cancelled_at = CASE WHEN is_next AND next.status = 'cancelled' THEN next.changed_at
                               ELSE o.cancelled_at END,
           cancel_reason = next.cancel_reason
      FROM next
     WHERE o.client_id = next.client_id AND o.order_number = next.order_number`,
};

/** An order with more rows than a bound allows. SQL, because the tables have one question. */
const findOverfull = (table: string) => ({
  text: `
    SELECT order_number AS "orderNumber"
      FROM unnest($1::int[], $2::text[]) AS o (client_id, order_number)
     WHERE (SELECT count(*)
              FROM (SELECT FROM ${table} a
                     WHERE (a.client_id, a.order_number) = (o.client_id, o.order_number)
                     LIMIT $3::int + 1) AS counted) > $3::int
     LIMIT 1`,
});

/** Locks and changes orders of any client. */
@Injectable()
export class LifecycleRepository {
  /** Locks the orders that exist, each once. */
  async lock(transaction: Transaction, keys: OrderKey[]): Promise<LockedOrder[]> {
    const [, locked] = await Promise.all([
      keepPlans(transaction),
      transaction.query<LockedOrder>(LOCK, keyColumns(keys)),
    ]);
    return locked;
  }

  /** Locks all of the orders, or refuses with the number of a missing one. */
  async lockAll(transaction: Transaction, keys: OrderKey[]): Promise<LockedOrder[]> {
    const locked = await this.lock(transaction, keys);
    const lockedKeys = new Set(locked.map(orderKeyText));
    const missing = keys.find((key) => !lockedKeys.has(orderKeyText(key)));
    if (missing) throw noSuchOrder(missing.orderNumber);
    return locked;
  }

  /** Locks orders whose payment window is over, and skips locked ones. */
  async lockDue(transaction: Transaction, limit: number): Promise<LockedOrder[]> {
    await keepPlans(transaction);
    return transaction.manager
      .createQueryBuilder(Order, 'o')
      .select(LOCKED_FIELDS.map((field) => `o.${field}`))
      .where(IS_OVERDUE)
      .orderBy('o.paymentDueAt')
      .limit(limit)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
  }

  find({ manager }: Transaction, { clientId, orderNumber }: OrderKey): Promise<Order> {
    return manager.findOneByOrFail(Order, { clientId, orderNumber });
  }

  /** Those of the orders that were changed after their slip was printed. */
  async withOldSlip(transaction: Transaction, orders: readonly OrderKey[]): Promise<ReadonlySet<string>> {
    const old = await transaction.query<{ orderNumber: string }>(WITH_OLD_SLIP, keyColumns(orders));
    return new Set(old.map(({ orderNumber }) => orderNumber));
  }

  /** The payment of a locked order, if a person recorded it. */
  async recordedPaymentOf(transaction: Transaction, order: OrderKey): Promise<RecordedPayment | null> {
    const { total, ...paid } = await this.find(transaction, order);
    const [{ key }] = recordedPayment({ ...paid, total: minorFromNumeric(total) }, paid);
    const { clientId } = order;
    return (await transaction.manager.existsBy(WalletEntry, { clientId, key })) ? paid : null;
  }

  /**
   * Refuses rows that were just added to locked orders, if one has more than the bound of the entity. Clients
   * and stores may fill half of it: the rest is for the wholesaler.
   */
  async requireRoom(
    transaction: Transaction,
    orders: readonly OrderKey[],
    entities: readonly (abstract new () => OrderKey)[],
    by: 'client' | 'wholesaler' = 'wholesaler',
  ): Promise<void> {
    for (const entity of entities) {
      const { table, max, rows } = rowBoundOf(entity);
      const limit = by === 'client' ? max / 2 : max;
      const values = [...keyColumns(orders), limit];
      const [full] = await transaction.query<OrderKey>(findOverfull(table), values);
      const advice = by === 'client' ? ' for its client. Ask the wholesaler' : '';
      if (full) throw tooManyRows(full.orderNumber, limit, rows, advice);
    }
  }

  /** The quantities that the orders hold, one row per stock item. */
  heldStock(transaction: Transaction, orders: OrderKey[]): Promise<Demand[]> {
    return transaction.query<Demand>(HELD_STOCK, keyColumns(orders));
  }

  async linesOf(transaction: Transaction, orders: OrderKey[]): Promise<Map<string, LockedLine[]>> {
    const lines = await transaction.query<LockedLine>(LINES, keyColumns(orders));
    const byOrder = new Map<string, LockedLine[]>(orders.map((order) => [orderKeyText(order), []]));
    for (const line of lines) byOrder.get(orderKeyText(line))!.push(line);
    return byOrder;
  }

  /** Adds the newest parcel of each order, as the order has it. Returns its number in the order. */
  async addParcels(
    transaction: Transaction,
    parcels: readonly NewParcel[],
    actor: string,
  ): Promise<Map<string, number>> {
    const units = parcels.flatMap(({ clientId, orderNumber, units: some }) =>
      some.map((unit) => ({ clientId, orderNumber, ...unit })),
    );
    const added = await transaction
      .query<OrderKey & { parcel: number }>(ADD_PARCELS, [
        ...keyColumns(parcels),
        actor,
        ...keyColumns(units),
        units.map(({ line }) => line),
        units.map(({ quantity }) => quantity),
        parcels.map(({ noInvoice }) => noInvoice ?? null),
        parcels.map(({ withoutIrn }) => withoutIrn ?? null),
      ])
      .catch(refuseRepetition);
    await this.requireRoom(transaction, parcels, [Parcel, ParcelItem]);
    return new Map(added.map(({ parcel, ...order }) => [orderKeyText(order), parcel]));
  }

  /** Records the next parcel of each order, which stays here. Returns its number in the order. */
  async prepare(
    transaction: Transaction,
    parcels: readonly (OrderKey & { units: readonly LineQuantity[] })[],
    actor: string,
  ): Promise<Map<string, number>> {
    const lines = parcels.map(({ units }) => formatLineQuantities(units));
    const added = await transaction.query<OrderKey & { parcel: number }>(PREPARE, [
      ...keyColumns(parcels),
      lines,
      actor,
    ]);
    return new Map(added.map(({ parcel, ...order }) => [orderKeyText(order), parcel]));
  }

  /** The prepared parcels of locked orders, by order. */
  async preparedOf(
    { manager }: Transaction,
    orders: readonly OrderKey[],
  ): Promise<Map<string, PreparedUnits>> {
    const where = orders.map(({ clientId, orderNumber }) => ({ clientId, orderNumber }));
    const found = await manager.find(PreparedParcel, { where });
    return new Map(
      found.map((one) => [orderKeyText(one), { ...one, lines: parseLineQuantities([one.lines]) }]),
    );
  }

  async removePrepared({ manager }: Transaction, orders: readonly OrderKey[]): Promise<void> {
    for (const { clientId, orderNumber } of orders)
      await manager.delete(PreparedParcel, { clientId, orderNumber });
  }

  /** Adds a correction to a locked order. */
  async addCorrection(
    transaction: Transaction,
    correction: NewCorrection,
    by?: 'client' | 'wholesaler',
  ): Promise<void> {
    await transaction.manager.insert(OrderCorrection, correction);
    await this.requireRoom(transaction, [correction], [OrderCorrection], by);
  }

  /** At most one refund of each order. Returns its number in the order. */
  async addRefunds(
    transaction: Transaction,
    refunds: readonly NewRefund[],
    actor: string,
  ): Promise<Map<string, number>> {
    const keyOf = ({ clientId, orderNumber }: OrderKey) => ({
      client_id: clientId,
      order_number: orderNumber,
    });
    const heads = refunds.map(({ kind, amount, reason, key, returnNumber, takesBack, ...refund }) => ({
      ...keyOf(refund),
      kind,
      amount: numericFromMinor(amount),
      reason,
      key,
      return_number: returnNumber,
      takes_back: takesBack,
      reason_code: noteReasonOf({ kind, ...refund }),
      is_commercial: refund.isCommercial ?? false,
    }));
    const items = refunds.flatMap(({ items: lines, ...order }) =>
      lines.map(({ line, refunded, cancelled = 0, writtenOff = 0, amount }) => ({
        ...keyOf(order),
        line,
        refunded,
        cancelled,
        written_off: writtenOff,
        amount: numericFromMinor(amount),
      })),
    );
    const added = await transaction
      .query<OrderKey & { refund: number }>(ADD_REFUNDS, [
        JSON.stringify(heads),
        JSON.stringify(items),
        actor,
      ])
      .catch(refuseRepetition);
    await this.requireRoom(transaction, refunds, [OrderRefund, OrderRefundItem]);
    return new Map(added.map(({ refund, ...order }) => [orderKeyText(order), refund]));
  }

  /** The refunds of locked orders with their lines, by order. */
  async refundsOf({ manager }: Transaction, orders: OrderKey[]): Promise<Map<string, RecordedRefund[]>> {
    const where = orders.map(({ clientId, orderNumber }) => ({ clientId, orderNumber }));
    const [refunds, items] = [
      await manager.find(OrderRefund, { where, order: { refund: 'ASC' } }),
      await manager.find(OrderRefundItem, { where, order: { line: 'ASC' } }),
    ];
    const byOrder = new Map<string, RecordedRefund[]>(orders.map((order) => [orderKeyText(order), []]));
    const refundKey = (one: OrderKey & { refund: number }) => `${orderKeyText(one)} ${one.refund}`;
    const byRefund = groupBy(items, refundKey);
    for (const one of refunds) {
      const own = byRefund.get(refundKey(one)) ?? [];
      const lines = own.map((item) => ({ ...item, amount: minorFromNumeric(item.amount) }));
      byOrder.get(orderKeyText(one))!.push({ ...one, amount: minorFromNumeric(one.amount), lines });
    }
    return byOrder;
  }

  /** The orders with the parcel or refund to bill. */
  async toBill(transaction: Transaction, events: readonly BillingEvent[]): Promise<OrderToBill[]> {
    type Row = Omit<OrderToBill, 'refunded' | 'reason' | 'reasonCode'> & { refunds: RefundPart[] };
    const orders = await transaction.query<Row>(TO_BILL, [
      ...keyColumns(events),
      events.map(({ parcel }) => parcel?.parcel ?? null),
    ]);
    const byOrder = new Map(
      orders.map(({ refunds, ...order }) => [orderKeyText(order), { ...order, ...refundsToBill(refunds) }]),
    );
    return events.map((event) => {
      const order = byOrder.get(orderKeyText(event))!;
      return { ...order, left: [...order.left, ...preparedUnits(order, event)], ...event };
    });
  }

  /** Parcels that have arrived, now or at a given time. */
  async deliver(
    transaction: Transaction,
    parcels: readonly (OrderKey & { parcel: number; at: Date | null })[],
  ): Promise<void> {
    await transaction.query(DELIVER, [
      ...keyColumns(parcels),
      parcels.map(({ parcel }) => parcel),
      parcels.map(({ at }) => at),
    ]);
  }

  /** The parcels of locked orders with their units, oldest first, by order. */
  async parcelsOf(
    { manager }: Transaction,
    orders: readonly OrderKey[],
  ): Promise<Map<string, RecordedParcel[]>> {
    const of = {
      where: orders.map(({ clientId, orderNumber }) => ({ clientId, orderNumber })),
      order: { parcel: 'ASC' },
    } as const;
    const [parcels, items] = [await manager.find(Parcel, of), await manager.find(ParcelItem, of)];
    const parcelKey = (one: OrderKey & { parcel: number }) => `${orderKeyText(one)} ${one.parcel}`;
    const units = groupBy(items, parcelKey);
    const recorded = parcels.map((one) => ({ ...one, lines: units.get(parcelKey(one)) ?? [] }));
    return groupBy(recorded, orderKeyText);
  }

  /** The order has a copy of the newest of its parcels. */
  async correctParcel(
    { manager }: Transaction,
    { clientId, orderNumber }: OrderKey,
    parcels: readonly Parcel[],
    { parcel: number, values }: CorrectedParcel,
  ): Promise<void> {
    await manager.update(Parcel, { clientId, orderNumber, parcel: number }, values).catch(refuseRepetition);
    const corrected = parcels.map((one) => (one.parcel === number ? { ...one, ...values } : one));
    await manager.update(
      Order,
      { clientId, orderNumber },
      {
        ...(parcels.at(-1)!.parcel === number && values),
        trackingNumbers: trackingNumbersOf(corrected),
      },
    );
  }

  /** Deletes the newest of these parcels. The order then has a copy of the one before. */
  async withdraw(transaction: Transaction, key: OrderKey, parcels: readonly Parcel[]): Promise<void> {
    const { clientId, orderNumber } = key;
    const left = parcels.slice(0, -1);
    const { courier = null, trackingNumber = null, trackingUrl = null, shippedAt = null } = left.at(-1) ?? {};
    await transaction.query(WITHDRAW, [clientId, orderNumber, parcels.at(-1)!.parcel]);
    await transaction.manager.update(
      Order,
      { clientId, orderNumber },
      {
        courier,
        trackingNumber,
        trackingUrl,
        shippedAt,
        trackingNumbers: trackingNumbersOf(left),
        packingList: null,
      },
    );
  }

  /** The timeline gets an entry for each new status. */
  async updateStatuses(
    transaction: Transaction,
    orders: readonly StatusUpdate[],
    actor: string,
  ): Promise<void> {
    await transaction.query(UPDATE_STATUSES, [
      ...keyColumns(orders),
      orders.map(({ status }) => status),
      orders.map(({ paymentStatus }) => paymentStatus),
      orders.map(({ isNewStatus }) => isNewStatus),
      actor,
      ...COLUMNS.map((column) => orders.map(({ columns }) => columns?.[column] ?? null)),
    ]);
  }
}

export const KEY_IS_TAKEN = 'Another refund of the order has this key already.';

/** Messages for a second thing that an order can have only once, by the constraint that refuses it. */
const REPETITION_MESSAGES: Readonly<Record<string, string>> = {
  parcels_tracking_unique: 'The order has a parcel with this tracking number already.',
  order_refunds_delivery_once:
    'The delivery charge of the order was refunded already. If that was taken back, refund an amount.',
  order_refunds_key_unique: KEY_IS_TAKEN,
};

/** Throws a clear refusal in place of the error of such a constraint. */
function refuseRepetition(error: unknown): never {
  const message = REPETITION_MESSAGES[(error as { constraint?: string }).constraint ?? ''];
  throw message === undefined ? error : new DomainError('conflict', message, { cause: error });
}

/** The text that the search for a tracking number reads. */
function trackingNumbersOf(parcels: readonly Pick<Parcel, 'trackingNumber'>[]): string | null {
  return parcels.flatMap(({ trackingNumber }) => trackingNumber ?? []).join(' ') || null;
}

export function orderKeyText({ clientId, orderNumber }: OrderKey): string {
  return `${clientId}/${orderNumber}`;
}

/** The keys as two arrays, for `unnest`. */
export function keyColumns(keys: readonly OrderKey[]): [clientIds: number[], orderNumbers: string[]] {
  return [keys.map(({ clientId }) => clientId), keys.map(({ orderNumber }) => orderNumber)];
}
