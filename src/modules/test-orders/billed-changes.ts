import type { BilledChange } from '../invoices/sample-documents.js';
import {
  type ParcelDetails,
  parcelsOf,
  type RefundDetails,
  refundsOf,
} from '../orders/records/order-details.js';
import type { StoreOrderDetails } from '../orders/records/order-record.js';
import { type RefundPart, refundsToBill } from '../orders/rules/take-back.js';
import { sumBy } from '../../platform/lists/group-by.js';
import { minorFromNumeric } from '../../platform/money/money.js';

/** Test orders do not know the tax data of their products. */
const SAMPLE_TAX = { hsn: '0000', rate: 1_800, treatment: 'taxable' as const, unit: 'PCS' };

/** The parcels and refunds of a test order, oldest first, each with the order as it was then. */
export function* billedChanges(clientId: number, order: StoreOrderDetails): Generator<BilledChange> {
  const refunds = refundsOf(order);
  const parcels = parcelsOf(order).map((parcel) => ({ at: parcel.shippedAt, parcel }));
  const changes: { at: Date; parcel?: ParcelDetails; refund?: RefundDetails }[] = [
    ...parcels,
    ...refunds.map((refund) => ({ at: refund.refundedAt, refund })),
  ];
  const lines = order.items.map((item) => ({
    ...item,
    ...SAMPLE_TAX,
    variation: item.variationKey || item.remark,
    unitPrice: minorFromNumeric(item.unitPrice),
    cancelled: 0,
  }));
  for (const { at, parcel, refund } of changes.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const before = refunds.filter(({ refundedAt }) => refundedAt <= at);
    const cancelled = sumBy(
      before.flatMap((one) => one.lines),
      ({ line }) => line,
      (item) => item.cancelled,
    );
    yield {
      at,
      clientId,
      orderNumber: order.orderNumber,
      storeOrderId: order.storeOrderId,
      placedAt: order.placedAt,
      leftAt: parcel ? at : null,
      deliverTo: {
        name: order.customerName,
        phone: order.customerPhone,
        address: order.shippingAddress,
        city: order.shippingCity,
        state: order.shippingState,
        pincode: order.shippingPincode,
        country: order.shippingCountry,
      },
      delivery: minorFromNumeric(order.delivery),
      left: parcels
        .filter((one) => one.at <= at)
        .flatMap(({ parcel: { parcel: number, noInvoice, lines: units } }) =>
          units.map(({ line, quantity }) => ({ line, quantity, parcel: number, noInvoice })),
        ),
      lines: lines.map((one) => (cancelled(one.line) > 0 ? { ...one, cancelled: cancelled(one.line) } : one)),
      ...refundsToBill(before.flatMap(partsOf)),
      ...(parcel && { parcel: { parcel: parcel.parcel, units: parcel.lines } }),
      ...(refund && { refund }),
    };
  }
}

/** The amount of each line, or the whole amount of a refund without lines. */
function partsOf({ lines, amount, ...refund }: RefundDetails): RefundPart[] {
  const parts = lines.length > 0 ? lines : [{ line: null, amount, refunded: 0 }];
  return parts.map((part) => ({ ...refund, line: part.line, amount: part.amount, units: part.refunded }));
}
