import { amountFromMinor, minorFromNumeric } from '../../platform/money/money.js';
import type { DESK_ORDER } from '../view/order-view.js';

/** An order as the wholesaler sees it, in the words of the commands. */
export type OrderShown = ReturnType<typeof toOrderShown>;

export function toOrderShown(order: NonNullable<(typeof DESK_ORDER)['row']>) {
  return {
    order_number: order.orderNumber,
    client_id: order.clientId,
    client: order.client,
    store_order_id: order.storeOrderId,
    status: order.status,
    payment_status: order.paymentStatus,
    plan: order.planCode,
    currency: order.currency,
    subtotal: toAmount(order.subtotal),
    delivery: toAmount(order.delivery),
    total: toAmount(order.total),
    placed_at: order.placedAt,
    notes: order.notes,
    customer: { name: order.customerName, phone: order.customerPhone, email: order.customerEmail },
    shipping: {
      address: order.shippingAddress,
      city: order.shippingCity,
      state: order.shippingState,
      pincode: order.shippingPincode,
      country: order.shippingCountry,
    },
    payment: {
      method: order.paymentMethod,
      reference: order.paymentReference,
      due_at: order.paymentDueAt.toISOString(),
      paid_at: order.paidAt?.toISOString() ?? null,
    },
    tracking: order.shippedAt && {
      courier: order.courier,
      tracking_number: order.trackingNumber,
      tracking_url: order.trackingUrl,
      shipped_at: order.shippedAt.toISOString(),
    },
    delivered_at: order.deliveredAt,
    cancelled_at: order.cancelledAt,
    cancel_reason: order.cancelReason,
    items: order.items.map((item) => ({
      sku: item.sku,
      name: item.name,
      variation: item.variationKey || item.remark,
      quantity: item.quantity,
      unit_price: toAmount(item.unitPrice),
      line_total: toAmount(item.lineTotal),
    })),
    timeline: order.timeline.map(({ status, changedAt, actor, note }) => ({
      status,
      changed_at: new Date(changedAt).toISOString(),
      actor,
      note,
    })),
    changes: (order.corrections ?? []).map(({ changedAt, actor, before, after }) => ({
      changed_at: new Date(changedAt).toISOString(),
      actor,
      before,
      after,
    })),
  };
}

function toAmount(numeric: string): number {
  return amountFromMinor(minorFromNumeric(numeric));
}
