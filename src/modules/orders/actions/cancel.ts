import { DomainError } from '../../../platform/errors/domain-error.js';
import { numericFromMinor } from '../../../platform/money/money.js';
import { readOptionalLine } from '../../../platform/validation/texts.js';
import { orderRefund } from '../../wallet/rules/posting.js';
import { CANCEL_REASONS } from '../cancel-reasons.js';
import { cancelStep, requestKey } from '../rules/order-steps.js';
import { formatLineQuantities, type LineQuantity } from '../rules/order-units.js';
import { cancelRefusal } from '../rules/prepared-parcel.js';
import { deliverIfArrived } from '../rules/undo-steps.js';
import type { OrderAction, OrderChange } from './order-action.js';

export interface CancelInput {
  reason?: string | undefined;
  /** Everything that has not left by default. */
  lines?: LineQuantity[] | undefined;
  /** The cancelled units that are not for sale again. */
  writtenOff?: LineQuantity[] | undefined;
  key?: string | undefined;
}

export const cancel: OrderAction<CancelInput> = {
  name: 'cancel',
  sentence: 'Cancels the unshipped units of an order. They are for sale again; paid money goes back.',
  role: 'staff',
  change: ({ lines, writtenOff = [], ...input }) => {
    const reason = readOptionalLine('reason', input.reason, 200);
    if (writtenOff.length > 0 && reason === undefined)
      throw new DomainError('invalid_value', 'Units that are written off need a reason.');
    if (lines === undefined)
      return cancelUnits(reason ?? CANCEL_REASONS.wholesaler, {
        writtenOff,
        key: readOptionalLine('key', input.key, 100),
      });
    if (reason === undefined) throw new DomainError('invalid_value', 'Cancelled lines need a reason.');
    const content = ['cancelled', lines, reason, ...(writtenOff.length > 0 ? [writtenOff] : [])];
    return cancelUnits(reason, { lines, writtenOff, key: requestKey(input.key, content) });
  },
};

/** Some lines of a paid order, or everything that has not left. */
export const cancelUnits = (
  cancelReason: string,
  { lines, writtenOff = [], key }: Omit<CancelInput, 'reason'> = {},
): OrderChange => ({
  needs: ['lines', 'prepared', 'parcels'],
  once: key === undefined ? undefined : { key, kind: 'cancelled' },
  decide: (order) => {
    // What is left can be cancelled again after a parcel was withdrawn.
    const before = order.lines.reduce((sum, { cancelled }) => sum + cancelled, 0);
    const request = { reason: cancelReason, key: key ?? `cancelled after ${before}`, writtenOff };
    const step =
      cancelRefusal(lines, order.prepared) ??
      cancelStep(order, order.lines, { ...request, ...(lines && { requested: lines }) });
    if ('refused' in step) return step;
    const next = deliverIfArrived(step, order.parcels);
    const { refund, units = [] } = next;
    return {
      ...next,
      // The rest was cancelled after all parcels had arrived.
      through: next.status !== step.status && step.status,
      // The reason of cancelled lines belongs to their refund: the order itself was not cancelled.
      columns: next.status === 'cancelled' ? { cancelReason } : {},
      postings: (numbers) =>
        refund && refund.amount > 0
          ? [orderRefund(order.orderNumber, numbers.refund, refund.amount, refund.reason)]
          : [],
      audit: refund !== undefined && {
        action: 'order.cancelled',
        details: {
          lines: formatLineQuantities(units),
          ...(writtenOff.length > 0 && { written_off: formatLineQuantities(writtenOff) }),
          reason: refund.reason,
          refunded: numericFromMinor(refund.amount),
        },
      },
      // Cancelled goods were never invoiced. With nothing left to ship, the rest of the delivery is billed.
      documents: next.status !== 'cancelled' && next.status !== 'pending' && (() => ({})),
    };
  },
});
