import { DomainError } from '../../../platform/errors/domain-error.js';
import { readLine } from '../../../platform/validation/texts.js';
import { readNoInvoiceReason } from '../../invoices/rules/no-invoice.js';
import { formatLineQuantities, type LineQuantity } from '../rules/order-units.js';
import { shipPreparedStep } from '../rules/prepared-parcel.js';
import { checkShipment, checkShippedAt, type Shipment, type TrackingException } from '../rules/shipment.js';
import type { OrderEffects, Need, OrderAction, OrderChange } from './order-action.js';

export interface ShipInput extends Shipment, TrackingException {
  /** Everything that is left by default. An empty list is a further box of a shipped order. */
  lines?: LineQuantity[] | undefined;
  /** Why it has no invoice. */
  noInvoice?: string | undefined;
  /** Why it leaves before its invoice has an IRN. */
  withoutIrn?: string | undefined;
  /** A person confirms the parcel of an order that was changed after its slip was printed. */
  oldSlip?: boolean | undefined;
}

export const ship: OrderAction<ShipInput> = {
  name: 'ship',
  sentence: 'Records a parcel of an order. Its goods leave the stock: these lines, or all that are left.',
  role: 'packer',
  change: ({ noInvoice, withoutIrn, ...input }) => {
    checkShipment(input);
    return send({
      ...input,
      noInvoice: noInvoice === undefined ? undefined : readNoInvoiceReason(noInvoice),
      withoutIrn: withoutIrn === undefined ? undefined : readLine('reason', withoutIrn, 200),
    });
  },
};

/** With a checked input. */
export const send = ({ oldSlip = false, ...input }: ShipInput): OrderChange => ({
  needs: ['lines', 'prepared', ...(oldSlip ? [] : ['slip' satisfies Need as Need])],
  decide: (order, { timeZone }) => {
    const { courier, trackingNumber, trackingUrl, shippedAt, noInvoice, withoutIrn } = input;
    if (!oldSlip && order.isSlipOld) throw slipIsOld(order.orderNumber);
    checkShippedAt(shippedAt, order.placedAt, timeZone, order.prepared?.preparedAt);
    const step = shipPreparedStep(order, order.lines, input, order.prepared);
    if ('refused' in step) return step;
    const { units = [] } = step;
    const isPrepared = order.prepared !== null;
    const { sharedWithOrders } = input;
    const columns = { courier, trackingNumber, trackingUrl, shippedAt };
    return {
      ...step,
      columns,
      sends: { units, trackingNumber, sharedWithOrders, noInvoice, withoutIrn, isPrepared },
      audit: {
        action: 'order.shipped',
        details: {
          courier,
          tracking_number: trackingNumber,
          lines: formatLineQuantities(units),
          ...(noInvoice !== undefined && { no_invoice: noInvoice }),
          ...(withoutIrn !== undefined && { without_irn: withoutIrn }),
        },
      },
      documents: documentsOf(step.status, units, {
        isInvoiced: isPrepared || noInvoice !== undefined,
        withoutIrn,
      }),
    };
  },
});

/** A further box has no goods. With the last parcel the rest of the delivery is billed. */
function documentsOf(
  status: OrderEffects['status'],
  units: readonly LineQuantity[],
  { isInvoiced, withoutIrn }: { isInvoiced: boolean; withoutIrn: string | undefined },
): OrderEffects['documents'] {
  if (isInvoiced) return status === 'shipped' && (() => ({}));
  if (units.length === 0) return false;
  return ({ parcel }) => ({ parcel: { parcel, units }, isLeaving: withoutIrn === undefined });
}

const slipIsOld = (orderNumber: string) =>
  new DomainError(
    'conflict',
    `The delivery or the units of ${orderNumber} were changed after its slip was printed. ` +
      'Print its slip again, or confirm the old slip.',
  );
