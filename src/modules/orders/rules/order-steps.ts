import { createHash } from 'node:crypto';
import type { NoteReason } from '../../invoices/rules/note-reasons.js';
import { type Minor, numericFromMinor } from '../../../platform/money/money.js';
import { readOptionalLine } from '../../../platform/validation/texts.js';
import { formatOrderStatus, type OrderState, transition, type Transition } from './order-transitions.js';
import {
  allUnits,
  checkUnits,
  checkWrittenOff,
  hasUnitsLeft,
  type LineQuantity,
  type PricedLine,
  type RefundedLine,
  refundOfUnits,
} from './order-units.js';

/**
 * `cancelled`: an order or some of its lines. `returned`: goods that came back. `taken_back`: an earlier
 * refund was a mistake.
 */
export const REFUND_KINDS = ['cancelled', 'lines', 'delivery', 'amount', 'returned', 'taken_back'] as const;
export type RefundKind = (typeof REFUND_KINDS)[number];

/** An order with its amounts. */
export interface PricedOrder extends OrderState {
  total: Minor;
  delivery: Minor;
  refunded: Minor;
}

/** Part of a paid order that goes back to the wallet. A second refund with the same key does nothing. */
export type RefundRequest = { reason: string; key: string; reasonCode?: NoteReason } & (
  | { kind: 'lines'; lines: LineQuantity[] }
  | { kind: 'returned'; lines: LineQuantity[]; returnNumber: string }
  | { kind: 'amount'; amount: Minor; isCommercial?: boolean }
  | { kind: 'delivery' }
);

/** Takes back all that is left of a refund, or a part. */
export interface TakeBackRequest {
  kind: 'taken_back';
  /** The number of the refund. */
  takesBack: number;
  amount?: Minor;
  reason: string;
  key: string;
}

/** Without a key, the hash of the content is the key. */
export function requestKey(key: string | undefined, content: unknown): string {
  return (
    readOptionalLine('key', key, 100) ?? createHash('sha256').update(JSON.stringify(content)).digest('hex')
  );
}

export interface PlannedRefund {
  kind: RefundKind;
  amount: Minor;
  reason: string;
  key: string;
  returnNumber?: string;
  takesBack?: number;
  /** The code of the reason on its notes, if it is not the usual one. */
  reasonCode?: NoteReason;
  /** Its notes change no tax. */
  isCommercial?: boolean;
  items: (RefundedLine & { cancelled?: number; writtenOff?: number })[];
}

export interface OrderStep extends Transition {
  /** The units that move. Without them the whole order does. */
  units?: LineQuantity[];
  /** The cancelled units that are not for sale again. */
  writtenOff?: readonly LineQuantity[];
  refund?: PlannedRefund;
}

export type StepResult = OrderStep | { refused: string };

/** Ships the given units, or all that are left. An empty list is a further box of a shipped order. */
export function shipStep(
  order: OrderState,
  lines: readonly PricedLine[],
  requested?: LineQuantity[],
): StepResult {
  if (requested?.length === 0) return extraBoxStep(order);
  const next = transition('ship', order);
  if ('refused' in next) return next;
  const units = requested ?? allUnits(lines, 'shipped');
  checkUnits(lines, units, 'shipped');
  return { ...next, status: hasUnitsLeft(lines, units) ? order.status : next.status, units };
}

function extraBoxStep({ status, paymentStatus }: OrderState): StepResult {
  if (status !== 'shipped')
    return {
      refused: `A parcel without lines belongs to a shipped order. This one is ${formatOrderStatus(status)}.`,
    };
  return { status, paymentStatus, stock: 'none', units: [] };
}

/**
 * Delivers one parcel, or all that are on their way. A parcel that came back by RTO is delivered only by its
 * number. The order is delivered when all of its goods have left and all parcels have arrived.
 */
export function deliverStep(
  order: OrderState,
  { parcel, delivered, open }: { parcel: number | undefined; delivered: number; open: number },
): StepResult {
  if (parcel !== undefined && delivered === 0)
    return { refused: `The order has no parcel ${parcel} on its way.` };
  if (delivered === 0 && open > 0)
    return { refused: 'Its parcels came back by RTO. If one was delivered after all, choose this parcel.' };
  if (delivered > 0 && (open > 0 || order.status !== 'shipped'))
    return { status: order.status, paymentStatus: order.paymentStatus, stock: 'none' };
  return transition('deliver', order);
}

/**
 * Cancels and refunds the given units of a paid order, or all units that have not left. They are for sale
 * again, except those that are written off.
 */
