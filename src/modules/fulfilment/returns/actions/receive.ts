import { DomainError } from '../../../../platform/errors/domain-error.js';
import {
  formatLineQuantities,
  type LineQuantity,
  type ReceivedLine,
  receivedUnits,
} from '../../../orders/rules/order-units.js';
import { readNote, receivedState } from '../../../orders/rules/return-request.js';
import { requireOpen } from './open-return.js';
import type { ReturnAction, ReturnToDecide } from './return-action.js';

export interface ReceiveInput {
  /** The units that arrived: all by default. */
  lines?: LineQuantity[] | undefined;
  /** The units that are for sale again. The others are written off. */
  restock: LineQuantity[];
  /** Whether the client gets the price of the received units back. Undefined: staff decide later. */
  refund?: boolean | undefined;
  note?: string | undefined;
}

export const receive: ReturnAction<ReceiveInput> = {
  name: 'receive',
  sentence: 'Records that the goods of a return arrived. They are written off, or restocked.',
  role: 'packer',
  change: ({ lines: came, restock, refund, ...input }) => {
    const note = readNote(input.note);
    return {
      decide: (facts) => {
        requireOpen(facts);
        const { items, order } = facts;
        if (refund && order.paymentStatus === 'refunded')
          throw new DomainError(
            'conflict',
            'All that was paid for the order is refunded already. Receive the return without a refund.',
          );
        const arrived = receivedUnits(items, { restock, ...(came && { lines: came }) });
        const counted = items.map(({ line, quantity }) => {
          const { received } = arrived.find((one) => one.line === line)!;
          return { quantity, received };
        });
        const lines = unitsOf(arrived, 'received');
        const refundOpen = refund === undefined && isToRefund(facts, lines);
        return {
          arrived,
          decides: { state: receivedState(counted), decision: note },
          ...(refund && { refunds: lines }),
          ...(refundOpen && { refundOpen }),
          audit: {
            action: 'return.received',
            details: {
              received: formatLineQuantities(lines),
              restocked: formatLineQuantities(unitsOf(arrived, 'restocked')),
              refund: refund ?? (refundOpen ? 'later' : false),
            },
          },
        };
      },
    };
  },
};

const unitsOf = (units: readonly ReceivedLine[], which: 'received' | 'restocked'): LineQuantity[] =>
  units.filter((unit) => unit[which] > 0).map((unit) => ({ line: unit.line, quantity: unit[which] }));

/** Whether units of these lines came back that are not refunded. */
const isToRefund = ({ order }: ReturnToDecide, lines: readonly LineQuantity[]): boolean =>
  order.paymentStatus === 'paid' &&
  order.lines.some(
    ({ line, returned, refunded, cancelled }) =>
      lines.some((one) => one.line === line) && refunded - cancelled < returned,
  );
