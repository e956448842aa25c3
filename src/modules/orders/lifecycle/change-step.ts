import { minorFromNumeric } from '../../../platform/money/money.js';
import type { TimeZone } from '../../../platform/time/time.js';
import { illegalTransition } from '../order-errors.js';
import {
  cancelStep,
  deliverStep,
  type OrderStep,
  type PricedOrder,
  refundStep,
  type StepResult,
} from '../rules/order-steps.js';
import { type OrderStatus, transition } from '../rules/order-transitions.js';
import type { PricedLine } from '../rules/order-units.js';
import {
  cancelRefusal,
  type PreparedUnits,
  prepareStep,
  shipPreparedStep,
  withPrepared,
} from '../rules/prepared-parcel.js';
import { parcelsToDeliver } from '../rules/parcel-exception.js';
import { checkShippedAt } from '../rules/shipment.js';
import { type RecordedRefund, takeBackStep } from '../rules/take-back.js';
import { deliverIfArrived, type ParcelFacts, undoStep } from '../rules/undo-steps.js';
import type { OrderKey } from '../entities/order.entity.js';
import type { LockedLine, LockedOrder, OrderChange } from './lifecycle.repository.js';

export type AppliedStep = LockedOrder & OrderStep & { previousStatus: OrderStatus; change: OrderChange };

/** Details of a locked order, as far as its change needs them. */
export interface LockedDetails {
  lines: LockedLine[];
  parcels?: readonly ParcelFacts[];
  refunds?: readonly RecordedRefund[];
  prepared?: PreparedUnits | undefined;
}

export function stepOf(
  order: LockedOrder,
  details: LockedDetails,
  change: OrderChange,
  timeZone: TimeZone,
): OrderStep {
  if (change.action === 'ship')
    checkShippedAt(change.shippedAt, order.placedAt, timeZone, details.prepared?.preparedAt);
  return requireAllowed(order, evaluateStep(order, details, change));
}

export function evaluateStep(
  order: LockedOrder,
  { lines, parcels = [], refunds = [], prepared }: LockedDetails,
  change: OrderChange,
): StepResult {
  const priced = {
    ...order,
    total: minorFromNumeric(order.total),
    delivery: minorFromNumeric(order.delivery),
    refunded: minorFromNumeric(order.refundedAmount),
  };
  return previewChange({ ...priced, parcels, refunds, prepared }, lines, change);
}

/** Returns the step that a change would make, or the reason why it is refused. */
export function previewChange(
  {
    parcels,
    refunds,
    prepared = null,
    ...order
  }: PricedOrder &
    Required<Pick<LockedDetails, 'parcels' | 'refunds'>> & { prepared?: PreparedUnits | null | undefined },
  lines: readonly PricedLine[],
  change: OrderChange,
): StepResult {
  switch (change.action) {
    case 'ship':
      return shipPreparedStep(order, lines, change, prepared);
    case 'prepare':
      return prepareStep(order, lines, change.lines, prepared);
    case 'cancel': {
      // What is left can be cancelled again after a parcel was withdrawn.
      const before = lines.reduce((sum, { cancelled }) => sum + cancelled, 0);
      const {
        cancelReason: reason,
        key = `cancelled after ${before}`,
        lines: requested,
        writtenOff,
      } = change;
      const next =
        cancelRefusal(requested, prepared) ??
        cancelStep(order, lines, { reason, key, requested, writtenOff });
      return 'refused' in next ? next : deliverIfArrived(next, parcels);
    }
    case 'refund':
      return change.request.kind === 'taken_back'
        ? takeBackStep(order, lines, refunds, change.request)
        : refundStep(order, lines, change.request);
    case 'deliver': {
      const { parcel } = change;
      const open = parcels.filter(({ deliveredAt }) => deliveredAt === null).length;
      const delivered = parcelsToDeliver(parcels, parcel).length;
      return deliverStep(order, { parcel, delivered, open: open - delivered });
    }
    case 'withdraw':
    case 'undeliver':
    case 'reissue':
      return undoStep(order, lines, withPrepared(parcels, prepared), change);
    default:
      return transition(change.action, order);
  }
}

export function requireAllowed<Next extends object>(
  { orderNumber }: OrderKey,
  next: Next | { refused: string },
): Next {
  if ('refused' in next) throw illegalTransition(orderNumber, next.refused);
  return next;
}
