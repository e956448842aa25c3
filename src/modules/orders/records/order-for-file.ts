import { amountFromMinor, amountFromNumeric } from '../../../platform/money/money.js';
import { nest } from '../rules/order-fields.js';
import { metadataField } from '../rules/order-metadata.js';
import { parcelsOf, refundsOf, returnsOf } from './order-details.js';
import { preparedOf } from './order-for-desk.js';
import { toOrderedItems, toParcel, toRefund, toReturnFacts, toTracking } from './order-for-store.js';
import type { DeskOrderRecord } from './order-record.js';

/** The order in the JSON of a command. */
export type OrderOutput = ReturnType<typeof toOrderOutput>;

export function toOrderOutput(record: DeskOrderRecord) {
  const prepared = preparedOf(record);
  return {
    order_number: record.orderNumber,
    client_id: record.clientId,
    client: record.client,
    store_order_id: record.storeOrderId,
    domain: record.domain,
    status: record.status,
    payment_status: record.paymentStatus,
    plan: record.planCode,
    currency: record.currency,
    subtotal: amountFromNumeric(record.subtotal),
    delivery: amountFromNumeric(record.delivery),
    total: amountFromNumeric(record.total),
    refunded_amount: amountFromNumeric(record.refundedAmount),
    origin: record.origin,
    placed_at: record.placedAt,
    ...nest(record),
    ...metadataField(record),
    packing_list: record.packingList,
    payment: {
      method: record.paymentMethod,
      reference: record.paymentReference,
      due_at: record.paymentDueAt.toISOString(),
      paid_at: record.paidAt?.toISOString() ?? null,
    },
    tracking: toTracking(record),
    delivered_at: record.deliveredAt,
    goods_state: record.goodsState,
    cancelled_at: record.cancelledAt,
    cancel_reason: record.cancelReason,
    items: toOrderedItems(record),
    parcels: parcelsOf(record).map((one) => ({
      parcel: one.parcel,
      ...toParcel(one),
      ...(one.exception !== null && { exception: one.exception }),
      no_invoice: one.noInvoice,
      without_irn: one.withoutIrn,
      lines: one.lines,
    })),
    prepared: prepared && {
      parcel: prepared.parcel,
      lines: prepared.lines,
      invoiced_at: prepared.preparedAt.toISOString(),
      by: prepared.actor,
      awaits_irn: record.awaitsIrn,
    },
    returns: returnsOf(record).map(toReturnFacts),
    refunds: refundsOf(record).map((one) => ({
      ...toRefund(one),
      by: one.actor,
      lines: one.lines.map(({ amount, writtenOff, ...line }) => ({
        ...line,
        written_off: writtenOff,
        amount: amountFromMinor(amount),
      })),
    })),
    timeline: record.timeline.map(({ status, changedAt, actor, note }) => ({
      status,
      changed_at: new Date(changedAt).toISOString(),
      actor,
      note,
    })),
    changes: (record.corrections ?? []).map(({ changedAt, ...change }) => ({
      changed_at: new Date(changedAt).toISOString(),
      ...change,
    })),
    unlisted: record.unlisted,
  };
}