export function cancelStep(
  order: PricedOrder,
  lines: readonly PricedLine[],
  {
    reason,
    key,
    requested,
    writtenOff = [],
  }: { reason: string; key: string; requested?: LineQuantity[]; writtenOff?: readonly LineQuantity[] },
): StepResult {
  const next = transition('cancel', order);
  if ('refused' in next) return next;
  if (order.status === 'awaiting_payment')
    return requested || writtenOff.length > 0
      ? { refused: 'Lines of an unpaid order cannot be cancelled, only the whole order.' }
      : next;
  const units = requested ?? allUnits(lines, 'cancelled');
  checkUnits(lines, units, 'cancelled');
  checkWrittenOff(units, writtenOff);
  const left = order.total - order.refunded;
  const isPending = hasUnitsLeft(lines, units);
  if (!isPending && lines.every(({ shipped }) => shipped === 0)) {
    const { items } = refundOfUnits(lines, allUnits(lines, 'refunded'), left);
    const noted = withWrittenOff(items, writtenOff);
    return {
      ...next,
      units,
      ...(writtenOff.length > 0 && { writtenOff }),
      // The row of an order that cost nothing keeps what was written off.
      ...((left > 0 || writtenOff.length > 0) && {
        refund: { kind: 'cancelled', reason, key, amount: left, items: noted },
      }),
    };
  }
  const { amount, items } = refundOfUnits(lines, units, left);
  const cancelled = items.map((item, index) => ({ ...item, cancelled: units[index]!.quantity }));
  return {
    ...next,
    status: isPending ? 'pending' : 'shipped',
    paymentStatus: paymentStatusAfter(order, amount),
    units,
    ...(writtenOff.length > 0 && { writtenOff }),
    refund: { kind: 'cancelled', reason, key, amount, items: withWrittenOff(cancelled, writtenOff) },
  };
}

function withWrittenOff(
  items: PlannedRefund['items'],
  writtenOff: readonly LineQuantity[],
): PlannedRefund['items'] {
  const others = writtenOff.filter(({ line }) => !items.some((item) => item.line === line));
  return [...items, ...others.map(({ line }) => ({ line, refunded: 0, amount: 0 }))].map((item) => ({
    ...item,
    writtenOff: writtenOff.find(({ line }) => line === item.line)?.quantity,
  }));
}

/** A refund is at most the paid amount less earlier refunds. */
export function refundStep(
  order: PricedOrder,
  lines: readonly PricedLine[],
  request: RefundRequest,
): StepResult {
  if (order.paymentStatus !== 'paid')
    return {
      refused:
        order.paymentStatus === 'unpaid'
          ? 'An unpaid order cannot be refunded.'
          : 'All that was paid for the order is refunded already.',
    };
  const left = order.total - order.refunded;
  const { amount, items } = calculateRefund(order, lines, request, left);
  const isReturn = request.kind === 'returned';
  if (amount === 0 && !isReturn)
    return { refused: 'There is nothing to refund: this part of the order cost nothing.' };
  if (amount > left) return { refused: `Only ${numericFromMinor(left)} of the order can still be refunded.` };
  if (order.status === 'pending' && amount === left && !isReturn)
    return {
      refused: 'This would refund the whole payment, but some goods have not left. Cancel them instead.',
    };
  const { reason, key, reasonCode } = request;
  return {
    status: order.status,
    paymentStatus: paymentStatusAfter(order, amount),
    stock: 'none',
    refund: {
      kind: request.kind,
      amount,
      reason,
      key,
      items,
      ...(isReturn && { returnNumber: request.returnNumber }),
      ...(reasonCode && { reasonCode }),
      ...(request.kind === 'amount' && request.isCommercial && { isCommercial: true }),
    },
  };
}

function calculateRefund(
  order: PricedOrder,
  lines: readonly PricedLine[],
  request: RefundRequest,
  left: Minor,
): { amount: Minor; items: RefundedLine[] } {
  switch (request.kind) {
    case 'delivery':
      return { amount: order.delivery, items: [] };
    case 'amount':
      return { amount: request.amount, items: [] };
    case 'returned':
      return refundOfUnits(lines, request.lines, left);
    case 'lines':
      checkUnits(lines, request.lines, 'refunded');
      return refundOfUnits(lines, request.lines, Infinity);
  }
}

function paymentStatusAfter({ paymentStatus, total, refunded }: PricedOrder, amount: Minor) {
  return amount > 0 && refunded + amount === total ? 'refunded' : paymentStatus;
}
