import type { NewAuditEntry } from '../../audit/audit-log.js';
import { minorFromNumeric, numericFromMinor } from '../../../platform/money/money.js';
import { orderPayment, orderRefund, orderTopUp, type Posting } from '../../wallet/rules/posting.js';
import { formatLineQuantities } from '../rules/order-units.js';
import type { AppliedStep } from './change-step.js';
import type { LockedLine, OrderFacts } from './lifecycle.repository.js';

/** The postings to the client's wallet; none for an order that cost nothing. */
export function postingsOf(
  { orderNumber, total: numeric, money, refund, change }: AppliedStep,
  number = 0,
): Posting[] {
  if (refund)
    return refund.amount === 0 ? [] : [orderRefund(orderNumber, number, refund.amount, refund.reason)];
  const total = minorFromNumeric(numeric);
  if (total === 0 || money !== 'collect') return [];
  const payment = orderPayment(orderNumber, total);
  if (change.action !== 'pay' || change.from === 'wallet') return [payment];
  const { paymentMethod, paymentReference } = change;
  const note = [paymentMethod, paymentReference].filter(Boolean).join(' ') || undefined;
  return [orderTopUp(orderNumber, total, note), payment];
}

/** The movements of cancelled units that are not for sale again. */
export function writeOffsOf(
  { orderNumber, writtenOff = [], refund }: AppliedStep,
  lines: readonly LockedLine[],
  actor: string,
) {
  const reason = `written off, order ${orderNumber} cancelled: ${refund?.reason}`;
  return writtenOff.map(({ line, quantity }) => {
    const { productId, variationKey } = lines.find((one) => one.line === line)!;
    return { productId, variationKey, delta: -quantity, reason, actor };
  });
}

/** The reason of cancelled lines belongs to their refund: the order itself was not cancelled. */
export function statusFactsOf({ status, change }: AppliedStep): OrderFacts {
  if (change.action === 'ship') {
    const { courier, trackingNumber, trackingUrl, shippedAt } = change;
    return { courier, trackingNumber, trackingUrl, shippedAt };
  }
  if (change.action === 'pay') return change;
  return 'cancelReason' in change && status === 'cancelled' ? { cancelReason: change.cancelReason } : {};
}

/** Entries for parcels, cancelled lines, refunds and recorded payments. The timeline has the others. */
export function auditEntriesOf(
  { clientId, orderNumber, change, units = [], writtenOff = [], refund }: AppliedStep,
  actor: string,
): NewAuditEntry[] {
  const by = { clientId, actor, subject: `order ${orderNumber}` };
  const lines = formatLineQuantities(units);
  if (change.action === 'ship') {
    const { courier, trackingNumber, noInvoice, withoutIrn } = change;
    const waived = noInvoice !== undefined && { no_invoice: noInvoice };
    const early = withoutIrn !== undefined && { without_irn: withoutIrn };
    const details = { courier, tracking_number: trackingNumber, lines, ...waived, ...early };
    return [{ ...by, action: 'order.shipped', details }];
  }
  if (change.action === 'prepare') return [{ ...by, action: 'order.invoiced_first', details: { lines } }];
  // A payment by the client itself has no reference.
  if (change.action === 'pay' && (change.from === 'elsewhere' || change.paymentReference)) {
    const details = { method: change.paymentMethod ?? null, reference: change.paymentReference ?? null };
    return [{ ...by, action: 'order.paid', details }];
  }
  if (!refund) return [];
  const { kind, reason, takesBack, reasonCode, isCommercial } = refund;
  const amount = numericFromMinor(Math.abs(refund.amount));
  const choices = {
    ...(reasonCode && { reason_code: reasonCode }),
    ...(isCommercial && { commercial: 'yes' }),
  };
  if (takesBack !== undefined)
    return [{ ...by, action: 'order.refund_taken_back', details: { refund: takesBack, amount, reason } }];
  return change.action === 'cancel'
    ? [
        {
          ...by,
          action: 'order.cancelled',
          details: {
            lines,
            ...(writtenOff.length > 0 && { written_off: formatLineQuantities(writtenOff) }),
            reason,
            refunded: amount,
          },
        },
      ]
    : [{ ...by, action: 'order.refunded', details: { amount, kind, reason, ...choices } }];
}
